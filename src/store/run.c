/* The table `run`: who computed what, with which program, where and when. */
#include "store/store.h"

#include "base/given.h"
#include "base/utf8.h"
#include "warpsweep/version.h"

#include <gsl/gsl_version.h>
#include <jansson.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER __VERSION__ /* names the compiler, too */
#else
#define COMPILER "gcc " __VERSION__
#endif

/* Writes the time as "2024-10-05T12:00:00Z". */
static void now(char *out, size_t size) {
    time_t t = time(NULL);
    struct tm utc;
    gmtime_r(&t, &utc);
    strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* JSON; NULL when out of memory. */
static char *libraries(void) {
    json_t *object = json_pack("{s:s, s:s, s:s}", "sqlite", sqlite3_libversion(), "gsl", gsl_version,
                               "jansson", jansson_version_str());
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

/* The text, or a substitute if it is not UTF-8: the database takes no other texts. */
static const char *legible(const char *text) {
    return ws_is_utf8(text) ? text : "(not UTF-8)";
}

/* JSON; NULL when out of memory. */
static char *argument_list(const char *const *argv) {
    json_t *array = json_array();
    bool whole = true;
    for (; whole && argv && *argv; argv++)
        whole = json_array_append_new(array, json_string(legible(*argv))) == 0;
    char *text = whole ? json_dumps(array, JSON_COMPACT) : NULL;
    json_decref(array);
    return text;
}

bool ws_store_begin_run(ws_store *store, const ws_run_row *run, ws_error *err) {
    if (!WS_GIVEN(run->sweep, "a name", err) || !WS_GIVEN(run->spec_path, "a path", err) ||
        !WS_GIVEN(run->spec, "a specification", err))
        return false;
    char started[32], host[256] = "";
    now(started, sizeof started);
    gethostname(host, sizeof host - 1);
    char *argv = argument_list(run->argv), *versions = libraries();
    bool ok = (argv && versions) || ws_no_memory(err);
    if (ok)
        ok = ws_store_run(
            store,
            sqlite3_mprintf("INSERT INTO run (sweep, argv, spec_path, spec, jobs, version, revision, "
                            "compiler, libraries, host, pid, started) "
                            "VALUES (%Q, %Q, %Q, %Q, %u, %Q, %Q, %Q, %Q, %Q, %d, %Q)",
                            run->sweep, argv, legible(run->spec_path), run->spec, run->jobs, ws_version(),
                            ws_revision(), COMPILER, versions, host, (int)getpid(), started),
            "recording the run", err);
    free(argv);
    free(versions);
    if (ok) store->run = sqlite3_last_insert_rowid(store->db);
    return ok;
}

bool ws_store_end_run(ws_store *store, const char *outcome, uint64_t done, uint64_t failed, ws_error *err) {
    if (!WS_GIVEN(outcome, "an outcome", err) || !ws_store_has_run(store, err)) return false;
    char ended[32];
    now(ended, sizeof ended);
    char *sql = sqlite3_mprintf(
        "UPDATE run SET ended = %Q, outcome = %Q, points_done = %llu, points_failed = %llu "
        "WHERE id = %lld",
        ended, outcome, (unsigned long long)done, (unsigned long long)failed, (long long)store->run);
    return ws_store_run(store, sql, "recording the end of the run", err);
}
