/* Traces: the instructions of every warp of every launch, with masks and per-lane addresses.
 *
 * The native format (.wst) is read and written here; readers of other formats (src/trace/import/) feed the writer. A
 * trace is a list of launches ("kernels"), a launch a list of CTAs, a CTA a list of warps, a warp a list of
 * warp instructions in program order. What does not change from one execution of an instruction to the next
 * (pc, opcode, registers, width ..) is stored once, as a *static instruction*, and named by its index. A CTA is
 * read as a whole, and has at most 2^24 warp instructions, 2^26 addresses and 2^25 operand values. */
#ifndef WARPSWEEP_TRACE_H
#define WARPSWEEP_TRACE_H

#include "warpsweep/error.h"

#include <stdint.h>
#include <stdio.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum {
    WS_LANES_MAX = 64,        /* warp size: 32 or 64 */
    WS_DST_MAX = 4,           /* destination registers of one instruction */
    WS_SRC_MAX = 8,           /* source registers of one instruction */
    WS_REGISTER_ZERO = 65535, /* reads as zero, creates no dependence (SASS RZ = R255) */
    WS_LINE_B = 128,          /* line and sector size of a trace's own counters */
    WS_SECTOR_B = 32,
    WS_CTA_WARPS_MAX = 1024,
    WS_OPERANDS_MAX = WS_DST_MAX + WS_SRC_MAX, /* operands of one instruction whose values are recorded */
    WS_INDEX_MAX = 2,                          /* index loads of one access */
    WS_PROGRAMS_MAX = 2,                       /* programs of joined traces */
};

/* X(name in upper case, name in texts). clang-format never settles on a layout for these. */
/* clang-format off */
#define WS_CLASSES(X)                                                                                        \
    X(INT, int) X(FP, fp) X(SFU, sfu) X(TENSOR, tensor) X(MEM, mem) X(BRANCH, branch) X(BARRIER, barrier)    \
    X(EXIT, exit) X(META, meta) X(OTHER, other)
#define WS_MEMORY_OPS(X)                                                                                     \
    X(NONE, none) X(LOAD, load) X(STORE, store) X(ATOMIC, atomic) X(REDUCTION, reduction)
#define WS_SPACES(X)                                                                                         \
    X(NONE, none) X(GLOBAL, global) X(LOCAL, local) X(SHARED, shared) X(CONSTANT, constant)                  \
    X(TEXTURE, texture) X(GENERIC, generic)
/* clang-format on */

typedef enum ws_class {
#define X(upper, lower) WS_CLASS_##upper,
    WS_CLASSES(X)
#undef X
        WS_CLASS_COUNT
} ws_class;

typedef enum ws_memory_op {
#define X(upper, lower) WS_MEMORY_##upper,
    WS_MEMORY_OPS(X)
#undef X
        WS_MEMORY_OP_COUNT
} ws_memory_op;

typedef enum ws_space {
#define X(upper, lower) WS_SPACE_##upper,
    WS_SPACES(X)
#undef X
        WS_SPACE_COUNT
} ws_space;

const char *ws_class_name(ws_class class_);
const char *ws_memory_op_name(ws_memory_op op);
const char *ws_space_name(ws_space space);

/* Bits of `ws_trace_info.features`: which optional fields a trace has. */
enum {
    WS_FEATURE_REGISTERS = 1u << 0,   /* destination and source registers */
    WS_FEATURE_IMMEDIATES = 1u << 1,  /* an immediate operand: the last, of Accel-Sim's tracer 6 the first */
    WS_FEATURE_SOURCE_LINE = 1u << 2, /* line numbers of the source text */
    WS_FEATURE_VALUES = 1u << 3,      /* values of operands that all active lanes agree on */
    WS_FEATURE_INDEX_FLOW = 1u << 4,  /* which loads feed the addresses of indirect accesses */
};

/* The part of an instruction that is the same at each execution. Fields that do not apply are 0. */
typedef struct ws_static {
    uint32_t pc;
    uint32_t opcode;      /* index for ws_trace_opcode() */
    int32_t immediate;    /* WS_FEATURE_IMMEDIATES */
    uint32_t source_line; /* WS_FEATURE_SOURCE_LINE; 0 = unknown */
    uint16_t dst[WS_DST_MAX], src[WS_SRC_MAX];
    uint8_t dst_count, src_count;
    uint8_t class_;  /* ws_class */
    uint8_t op;      /* ws_memory_op; NONE for all but memory instructions with traced addresses */
    uint8_t space;   /* ws_space */
    uint8_t width_B; /* bytes each lane moves, 0 where op is NONE */
    /* The width that the source text gave; differs from `width_B` if that was corrected. */
    uint8_t text_width_B;

    /* WS_FEATURE_INDEX_FLOW, for accesses: pcs of the loads (of this launch's code) whose values the address is
     * computed from, by moves, conversions and arithmetic only; ascending, the first WS_INDEX_MAX of them. Loads whose
     * values only decide which path is taken, or are carried from one iteration of a loop to the next, do not count. */
    uint8_t index_count;
    /* WS_FEATURE_VALUES: how many of its results and sources have recorded values at each execution, 0 if none have
     * (class meta). Sources are those of the traced instruction set, in its order, with constants and kernel
     * parameters; they need not match the registers in `src`. The address of a memory instruction is not a source:
     * `addresses` has it. */
    uint8_t result_values, source_values; /* at most WS_DST_MAX, WS_SRC_MAX */
    uint8_t reserved[2];                  /* 0 */
    uint32_t index_pc[WS_INDEX_MAX];
} ws_static;

/* `op`: ws_memory_op. True for operations that read and write a location at once, with or without a result. */
static inline bool ws_memory_is_atomic(unsigned op) {
    return op == WS_MEMORY_ATOMIC || op == WS_MEMORY_REDUCTION;
}

/* True for global and local (and generic) accesses: those that enter the L1 request stream. */
static inline bool ws_static_is_global_or_local(const ws_static *s) {
    return s->op != WS_MEMORY_NONE &&
           (s->space == WS_SPACE_GLOBAL || s->space == WS_SPACE_LOCAL || s->space == WS_SPACE_GENERIC);
}

/* Totals of a launch. Memory instructions are global and local ones with at least one active lane; requests are
 * 128-byte lines and sectors are 32-byte sectors, after coalescing within the warp instruction. */
#define WS_COUNTERS(X)                                                                                       \
    X(ctas, "CTAs", "CTAs of the launch that executed something")                                            \
    X(warps, "warps", "Warps of the CTAs that executed something")                                           \
    X(warp_instructions, "instructions", "Warp instructions executed, those of class meta left out")         \
    X(meta_instructions, "instructions",                                                                     \
      "Warp instructions executed of class meta, which have no counterpart on hardware")                     \
    X(trace_memory_lines, "instructions",                                                                    \
      "Warp instructions executed with addresses in the trace, of any space, also without an active lane: "  \
      "lines of the trace's text, not of a cache")                                                           \
    X(memory_instructions, "instructions",                                                                   \
      "Warp instructions executed that access global or local memory, with at least one active lane")        \
    X(lane_accesses, "accesses", "Active lanes of the accesses to global and local memory")                  \
    X(requests, "requests",                                                                                  \
      "128-byte lines that accesses to global and local memory ask for, coalesced within the instruction "   \
      "by the trace's addresses: what threads have of their own in local memory counts once")                \
    X(sectors, "sectors",                                                                                    \
      "32-byte sectors that accesses to global and local memory ask for, coalesced as requests are")         \
    X(corrected_widths, "instructions",                                                                      \
      "Memory instructions executed whose width of access the source text gives wrongly")                    \
    X(after_exit, "instructions",                                                                            \
      "Warp instructions executed after an exit of all lanes that had been active")
typedef struct ws_counters {
#define X(name, unit, help) uint64_t name;
    WS_COUNTERS(X)
#undef X
} ws_counters;

typedef struct ws_dim3 {
    uint32_t x, y, z;
} ws_dim3;

typedef struct ws_kernel {
    uint32_t index;   /* launch number in the trace, from 1 */
    const char *name; /* as traced, usually mangled */
    /* demangled, without namespaces, template and call arguments; with "#2", "#3" .. where kernels,
     * also of two joined traces, share it */
    const char *short_name;
    ws_dim3 grid, block;              /* in CTAs; in threads */
    uint32_t registers_per_thread;    /* 0 = unknown */
    uint32_t shared_B;                /* static + dynamic shared memory per CTA */
    uint64_t stream;                  /* 0 = default */
    uint32_t program;                 /* 1 for launches of the second of two joined traces, else 0 */
    uint32_t isa_version;             /* SM version of the binary (70, 80 ..), 0 = unknown */
    uint64_t shared_base, local_base; /* windows of generic addresses, 0 = unknown */
    ws_counters counters;             /* filled by the writer */
} ws_kernel;

/* A copy to the device, before kernel `before_kernel` (index from 1; kernel count + 1: after all of them). */
typedef struct ws_memcpy {
    uint32_t before_kernel;
    uint64_t address, bytes;
} ws_memcpy;

typedef struct ws_trace_info {
    char isa[16];       /* "sass", "llvm" */
    char tracer[64];    /* "accelsim 5", "oclgrind" .. */
    uint32_t warp_size; /* 32 or 64 */
    uint32_t features;  /* WS_FEATURE_ bits */
    /* 128-bit digest of the content, in hex: the same for the same content, whatever the compression */
    char digest[33];
    uint32_t kernel_count, memcpy_count, static_count;
    uint32_t programs; /* 1; 2 for joined traces */
    uint64_t file_bytes;
} ws_trace_info;

/* ---- reading */

typedef struct ws_trace ws_trace;

/* Opens a .wst: header and index are read and checked at once, data blocks only when asked for; where they are damaged,
 * both is WS_ERROR_DAMAGED. A trace is immutable: any number of threads, or forked processes, can read it, each through
 * a reader of its own. */
ws_trace *ws_trace_open(const char *path, ws_error *err);
void ws_trace_close(ws_trace *trace);

const char *ws_trace_path(const ws_trace *trace);
const ws_trace_info *ws_trace_get_info(const ws_trace *trace);
const ws_kernel *ws_trace_kernel(const ws_trace *trace, uint32_t index); /* from 1; NULL: there is none */
/* The same, but a kernel that does not exist is an error. */
const ws_kernel *ws_trace_expect_kernel(const ws_trace *trace, uint32_t index, ws_error *err);
/* Returns the first launch from which on all are of one stream: 1 if all of the trace are; 0 if it has none. */
uint32_t ws_trace_one_stream_from(const ws_trace *trace);
const ws_memcpy *ws_trace_memcpy(const ws_trace *trace, uint32_t i); /* from 0; NULL: there is none */
const ws_static *ws_trace_statics(const ws_trace *trace);            /* `static_count` of them */
const char *ws_trace_opcode(const ws_trace *trace, uint32_t opcode); /* NULL: there is none */
ws_counters ws_trace_totals(const ws_trace *trace);

/* One warp: parallel arrays over its instructions, one of addresses and one of values.
 * `address_at[i]` is where instruction i's addresses begin in `addresses`: one per active lane, lowest lane
 * first, for instructions whose static has an `op`; `address_at[inst_count]` closes the list. Behind a local address
 * each thread has memory of its own; in traces of isa "llvm" the addresses are each thread's own already.
 *
 * `value_at` is NULL unless the reader was asked for values. The operands of an instruction are its `result_values`
 * results, then its `source_values` sources. Bit o of `uniform[i]` is set when operand o of instruction i is the same
 * in all its active lanes; then its value is given in 64 bits: a narrower operand is zero-extended, a floating-point
 * number is given as its bits, a pointer as in `addresses`; for operands wider than 64 bits it is the XXH3-64 hash of
 * their bytes, good only for comparing. If lanes differ, their values are not kept. `value_at[i]` is where instruction
 * i's values begin in `values`: one per bit set, lowest bit first; `value_at[inst_count]` closes the list. Without an
 * active lane no bit is set. */
typedef struct ws_warp {
    uint32_t id; /* within the CTA */
    uint32_t inst_count;
    const uint32_t *static_id;
    const uint64_t *mask;
    const uint32_t *address_at;
    const uint64_t *addresses;
    const uint16_t *uniform;
    const uint32_t *value_at;
    const uint64_t *values;
} ws_warp;

typedef struct ws_cta {
    ws_dim3 id;
    uint32_t ordinal; /* position among the launch's CTAs in the trace, from 0 */
    uint32_t warp_count;
    const ws_warp *warps; /* ascending ids */
} ws_cta;

typedef struct ws_reader ws_reader;

/* A reader keeps the block that it decoded last, so reading the CTAs of a block (neighbours in the grid) decodes it
 * once. */
ws_reader *ws_reader_new(const ws_trace *trace, ws_error *err);
void ws_reader_free(ws_reader *reader);
/* From now on, every CTA comes with operand values, which cost decoding time. WS_ERROR_TRACE if the trace has none. */
bool ws_reader_with_values(ws_reader *reader, ws_error *err);

/* Decodes CTA `ordinal` of kernel `kernel` (from 1). `cta` points into the reader and is valid until the next
 * call. */
bool ws_reader_cta(ws_reader *reader, uint32_t kernel, uint32_t ordinal, ws_cta *cta, ws_error *err);

/* ---- two programs */

/* Size of the address space of each program of joined traces; the spaces follow each other. */
#define WS_PROGRAM_SPACE_B (UINT64_C(1) << 62)

/* Joins the traces of two programs that share a GPU: the launches of `first`, then those of `second`, numbered
 * consecutively; both may be the same trace. Global and local addresses of the second program are WS_PROGRAM_SPACE_B
 * higher than in its trace, so that no data are shared; reading a CTA with addresses that large already is an error.
 * Shared and constant addresses stay as they are. The path is "A.wst + B.wst", the digest is computed from both digests
 * in this order. Warp size, instruction set, and whether there are registers must agree; otherwise WS_ERROR_TRACE says
 * what does not. Both traces must outlive the joined one, which ws_trace_close() frees. ws_trace_check() does not take
 * joined traces. */
ws_trace *ws_trace_join(const ws_trace *first, const ws_trace *second, ws_error *err);

/* The trace of program 0 or 1 of joined traces; any other trace is returned itself. */
const ws_trace *ws_trace_of_program(const ws_trace *trace, uint32_t program);

/* ---- checking */

/* Reads all of the trace and checks it against its checksums, counters and digest, and the format's invariants. */
bool ws_trace_check(const ws_trace *trace, ws_error *err);

/* ---- writing */

typedef struct ws_writer ws_writer;

/* Writes to a temporary file beside `path`; `finish` renames it. A writer that is freed unfinished leaves nothing
 * behind. `isa`: at most 15 bytes; of `tracer`, the first 63 are kept. What a trace cannot hold is WS_ERROR_INTERNAL if
 * it is the caller's fault, and WS_ERROR_TRACE if it can come from the source. */
ws_writer *ws_writer_new(const char *path, const char *isa, const char *tracer, uint32_t warp_size,
                         uint32_t features, ws_error *err);
void ws_writer_free(ws_writer *writer);

/* Index of a static instruction, interned: equal content gives an equal index; what is in `dst`, `src` and `index_pc`
 * beyond their counts is ignored. `s->opcode` comes from ws_writer_opcode(), which takes UTF-8. UINT32_MAX if memory
 * runs out, a field is out of bounds or the opcode is no text; ws_writer_inst() then fails with the reason. */
uint32_t ws_writer_static(ws_writer *writer, const ws_static *s);
uint32_t ws_writer_opcode(ws_writer *writer, const char *opcode, size_t length);

/* `kernel`: counters, index and short name are ignored; strings are copied. */
bool ws_writer_kernel(ws_writer *writer, const ws_kernel *kernel, ws_error *err);
/* A copy to the device, between launches: one that is told of during a launch comes after it. At most 2^40 bytes, which
 * end below 2^64. */
bool ws_writer_memcpy(ws_writer *writer, uint64_t address, uint64_t bytes, ws_error *err);
/* Each CTA at most once, in any order; a second time is an error. */
bool ws_writer_cta(ws_writer *writer, ws_dim3 id, ws_error *err);
bool ws_writer_warp(ws_writer *writer, uint32_t id, ws_error *err); /* ascending within a CTA */
/* `addresses`: one per active lane, lowest lane first; ignored where the static has no `op`. */
bool ws_writer_inst(ws_writer *writer, uint32_t static_id, uint64_t mask, const uint64_t *addresses,
                    ws_error *err);
/* The same with the operands' values: `uniform` and `values` as in ws_warp. */
bool ws_writer_inst_values(ws_writer *writer, uint32_t static_id, uint64_t mask, const uint64_t *addresses,
                           uint32_t uniform, const uint64_t *values, ws_error *err);
/* For features that turn out while reading; ws_writer_finish() refuses bits that are none of WS_FEATURE_. Those of
 * values and index loads need not be added: they follow from the static instructions. */
void ws_writer_add_features(ws_writer *writer, uint32_t features);
/* Once; then the writer is only good for ws_writer_free(). */
bool ws_writer_finish(ws_writer *writer, ws_error *err);

/* ---- selecting kernels */

typedef struct ws_selection ws_selection;

/* Digits, commas, dashes and blanks, such as "1,3-5", are launch numbers. Anything else is an extended regular
 * expression, searched for in name and short name (".*", "^atax_[12]$"). NULL or "*" selects all. `where` names the
 * origin of `text` in messages ("--kernels", "$.kernels"). */
ws_selection *ws_selection_new(const char *text, const char *where, ws_error *err);
void ws_selection_free(ws_selection *selection);
bool ws_selection_has(const ws_selection *selection, uint32_t index, const char *name,
                      const char *short_name);
/* Whether launch `index` would be selected under some name: false only if launch numbers exclude it. */
bool ws_selection_may_have(const ws_selection *selection, uint32_t index);
/* The highest launch number that the text names; 0: it names none. */
uint32_t ws_selection_last(const ws_selection *selection);

/* As ws_trace_check(), but only the blocks and counters of the selected launches (NULL: all). The digest covers the
 * whole trace and is checked only if all are selected. */
bool ws_trace_check_kernels(const ws_trace *trace, const ws_selection *kernels, ws_error *err);

/* ---- importing */

typedef struct ws_import_options {
    const char *format;          /* one of ws_import_formats(); NULL: guessed from the name and the content */
    const ws_selection *kernels; /* NULL: all */
    void (*progress)(void *context, uint64_t bytes_read, uint64_t bytes_total); /* may be NULL */
    void *progress_context;
    const volatile bool *interrupted; /* polled; may be NULL */
    /* Instructions that a source has in order of arrival are grouped by warp; what does not fit in `memory_B` goes to
     * an unlinked file in `tmpdir`. */
    const char *tmpdir; /* NULL: $TMPDIR, or /tmp */
    uint64_t memory_B;  /* 0: 256 MiB; at most 2 GiB */
    /* Called with notes for the user: space that grouping needs, data that are left out. May be NULL. */
    void (*notice)(void *context, const char *text);
    void *notice_context;
} ws_import_options;

enum { WS_NOTICE_SIZE = 1024 }; /* the most bytes of a notice, its NUL included */

/* Reads `source` (a file, a list of files, or a directory with a list) and writes `out` (.wst). Bad input is
 * WS_ERROR_TRACE with "file:line: expected .., found ..", and leaves no output file. An existing file `out` that is not
 * a native trace is not replaced: WS_ERROR_USAGE. */
bool ws_import(const char *source, const char *out, const ws_import_options *options, ws_error *err);

/* A column of a CSV trace. The first line of the file names those that it has, in any order. */
typedef struct ws_csv_column {
    const char *name;
    const char *otherwise; /* what is assumed if the column, or its value, is missing */
    const char *help;
} ws_csv_column;
const ws_csv_column *ws_csv_columns(size_t *count);

/* NULL-terminated names of the formats that ws_import() knows. */
const char *const *ws_import_formats(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
