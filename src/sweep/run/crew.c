#include "sweep/run/crew.h"

#include "sweep/run/pass.h"

static void *start(void *context) {
    const ws_crew *crew = context;
    if (crew->store) ws_store_forget(crew->store);
    return ws_runner_new(crew->plan);
}

static bool run(void *runner, const ws_item *item, ws_rows *rows, bool *common, ws_error *err) {
    return ws_runner_pass(runner, item->pass, item->first, item->count, rows, common, err);
}

ws_pool *ws_crew_new(ws_crew *crew, uint32_t workers, double time_limit_s, uint64_t memory_limit_B,
                     ws_error *err) {
    const ws_pool_options options = {
        .workers = workers,
        .time_limit_s = time_limit_s,
        .memory_limit_B = memory_limit_B,
        .start = start,
        .run = run,
        .context = crew,
    };
    return ws_pool_new(&options, err);
}
