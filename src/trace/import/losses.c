#include "trace/import/losses.h"

#include <stdarg.h>
#include <stdio.h>

void ws_losses_opcode(ws_losses *losses, const char *opcode, size_t length) {
    if (!*losses->opcode) snprintf(losses->opcode, sizeof losses->opcode, "%.*s", (int)length, opcode);
}

static void notice(const ws_import_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void notice(const ws_import_options *options, const char *format, ...) {
    char text[WS_NOTICE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    options->notice(options->notice_context, text);
}

void ws_losses_tell(const ws_losses *losses, const char *path, const ws_import_options *options) {
    if (!options->notice) return;
    if (losses->values)
        notice(options,
               "%s: of %llu lines the values (STORE_DATA) are not kept: that tracer rounds floating-point "
               "numbers, and gives a part of wide stores",
               path, (unsigned long long)losses->values);
    if (losses->registers)
        notice(options,
               "%s: of %llu lines the values (Val) are not kept: they are 32 bits of each operand, whatever "
               "its size",
               path, (unsigned long long)losses->registers);
    if (losses->bulk)
        notice(options,
               "%s: of %llu bulk copies (UTMALDG, UBLKCP ..) the addresses are not kept: what they move "
               "between global and shared memory is missing from all counts of accesses",
               path, (unsigned long long)losses->bulk);
    if (losses->clusters)
        notice(options,
               "%s: CTAs run in clusters of several; that these run at the same time, and reach each other's "
               "shared memory, is not kept",
               path);
    if (losses->mbarriers)
        notice(
            options,
            "%s: warps wait at mbarriers (SYNCS.PHASECHK ..); what for is not kept, so that the timed replay "
            "lets them go on at once",
            path);
    if (losses->mixed)
        notice(options,
               "%s: of %llu generic accesses (LD, ST ..) only the space of the first lane is kept: that of "
               "others is another one",
               path, (unsigned long long)losses->mixed);
    if (losses->accesses)
        notice(options,
               "%s: of %llu lines the addresses are not kept: their opcode is not known (first: %s), so "
               "neither is what they do to which memory",
               path, (unsigned long long)losses->accesses, losses->opcode);
    if (losses->unended)
        notice(
            options,
            "%s:%llu: the last line has no end: if the file is cut there, its last number may lack digits; "
            "if it is whole, end that line",
            path, (unsigned long long)losses->unended);
}
