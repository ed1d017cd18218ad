/* The tables that every database has (schema.c), in words: for `help`, and for the table `metric`. */
#include "base/array.h"
#include "store/names.h"
#include "store/store.h"

#include <strings.h>

#define KEY(name, type, help)                                                                                \
    { name, WS_TYPE_##type, "", WS_ADDS_KEY, help }
#define FACT(name, type, unit, help)                                                                         \
    { name, WS_TYPE_##type, unit, WS_ADDS_NOT, help }

static const ws_column run[] = {
    KEY("id", INT, "Number of the run."),
    FACT("sweep", TEXT, "", "Name of the sweep that was run."),
    FACT("argv", TEXT, "", "The command's arguments, a JSON array."),
    FACT("spec_path", TEXT, "", "File of the specification."),
    FACT("spec", TEXT, "", "Text of the specification, as it was then."),
    FACT("jobs", INT, "processes", "Worker processes of the run."),
    FACT("version", TEXT, "", "Version of warpsweep."),
    FACT("revision", TEXT, "", "Revision of its sources."),
    FACT("compiler", TEXT, "", "What it was compiled with."),
    FACT("libraries", TEXT, "", "Versions of the libraries that it used, a JSON object."),
    FACT("host", TEXT, "", "Name of the machine."),
    FACT("pid", INT, "", "Process that ran the sweep."),
    FACT("started", TEXT, "", "When it started, in UTC."),
    FACT("ended", TEXT, "", "When it ended, in UTC; NULL while it runs, or when it was killed."),
    FACT("outcome", TEXT, "", "done, interrupted or error; NULL while it runs, or when it was killed."),
    FACT("points_done", INT, "points", "Points that it computed."),
    FACT("points_failed", INT, "points", "Points that failed."),
};

static const ws_column trace[] = {
    KEY("id", INT, "Hash of the digest."),
    FACT("digest", TEXT, "", "Digest of the content, which tells traces apart."),
    FACT("name", TEXT, "", "Name of the file, without folders and .wst; 'a+b' of two programs."),
    FACT("path", TEXT, "", "Where the file was."),
    FACT("isa", TEXT, "", "Instruction set: sass, llvm .."),
    FACT("tracer", TEXT, "", "What the trace was made by."),
    FACT("warp_size", INT, "lanes", "Lanes of a warp."),
    FACT("kernels", INT, "launches", "Launches in the trace."),
};

/* Counters of the launch follow, which the store is told by ws_store_kernel_counters(). */
static const ws_column kernel[] = {
    KEY("id", INT, "Hash of the trace's digest and the launch."),
    KEY("trace", INT, "The launch's trace: trace.id."),
    KEY("launch", INT, "Number of the launch in its trace, from 1."),
    FACT("name", TEXT, "", "Name as traced, usually mangled."),
    FACT("short_name", TEXT, "",
         "Name without namespaces and arguments, which views show as 'kernel'. Others of the trace with the "
         "same one have #2, #3 .. behind it."),
    FACT("grid_x", INT, "CTAs", "Width of the grid."),
    FACT("grid_y", INT, "CTAs", "Height of the grid."),
    FACT("grid_z", INT, "CTAs", "Depth of the grid."),
    FACT("block_x", INT, "threads", "Width of a CTA."),
    FACT("block_y", INT, "threads", "Height of a CTA."),
    FACT("block_z", INT, "threads", "Depth of a CTA."),
    FACT("registers_per_thread", INT, "registers", "Registers of a thread; 0 where the trace does not say."),
    FACT("shared_B", INT, "B", "Shared memory of a CTA, static and dynamic."),
};

static const ws_column point[] = {
    KEY("id", INT,
        "Hash of all that decides the result: what is measured, of which launch, with which parameters."),
    KEY("kernel", INT, "The launch: kernel.id."),
    FACT("analysis", TEXT, "", "What was measured."),
    FACT("version", INT, "", "Version of the analysis."),
    KEY("config", INT, "Its parameters: id of the table ANALYSIS_config."),
    FACT("status", TEXT, "", "done or failed."),
    FACT("reason", TEXT, "", "Why the point failed; NULL where it did not."),
    {"truncated", WS_TYPE_INT, "", WS_ADDS_MAX,
     "1 where limits (limit.ctas, limit.warp_instructions) cut the replay."},
    FACT("damaged", INT, "",
         "1 where it failed because the file of its trace was damaged: the same sweep computes it again."),
};

static const ws_column point_run[] = {
    KEY("point", INT, "A point: point.id."),
    FACT("run", INT, "", "The run that computed it: run.id."),
};

static const ws_column metric[] = {
    KEY("table_name", TEXT, "The table. Views have its columns, too."),
    KEY("column_name", TEXT, "The column."),
    FACT("kind", TEXT, "",
         "parameter, key (tells a point's rows apart), metric (a result), ratio (of results; views alone "
         "have it), counter (of a launch) or fact (of runs, traces and launches)."),
    FACT("unit", TEXT, "", "Unit of the column; empty where it has none."),
    FACT("adds", TEXT, "",
         "What several rows have together: sum, max, same (the value if all agree), not (nothing); key: it "
         "tells them apart."),
    FACT("expression", TEXT, "", "SQL of a ratio; NULL for others."),
    FACT("help", TEXT, "", "What the column means."),
    FACT("source", TEXT, "", "Where the definition comes from."),
};

static const ws_column sweep[] = {
    KEY("id", INT, "Hash of the name."),
    FACT("name", TEXT, "", "Name of the sweep, with which the names of its views begin."),
    FACT("analysis", TEXT, "", "What it measures."),
    FACT("axes", TEXT, "", "Parameters that vary, a JSON array."),
    FACT("baseline", TEXT, "",
         "Values by axis of the points that others are compared with, a JSON object; NULL where none are."),
    FACT("compared_at", TEXT, "", "Axes in which a point and its baseline agree, a JSON array."),
};

static const ws_column sweep_point[] = {
    KEY("sweep", INT, "A sweep: sweep.id."),
    KEY("point", INT, "A point that it asks for: point.id, once it is computed."),
    FACT("gpu", TEXT, "",
         "The GPU that the point's parameters started from; NULL where the sweep names none."),
};

static const ws_column sweep_view[] = {
    KEY("name", TEXT, "Name of a view."),
    FACT("sweep", INT, "", "The sweep that it is of: sweep.id."),
};

#define TABLE(name, summary)                                                                                 \
    { #name, summary, name, WS_COUNT(name), NULL, 0 }
const ws_table ws_store_own_tables[] = {
    TABLE(run, "a row per sweep command"),
    TABLE(trace, "traces that were replayed"),
    TABLE(kernel, "launches of the traces, with their counters"),
    TABLE(point, "design points: what is measured, of which launch, with which parameters"),
    TABLE(point_run, "which run computed a point"),
    TABLE(metric, "every column's unit and meaning"),
    TABLE(sweep, "sweeps"),
    TABLE(sweep_point, "which points a sweep asks for"),
    TABLE(sweep_view, "views of the sweeps"),
};
const size_t ws_store_own_table_count = WS_COUNT(ws_store_own_tables);

bool ws_store_is_own_table(const char *name) {
    for (size_t i = 0; i < ws_store_own_table_count; i++)
        if (strcasecmp(ws_store_own_tables[i].name, name) == 0) return true;
    return false;
}

static bool describe(ws_store *store, const char *table, const ws_column *c, ws_error *err) {
    const char *kind = c->adds == WS_ADDS_KEY ? "key" : c->adds == WS_ADDS_NOT ? "fact" : "metric";
    return ws_store_metric(store,
                           &(ws_metric_row){table, c->name, kind, c->unit, ws_store_adds_name(c->adds), NULL,
                                            c->help, "our own"},
                           err);
}

bool ws_store_describe_own(ws_store *store, ws_error *err) {
    for (const ws_table *t = ws_store_own_tables; t < ws_store_own_tables + ws_store_own_table_count; t++)
        for (size_t i = 0; i < t->column_count; i++)
            if (!describe(store, t->name, &t->columns[i], err)) return false;
    return true;
}
