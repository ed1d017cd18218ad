#include "base/progress.h"
#include "cli/command.h"
#include "cli/inputs/gaps.h"
#include "cli/inputs/kernels.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "trace/import/import_formats.h"
#include "warpsweep/trace.h"

#include <stdio.h>

enum { OUTPUT, KERNELS, FORMAT, TMPDIR, MEMORY };

enum { MEMORY_DEFAULT_MIB = 256, MEMORY_MOST_MIB = 2048 };

static bool report(const char *path, ws_error *err) {
    ws_trace *trace = ws_trace_open(path, err);
    if (!trace) return false;
    ws_counters totals = ws_trace_totals(trace);
    const ws_trace_info *info = ws_trace_get_info(trace);
    char launches[CLI_COUNT_SIZE], instructions[CLI_COUNT_SIZE], bytes[CLI_COUNT_SIZE];
    fprintf(stderr, "%s: launches: %s, warp instructions: %s, bytes: %s, digest %s\n", path,
            cli_count(info->kernel_count, launches), cli_count(totals.warp_instructions, instructions),
            cli_count(info->file_bytes, bytes), info->digest);
    cli_print_gaps(trace, NULL, stderr);
    ws_trace_close(trace);
    return true;
}

static void show_progress(void *progress, uint64_t bytes_read, uint64_t bytes_total) {
    ws_progress *p = progress;
    p->total = bytes_total >> 20;
    ws_progress_update(p, bytes_read >> 20, bytes_total ? (double)bytes_read / (double)bytes_total : 0);
}

static void show_notice(void *progress, const char *text) {
    ws_progress_clear(progress);
    fprintf(stderr, "%s\n", text);
}

static int run(const cli_args *args, ws_error *err) {
    ws_selection *kernels = ws_selection_new(args->option[KERNELS], "--kernels", err);
    uint32_t memory_MiB;
    if (!kernels ||
        !cli_whole_number(args, MEMORY, 1, MEMORY_MOST_MIB, MEMORY_DEFAULT_MIB, &memory_MiB, err)) {
        ws_selection_free(kernels);
        return 1;
    }
    ws_progress progress = ws_progress_start(stderr, args->argument[0], "MiB", 0);
    ws_import_options options = {
        .format = args->option[FORMAT],
        .kernels = kernels,
        .progress = show_progress,
        .progress_context = &progress,
        .interrupted = cli_catch_interrupts(),
        .tmpdir = args->option[TMPDIR],
        .memory_B = (uint64_t)memory_MiB << 20,
        .notice = show_notice,
        .notice_context = &progress,
    };
    bool done = ws_import(args->argument[0], args->option[OUTPUT], &options, err);
    ws_progress_clear(&progress);
    if (done) report(args->option[OUTPUT], err);
    ws_selection_free(kernels);
    return 0;
}

const cli_command cli_import = {
    .name = "import",
    .summary = "turn a trace of another tool into a native one (.wst)",
    .arguments = {{.name = "SRC",
                   .help = "a list of kernels, a directory that holds one, or one trace file"}},
    .options =
        {[OUTPUT] = {"output", 'o', true, "OUT.wst",
                     "the file to write; it appears only when it is complete"},
         [KERNELS] = {"kernels", 'k', false, "LIST",
                      CLI_KERNELS_HELP
                      " (without the #2, #3 .. by which other commands tell kernels of one name apart)"},
         [FORMAT] = {"format", 'f', false, "NAME",
                     WS_IMPORT_FORMATS_LISTED
                     "; needed only where the name and the beginning of SRC do not tell"},
         [TMPDIR] = {"tmpdir", 't', false, "DIR",
                     "where large raw traces are grouped by warp (default $TMPDIR, or /tmp)"},
         [MEMORY] = {"memory", 'm', false, "MiB",
                     "memory for grouping them; what does not fit goes to DIR (1 to 2048, default 256)"}},
    .details =
        "Reads Accel-Sim (NVBit) SASS traces of all tracer versions up to 6: grouped (.traceg, .tracez,\n"
        "kernelslist.g) and raw (.trace, kernelslist); CSV ('warpsweep help csv' lists its columns); and\n"
        "what NVBit's mem_trace prints ('warpsweep help memtrace'). Texts plain, .xz, .gz or .zst, with\n"
        "lines that end in LF or CR LF.\n"
        "--kernels counts the launches in SRC from 1 on, whatever numbers their files or rows have; the\n"
        "other commands count those in OUT.wst.\n"
        "A malformed trace is refused, with its file and line, what was expected and what was found; "
        "nothing\n"
        "is written then.\n",
    .run = run,
};
