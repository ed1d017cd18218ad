/* The life of a worker process. */
#ifndef WS_SWEEP_RUN_WORKER_H
#define WS_SWEEP_RUN_WORKER_H

#include "sweep/run/pool.h"

#include <sys/types.h>

/* The exit status of a worker that has no memory to begin with. */
enum { WS_WORKER_LACKS_MEMORY = 3 };
/* In the child: reads items from `fd`, answers with frames, never returns. */
_Noreturn void ws_worker_main(int fd, pid_t parent, const ws_pool_options *options);

#endif
