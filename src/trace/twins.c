#include "trace/twins.h"

#include "trace/wst/trace.h"

static bool is_whole(const ws_trace *t, ws_error *err) {
    for (size_t block = 0; block < t->index.block_count; block++)
        if (!wst_block_is_whole(t, block, err)) return false;
    return true;
}

bool ws_trace_replaces(const ws_trace *other, const ws_trace *kept, const char *who, FILE *log) {
    ws_error why = WS_NO_ERROR;
    const bool replaces = !is_whole(kept, &why) && is_whole(other, NULL);
    if (log && replaces)
        fprintf(log, "%s%s; %s, which has its digest, is taken instead\n", who, why.text, other->path);
    else if (log)
        fprintf(log, "%s%s has the content of %s by its digest, so it is left out\n", who, other->path,
                kept->path);
    return replaces;
}
