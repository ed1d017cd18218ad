/* The parameters of the network between SMs and L2 slices (noc.*): GPGPU-Sim's own crossbar (network_mode 2) or
 * Booksim's router (1). */
#include "gpgpusim/draft.h"

#include <math.h>
#include <stdio.h>

#define MODE "network_mode"

static void put_crossbar(ws_gs_draft *d) {
    static const char moves[] = "the built-in crossbar moves one packet per port and cycle";
    ws_gs_put_whole(d, "noc.flit_B", 0, MODE, moves);
    ws_gs_put_whole(d, "noc.latency", 0, MODE, NULL);
    ws_gs_copy(d, "noc.in_buffer", "icnt_in_buffer_limit");
    ws_gs_copy(d, "noc.out_buffer", "icnt_out_buffer_limit");
    ws_gs_put_whole(d, "noc.injection_queue", 0, MODE, NULL);
    ws_gs_put_whole(d, "noc.credit_latency", 0, MODE, NULL);
    ws_gs_put_whole(d, "noc.boundary_buffer", 0, MODE, "packets are taken from icnt_out_buffer");
    ws_gs_put_whole(d, "noc.crossbar_speedup", 1, MODE, moves);
    ws_gs_put_bool(
        d, "noc.input_speedup", true, MODE,
        "outputs are served one after the other, and each takes the first packet that an input has left");
}

static void put_booksim(ws_gs_draft *d) {
    static const char injection[] = "icnt_file:input_buffer_size", buffer[] = "icnt_file:vc_buf_size",
                      speedup[] = "icnt_file:internal_speedup";
    int64_t virtual_channel = ws_gs_whole(d, buffer), injected = ws_gs_whole(d, injection);
    ws_gs_copy(d, "noc.flit_B", "icnt_flit_size");
    ws_gs_put_whole(d, "noc.latency", 5, NULL,
                    "measured: cycles through the one router of Booksim's fly network");
    ws_gs_put_whole(d, "noc.in_buffer", virtual_channel + injected, buffer, "and the injection queue");
    ws_gs_put_whole(d, "noc.out_buffer", virtual_channel, buffer, NULL);
    ws_gs_put_whole(d, "noc.injection_queue", injected, injection, NULL);
    ws_gs_put_whole(
        d, "noc.credit_latency", 4, NULL,
        "Booksim: a flit leaves the router's buffer 2 cycles after it has entered the channel to it, and "
        "its credit takes 2 cycles back");
    ws_gs_copy(d, "noc.boundary_buffer", "icnt_file:boundary_buffer_size");
    ws_gs_put_whole(d, "noc.crossbar_speedup", lrint(ws_gs_part_real(d, speedup, ',', 0)), speedup, NULL);
    ws_gs_put_bool(d, "noc.input_speedup", false, MODE, "the router takes one flit a cycle from an input");
}

void ws_gs_draft_network(ws_gs_draft *d) {
    int64_t mode = ws_gs_whole(d, MODE);
    if (mode == 2)
        put_crossbar(d);
    else if (mode == 1)
        put_booksim(d);
    else
        ws_gs_fail(d, MODE, "1 (Booksim) or 2 (the built-in crossbar)");
    ws_gs_put_text(d, "noc.replies", "sectors", NULL,
                   "a memory partition cuts requests into sectors, and answers each");
}
