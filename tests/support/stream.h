/* Streams of requests and instructions kept in memory: recorded from a replay, made up, or made by a naive twin. They
 * can be played to an analysis. */
#ifndef WS_TESTS_STREAM_H
#define WS_TESTS_STREAM_H

#include "warpsweep/analysis.h"

typedef struct record {
    uint64_t line; /* the number of the line, or its address divided by the line size */
    uint64_t words, step;
    uint32_t warp, cta, inst;
    uint16_t sm, bytes, nth, of;
    uint8_t slot, op, sectors, lanes;
    bool local;
    const uint64_t *lane_address; /* NULL: unknown */
} record;

typedef struct inst_record {
    uint64_t mask;
    uint32_t inst, warp, cta;
    uint16_t sm, uniform;
    uint8_t slot;
    bool issued;
    const uint64_t *address, *values; /* NULL: unknown */
} inst_record;

typedef struct stream {
    record *records;
    size_t count, room;
    inst_record *insts;
    size_t inst_count, inst_room;
    const ws_trace *trace; /* the trace whose instructions these are */
    uint32_t kernel;       /* of stream_replayed(): the launch, and what its replay counted */
    ws_order_counters counters;
    uint64_t *line_address; /* per line number, up to the largest; NULL where records have none */
    size_t line_count;
    uint64_t **kept; /* lane addresses, values */
    size_t kept_count;
} stream;

void stream_free(stream *s);
void stream_add(stream *s, record r);
void stream_add_inst(stream *s, inst_record r);
/* Returns a copy of lane addresses or values for records of `s`, which owns the copy. */
const uint64_t *stream_keep(stream *s, const uint64_t *numbers, size_t count);

/* Taps that append to `s`: requests alone, or instructions as well. */
ws_tap stream_tap(stream *s);
ws_tap stream_tap_all(stream *s, const ws_trace *trace);

/* Replays a launch (from 1) in fidelity `order` and records its requests and instructions, with what the analysis wants
 * of them; fails the test if the replay is refused. `config` is that of a point (config_for()). */
stream stream_replayed(const ws_trace *trace, uint32_t kernel, const ws_config *config,
                       const ws_analysis *analysis);
/* The rows of one point of the analysis on such a stream, as stream_analyse() returns them. */
char *stream_rows(const stream *replayed, const ws_analysis *analysis, const ws_config *config,
                  uint64_t *random);

/* ws_stream_info_of(); fails the test if there is an error. */
ws_stream_info stream_info(const ws_trace *trace, uint32_t kernel, const ws_config *config);

/* Plays the stream in batches of at most `batch_max` requests or instructions; the sizes are random where `random` is
 * not NULL. All instructions come before all requests. */
void stream_play(const stream *s, size_t batch_max, uint64_t *random, const ws_tap *tap);

/* Plays the stream to an analysis and returns its rows as text, one per line, which the caller frees; NULL if the
 * analysis refuses the trace. Fails the test if the rows do not fit the analysis's tables. */
char *stream_analyse(const stream *s, const ws_analysis *analysis, const void *const *params, size_t points,
                     const ws_stream_info *info, size_t batch_max, uint64_t *random);

/* Rows as text: "point table cell cell ..\n", with _ for blanks within a cell. The caller frees it. */
char *rows_text(const ws_rows *rows);

/* A configuration with the components of an analysis (NULL: the replay's alone), all defaults. */
ws_config *config_for(const ws_analysis *analysis);

/* Sets a parameter from JSON, in which texts need quotes; fails the test if it is refused. */
void config_set(ws_config *config, const char *name, const char *json);
void config_set_number(ws_config *config, const char *name, int64_t value);

/* A random stream as SMs would send it: each warp slot runs one warp after another, CTAs take over slots together.
 * `lines` different lines of 32 words; loads, stores and atomics; steps that sometimes jump. */
typedef struct stream_shape {
    uint32_t sms, warps_per_cta, ctas_per_sm, lines, requests;
} stream_shape;
stream stream_random(uint64_t seed, const stream_shape *shape);
/* A random shape: 1 to 4 SMs, warps per CTA and CTAs per SM, 1 to `lines` lines (often at most 20), fewer than
 * `requests` requests. */
stream_shape stream_random_shape(uint64_t *random, uint32_t lines, uint32_t requests);

#endif
