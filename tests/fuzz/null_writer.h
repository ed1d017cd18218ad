/* Takes the place of the trace writer where only readers are under test: numbers static instructions, and looks at
 * all that it is given. The `ws_writer` is not used. */
#ifndef WS_FUZZ_NULL_WRITER_H
#define WS_FUZZ_NULL_WRITER_H

#include "warpsweep/trace.h"

void null_writer_reset(void);

#endif
