/* Launches that the timed engine runs (launches.c), and the programs that they belong to (programs.c). */
#ifndef WS_TIMED_LAUNCH_LAUNCH_H
#define WS_TIMED_LAUNCH_LAUNCH_H

#include "replay/dispatch.h"
#include "replay/occupancy.h"
#include "timed/launch/stream.h"
#include "timed/slots.h"

/* A launch that runs, and where its CTAs stand. Several run at the same time if they are of different streams, or of
 * different programs. */
enum { WS_SIDES = 2 };

typedef struct ws_launch {
    const ws_kernel *kernel;
    uint32_t place; /* in ws_engine.launches, where it runs; that of its program, in ws_engine.programs */
    uint32_t side;  /* which SMs it may use, where there are two sides (launches.c) */
    bool is_free;   /* none of several streams runs in this place */
    uint32_t ctas;  /* number of CTAs, less those that limits cut off */
    /* cycles: that from which its time counts; the first in which a CTA may start */
    uint64_t launched, begins;
    ws_occupancy occupancy;
    ws_residency needs[WS_RESOURCES]; /* of a CTA, and what an SM has */
    /* how many of its warps an SM holds at once, as far as the launch alone limits it */
    uint32_t warps_on_sm;
    uint64_t threads;
    ws_timed_stream *stream;
    const ws_branch *branches; /* indexed by static instruction; NULL if the core slot does not ask */
    ws_dispatcher *dispatcher;
    bool holds; /* CTA `cta` is next, but SM `sm` cannot start it yet */
    uint32_t sm, cta;
    /* number of CTAs that have started; that have ended; cycle of the last end */
    uint64_t started, done, ended;
    ws_timed_share counters; /* kept only if several run at the same time */
} ws_launch;

/* A launch of a run of several CUDA streams. */
typedef struct ws_stream_launch {
    uint32_t ctas;
    uint32_t stream;      /* number of its stream, in the order in which they occur first */
    uint64_t begin;       /* cycle of the run from which its time counts */
    ws_timed_share share; /* what it did, once it has ended */
} ws_stream_launch;

/* The launches of a run of several streams (streams.c). Those that have not ended are ..
 *
 * - running, in places of ws_engine.launches;
 * - waiting for others of their streams to end: `waiting`, in order;
 * - beyond those that are looked at: `next` and those after it, before `end`. */
typedef struct ws_streams {
    uint32_t first, next, end;
    const ws_config *config; /* for ws_launch_init(): a place is prepared when a launch first takes it */
    ws_timed_stream_options options;
    uint32_t waiting[WS_LAUNCHES_MAX], waiting_count;
    ws_stream_launch *launch; /* [end - first]; NULL: the run is not of several streams */
    uint32_t warps_per_cta;   /* most warps of a CTA */
    /* per side: bytes of shared memory that CTAs take on an SM, if of each stream it is the launch with most */
    int64_t shared_B[WS_SIDES];
} ws_streams;

/* A launch of a program, over all its executions. */
typedef struct ws_program_launch {
    uint32_t ctas;
    /* of all its executions, including the unfinished one at the end */
    ws_timed_share share;
    uint64_t cycles;      /* of its last execution */
    uint64_t run_cycles;  /* of all its executions in finished runs */
    ws_timed_share alone; /* of as many executions alone on the GPU */
} ws_program_launch;

/* A program of joined traces: its launches run one after another, beside those of the other program (programs.c). */
typedef struct ws_program {
    uint32_t first, count; /* its launches: number of the first, and how many */
    uint32_t at;           /* index among them of the one that runs */
    /* between: that one is still to begin, as the one before has ended; rests: none will begin any more */
    bool between, rests;
    uint64_t runs; /* number of finished runs */
    /* until its first run has finished: what its launch had issued and ended when that last changed, and the cycle */
    uint64_t done, progress;
    ws_program_launch *launch; /* [count] */
} ws_program;

/* Launches (launches.c).
 *
 * Which run together: all of several programs and, with core.concurrent_launches, of several streams, but for those at
 * the end of the trace that are all of one stream. _alone_from: returns the first launch from which on each is a run of
 * its own. _from: returns the number of launches, at least one, of the run that begins with launch `first`. */
uint32_t ws_launches_alone_from(const ws_engine *engine);
uint32_t ws_launches_from(const ws_engine *engine, uint32_t first);
/* Returns how many of its `count` launches run at the same time, at most. */
uint32_t ws_places_for(const ws_engine *engine, uint32_t count);
/* Returns launch `index`, with `ctas` CTAs, without its stream and its dispatcher. */
ws_launch ws_launch_describe(const ws_engine *engine, uint32_t place, uint32_t index, uint32_t ctas);
/* Prepares launch `index`, which counts from 1. ws_launches_free() frees what this has created, even if it failed. */
bool ws_launch_init(ws_engine *engine, ws_launch *launch, uint32_t index, const ws_config *config,
                    ws_timed_stream_options options, ws_error *err);
void ws_launches_free(ws_engine *engine);
/* Replaces the launch by launch `index` of its trace, with `ctas` CTAs. */
bool ws_launch_turn(ws_engine *engine, ws_launch *launch, uint32_t index, uint32_t ctas, ws_error *err);
/* Begins the launch, whose time counts from the next cycle on: sets its cycles. */
void ws_launch_begin(ws_engine *engine, ws_launch *launch);
/* Returns the first cycle in which a CTA of the launches that have begun may start. */
uint64_t ws_launches_start(const ws_engine *engine);
/* Returns whether the launch has ended: one without CTAs has as soon as it has begun. */
bool ws_launch_has_ended(const ws_engine *engine, const ws_launch *launch);
/* Returns the most CTAs of the launch that an SM holds at once without the dispatch slot's owner: as many as fit or, if
 * the grid has fewer, an SM's share of it, rounded up (GPGPU-Sim: max_cta), where shares are equal. */
uint32_t ws_launch_ctas_on_sm(const ws_engine *engine, const ws_launch *launch);
/* Returns whether each of several programs has SMs of its own. */
bool ws_programs_are_apart(const ws_engine *engine);
/* Returns the shared memory, in bytes, of the CTAs that the SM holds, of all launches that may use it: of streams, and
 * of programs that share SMs, the most that any launch of each takes. */
int64_t ws_launches_shared_B(const ws_engine *engine, uint32_t sm);
/* Returns whether a launch may use the SM. */
bool ws_launch_may_use(const ws_engine *engine, const ws_launch *launch, uint32_t sm);
/* Returns whether some SM can hold a CTA of launch `index`, if it runs in place `place` of ws_engine.launches. */
bool ws_launch_fits(const ws_engine *engine, uint32_t place, uint32_t index, ws_error *err);
/* The turn of CTA dispatch: starts CTAs. False with engine->err on failure. */
bool ws_launches_dispatch(ws_engine *engine);
void ws_launch_cta_ended(ws_engine *engine, ws_sm *sm, ws_launch *launch);

/* Runs of launches of several streams (streams.c).
 *
 * Prepares a run of the `count` launches from launch `first` on; `config` must outlive it. _free frees what this has
 * created, even if it failed. */
bool ws_streams_init(ws_engine *engine, uint32_t first, uint32_t count, const ws_config *config,
                     ws_timed_stream_options options, ws_error *err);
void ws_streams_free(ws_engine *engine);
/* _begin: begins the first launches. _go_on: to be called before CTAs are sent; begins the launches that may, in the
 * place of others that have ended, and sets engine->finished once all have. False with engine->err on failure. */
bool ws_streams_begin(ws_engine *engine);
bool ws_streams_go_on(ws_engine *engine);
/* To be called before a CTA comes to the SM. If its cluster had none in the cycle before, its L1s start empty
 * (GPGPU-Sim: gpgpu_flush_l1_cache), and what the cluster slot's owner holds is renewed. */
void ws_streams_enter(ws_engine *engine, const ws_sm *sm);

/* Programs of joined traces (programs.c). _fit returns whether each of their launches fits. _free frees what _init has
 * created, even if that failed. */
bool ws_programs_fit(ws_engine *engine, ws_error *err);
bool ws_programs_init(ws_engine *engine, const ws_config *config, ws_error *err);
void ws_programs_free(ws_engine *engine);
/* Begins the first launch of each program. */
void ws_programs_begin(ws_engine *engine);
/* To be called before CTAs are sent: replaces launches that have ended by the next ones of their programs. Sets
 * engine->finished once each program has run. */
bool ws_programs_go_on(ws_engine *engine);

#endif
