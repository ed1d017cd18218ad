/* A request stream kept in memory: recorded from a replay, made up, told by a naive twin; played to an analysis. */
#ifndef WS_TESTS_STREAM_H
#define WS_TESTS_STREAM_H

#include "warpsweep/analysis.h"

typedef struct record {
    uint64_t line; /* the number of the line, or its address divided by the line size */
    uint64_t words, step;
    uint32_t warp, cta, inst;
    uint16_t sm, bytes;
    uint8_t slot, op, sectors, nth, of, lanes;
    const uint64_t *lane_address; /* NULL: unknown */
} record;

typedef struct stream {
    record *records;
    size_t count, room;
    uint64_t *line_address; /* per line number, up to the largest; NULL where records have none */
    size_t line_count;
    uint64_t **kept; /* lane addresses */
    size_t kept_count;
} stream;

void stream_free(stream *s);
void stream_add(stream *s, record r);
/* A copy of lane addresses for records of `s`, which owns it. */
const uint64_t *stream_keep(stream *s, const uint64_t *addresses, size_t count);

/* A tap that appends to `s`. */
ws_tap stream_tap(stream *s);

/* Plays the stream in batches of at most `batch_max` requests; the sizes are random where `random` is not NULL. */
void stream_play(const stream *s, size_t batch_max, uint64_t *random, const ws_tap *tap);

/* What an analysis makes of a stream: the rows, as text, one per line. Free it. */
char *stream_analyse(const stream *s, const ws_analysis *analysis, const void *const *params, size_t points,
                     const ws_stream_info *info, size_t batch_max, uint64_t *random);

/* Rows as text: "point table cell cell ..\n". Free it. */
char *rows_text(const ws_rows *rows);

/* A configuration with the components of an analysis (NULL: the replay's alone), all defaults. */
ws_config *config_for(const ws_analysis *analysis);

/* Sets a parameter from JSON text, and fails the test when it is refused. Texts need their quotes. */
void config_set(ws_config *config, const char *name, const char *json);

/* A random stream as SMs would send it: each warp slot runs one warp after another, CTAs take over slots together.
 * `lines` different lines of 32 words; loads, stores and atomics; steps that sometimes jump. */
typedef struct stream_shape {
    uint32_t sms, warps_per_cta, ctas_per_sm, lines, requests;
} stream_shape;
stream stream_random(uint64_t seed, const stream_shape *shape);

#endif
