#include "sweep/plan/failures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Index of a reason; failures->count if it is new. */
static size_t find(const ws_failures *failures, const char *reason) {
    size_t i = 0;
    while (i < failures->count && strcmp(failures->reasons[i].text, reason) != 0) i++;
    return i;
}

bool ws_failures_know(const ws_failures *failures, const char *reason) {
    return find(failures, reason) < failures->count;
}

bool ws_failures_add(ws_failures *failures, const char *reason) {
    size_t at = find(failures, reason);
    if (at < failures->count) {
        failures->reasons[at].points++;
        return false;
    }
    /* A reason for whose text there is no memory counts as one of the others; the database has them all. */
    char *text = failures->count < WS_FAILURES_REASONS ? strdup(reason) : NULL;
    if (!text) {
        failures->others++;
        return false;
    }
    failures->reasons[failures->count].text = text;
    failures->reasons[failures->count++].points = 1;
    return true;
}

void ws_failures_tell(const ws_failures *failures, const char *what, uint64_t least, FILE *log) {
    for (size_t i = 0; i < failures->count; i++) {
        uint64_t points = failures->reasons[i].points;
        if (points >= least)
            fprintf(log, "%s: %" PRIu64 " point%s: %s\n", what, points, points == 1 ? "" : "s",
                    failures->reasons[i].text);
    }
    if (failures->others)
        fprintf(log, "%s: %" PRIu64 " point%s for further reasons (of stored points: results/failures.sql)\n",
                what, failures->others, failures->others == 1 ? "" : "s");
}

void ws_failures_free(ws_failures *failures) {
    for (size_t i = 0; i < failures->count; i++) free(failures->reasons[i].text);
    *failures = (ws_failures){0};
}
