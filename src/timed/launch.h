/* Launches that the timed engine runs, and the programs that they belong to. */
#ifndef WS_TIMED_LAUNCH_H
#define WS_TIMED_LAUNCH_H

#include "replay/dispatch.h"
#include "replay/occupancy.h"
#include "timed/slots.h"
#include "timed/stream.h"

/* Several run at the same time when they are of different streams, or of different programs. */
typedef struct ws_launch {
    const ws_kernel *kernel;
    uint32_t ctas;             /* as far as limits let them run */
    uint64_t launched, begins; /* cycles: from which its time counts; in which its first CTA may start */
    ws_occupancy occupancy;
    ws_residency needs[WS_RESOURCES]; /* of a CTA; what an SM has */
    uint32_t warps_on_sm;             /* at once, as far as its limits go */
    uint64_t threads;
    ws_timed_stream *stream;
    const ws_branch *branches; /* by static instruction; NULL where the core slot does not ask for them */
    ws_dispatcher *dispatcher;
    bool holds; /* CTA `cta` is next, and SM `sm` cannot start it yet */
    uint32_t sm, cta;
    uint64_t started, done, ended; /* CTAs that have started, that have ended; cycle of the last end */
    ws_timed_share counters;       /* where several run at the same time */
} ws_launch;

/* A program of joined traces: its launches run one after another, beside those of the other program (programs.c). */
typedef struct ws_program_launch {
    uint32_t ctas;
    ws_timed_share share; /* of all its executions, the unfinished one at the end included */
    uint64_t cycles;      /* the last time, */
    uint64_t run_cycles;  /* in its finished runs */
    ws_timed_share alone; /* in as many runs, alone on the GPU */
} ws_program_launch;

typedef struct ws_program {
    uint32_t first, count;     /* its launches */
    uint32_t at;               /* of them: the one that runs */
    bool between, rests;       /* that one has ended, and the next has not begun; none will */
    uint64_t runs;             /* that are finished */
    ws_program_launch *launch; /* per launch */
} ws_program;

/* Launches (launches.c). From launch `first` on so many run at the same time; one at least. */
uint32_t ws_launches_from(const ws_engine *engine, uint32_t first);
/* `index` counts from 1. What it has made ws_launches_free() frees, also when it fails. */
bool ws_launch_init(ws_engine *engine, ws_launch *launch, uint32_t index, const ws_config *config,
                    ws_timed_stream_options options, ws_error *err);
void ws_launches_free(ws_engine *engine);
/* Another launch of the trace takes its place, with so many CTAs. */
bool ws_launch_turn(ws_engine *engine, ws_launch *launch, uint32_t index, uint32_t ctas, ws_error *err);
/* The cycle in which the first CTA of a launch that is due now may start: core.launch_cycles behind the next one. */
uint64_t ws_launch_start(const struct ws_engine *engine);
/* The launch begins. */
void ws_launch_begin(ws_engine *engine, ws_launch *launch);
/* Shared memory of the CTAs that an SM holds, of all launches that may use it. */
int64_t ws_launches_shared_B(const ws_engine *engine, uint32_t sm);
/* Whether a launch may use the SM. */
bool ws_launch_may_use(const ws_engine *engine, const ws_launch *launch, uint32_t sm);
/* Whether launch `index` finds an SM that can hold a CTA of it, running in that place. */
bool ws_launch_fits(const ws_engine *engine, uint32_t place, uint32_t index, ws_error *err);
/* Their turn: starts CTAs. */
bool ws_launches_dispatch(ws_engine *engine);
void ws_launch_cta_ended(ws_engine *engine, ws_sm *sm, ws_launch *launch);

/* Programs of joined traces (programs.c): whether each of their launches fits. What init has made free frees, also when
 * init fails. */
bool ws_programs_fit(ws_engine *engine, ws_error *err);
bool ws_programs_init(ws_engine *engine, const ws_config *config, ws_error *err);
void ws_programs_free(ws_engine *engine);
/* The first launch of each begins. */
void ws_programs_begin(ws_engine *engine);
/* Before CTAs are sent: launches that have ended give way to the next ones. `finished` once each program has run. */
bool ws_programs_go_on(ws_engine *engine);

/* Bytes that the host has copied to the device lie in the L2, as far as they fit (copies.c). */
void ws_place_copy(ws_engine *engine, const ws_memcpy *copy);

#endif
