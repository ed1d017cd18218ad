/* What the kernels use of OpenCL C, for clang's PTX target (-include). Work-items have two dimensions. */
#define OVERLOADED static inline __attribute__((overloadable, always_inline))

OVERLOADED size_t get_local_id(uint dimension) {
    return dimension == 0 ? __nvvm_read_ptx_sreg_tid_x() : __nvvm_read_ptx_sreg_tid_y();
}
OVERLOADED size_t get_local_size(uint dimension) {
    return dimension == 0 ? __nvvm_read_ptx_sreg_ntid_x() : __nvvm_read_ptx_sreg_ntid_y();
}
OVERLOADED size_t get_group_id(uint dimension) {
    return dimension == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : __nvvm_read_ptx_sreg_ctaid_y();
}
OVERLOADED size_t get_num_groups(uint dimension) {
    return dimension == 0 ? __nvvm_read_ptx_sreg_nctaid_x() : __nvvm_read_ptx_sreg_nctaid_y();
}
OVERLOADED size_t get_global_id(uint dimension) {
    return get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension);
}
OVERLOADED size_t get_global_size(uint dimension) {
    return get_num_groups(dimension) * get_local_size(dimension);
}

/* A barrier of a block also orders its accesses to both memories. LLVM 14 takes its own function for one that leaves
 * local memory as it was, and would keep values across it that the capture loads again. */
#define barrier(fences) __asm__ volatile("bar.sync 0;" ::: "memory")

#define atomic_add(address, value) __sync_fetch_and_add(address, value)
#define atomic_inc(address)        __sync_fetch_and_add(address, 1)
#define atomic_min(address, value) __sync_fetch_and_min(address, value)

OVERLOADED int min(int a, int b) {
    return a < b ? a : b;
}
OVERLOADED int max(int a, int b) {
    return a > b ? a : b;
}
OVERLOADED float min(float a, float b) {
    return __builtin_fminf(a, b);
}
OVERLOADED float max(float a, float b) {
    return __builtin_fmaxf(a, b);
}
