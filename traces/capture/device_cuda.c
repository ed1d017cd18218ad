/* The device through CUDA's driver: kernels are in a cubin. */
#include "device.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 16 };

static CUdevice device;
static CUmodule module;

static void check(CUresult status, const char *call) {
    if (status == CUDA_SUCCESS) return;
    const char *text = NULL;
    cuGetErrorString(status, &text);
    fprintf(stderr, "%s failed with CUDA status %d: %s\n", call, (int)status, text ? text : "unknown");
    exit(EXIT_FAILURE);
}

void device_open(const char *kernels) {
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuModuleLoad(&module, kernels), "cuModuleLoad");
}

void host_close(void) {
    check(cuModuleUnload(module), "cuModuleUnload");
    check(cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
}

static CUdeviceptr address_of(host_memory buffer) {
    return (CUdeviceptr)(uintptr_t)buffer;
}

host_memory device_allocate(size_t bytes) {
    CUdeviceptr address;
    check(cuMemAlloc(&address, bytes), "cuMemAlloc");
    return (host_memory)(uintptr_t)address;
}

void host_write(host_memory buffer, size_t bytes, const void *data) {
    check(cuMemcpyHtoD(address_of(buffer), data, bytes), "cuMemcpyHtoD");
}

void host_read(host_memory buffer, size_t bytes, void *data) {
    check(cuMemcpyDtoH(data, address_of(buffer), bytes), "cuMemcpyDtoH");
}

void device_launch(const char *name, const size_t threads[2], const size_t block[2],
                   const host_argument *arguments, size_t count) {
    CUfunction kernel;
    check(cuModuleGetFunction(&kernel, module, name), "cuModuleGetFunction");
    void *values[ARGUMENTS_MAX];
    check(count <= ARGUMENTS_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE, "device_launch");
    for (size_t i = 0; i < count; i++) memcpy(&values[i], &arguments[i].value, sizeof values[i]);
    check(cuLaunchKernel(kernel, (unsigned)(threads[0] / block[0]), (unsigned)(threads[1] / block[1]), 1,
                         (unsigned)block[0], (unsigned)block[1], 1, 0, NULL, values, NULL),
          "cuLaunchKernel");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
}
