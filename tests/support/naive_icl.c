#include "naive.h"

/* Looks back from request `i` for the last load miss of its cluster to its line, or, with `words`, to one of its words.
 * *requests_back receives how many of the cluster's requests ago that was. */
static const record *last_before(const stream *s, const bool *missed, const bool *further,
                                 uint32_t sms_per_cluster, size_t i, bool words, uint64_t *requests_back) {
    const record *r = &s->records[i];
    *requests_back = 1;
    for (size_t k = i; k-- > 0;) {
        const record *before = &s->records[k];
        if (!missed[k] || before->op != WS_MEMORY_LOAD) continue;
        if (before->sm / sms_per_cluster != r->sm / sms_per_cluster) continue;
        if (before->line == r->line && (!words || before->words & r->words)) return before;
        *requests_back += !(further && further[k]);
    }
    return NULL;
}

naive_redundant naive_icl(const stream *s, const bool *missed, const bool *further, uint32_t sms_per_cluster,
                          bool time, uint64_t window) {
    naive_redundant n = {0};
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        if (!missed[i] || r->op != WS_MEMORY_LOAD || (further && further[i])) continue;
        n.requests++;
        uint64_t line_back, data_back;
        const record *line = last_before(s, missed, further, sms_per_cluster, i, false, &line_back);
        const record *data = last_before(s, missed, further, sms_per_cluster, i, true, &data_back);
        if (!line || (time ? r->step - line->step : line_back) > window) continue;
        bool other = line->sm != r->sm;
        if (data && (time ? r->step - data->step : data_back) <= window)
            ++*(other ? &n.data_other_sm : &n.data_same_sm);
        else
            ++*(other ? &n.line_other_sm : &n.line_same_sm);
    }
    return n;
}
