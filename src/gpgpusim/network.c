/* The parameters of the network between SMs and L2 slices (noc.*): GPGPU-Sim's own crossbar (network_mode 2) or
 * Booksim's router (1). */
#include "gpgpusim/draft.h"

#include "base/array.h"

#include <math.h>
#include <stdio.h>

#define MODE          "network_mode"
#define BOOKSIM(name) "icnt_file:" name

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

/* ---- Booksim's router */

/* Notes what of the network is other than in GPGPU-Sim's own configurations, whose router is modelled. */
static void tell_network(ws_gs_draft *d) {
    static const char one_router[] = "the network is one router, as topology fly with n 1 has it",
                      latency[] = "a router takes the cycles of noc.latency",
                      allocation[] = "outputs take turns among inputs, as iSLIP does in one round",
                      queue[] = "a packet's flits wait in one queue of vc_buf_size flits";
    static const ws_gs_fixed fixed[] = {
        {BOOKSIM("alloc_iters"), "1", allocation},
        {BOOKSIM("buf_size"), "-1", queue},
        {BOOKSIM("buffer_policy"), "private", queue},
        {BOOKSIM("classes"), "1", "all packets are of one class"},
        {BOOKSIM("credit_delay"), "0", "credits take the cycles of noc.credit_latency"},
        {BOOKSIM("hold_switch_for_packet"), "0", "each flit is arbitrated"},
        {BOOKSIM("input_speedup"), "1", "the router takes one flit a step from an input"},
        {BOOKSIM("n"), "1", one_router},
        {BOOKSIM("noq"), "0", queue},
        {BOOKSIM("num_vcs"), "1", queue},
        {BOOKSIM("output_buffer_size"), "-1", "outputs have room for all flits"},
        {BOOKSIM("output_delay"), "0", latency},
        {BOOKSIM("output_speedup"), "1", "the router gives one flit a step to an output"},
        {BOOKSIM("priority"), "none", "no packet overtakes others"},
        {BOOKSIM("router"), "iq", "the router has queues at its inputs"},
        {BOOKSIM("routing_delay"), "0", latency},
        {BOOKSIM("routing_function"), "dest_tag", one_router},
        {BOOKSIM("speculative"), "0", latency},
        {BOOKSIM("st_final_delay"), "1", latency},
        {BOOKSIM("st_prepare_delay"), "0", latency},
        {BOOKSIM("subnets"), "2", "requests and replies have networks of their own"},
        {BOOKSIM("sw_alloc_delay"), "1", latency},
        {BOOKSIM("sw_allocator"), "islip", allocation},
        {BOOKSIM("topology"), "fly", one_router},
        {BOOKSIM("use_map"), "0", "the router's ports are those of clusters, then those of L2 slices"},
        {BOOKSIM("vc_alloc_delay"), "1", latency},
        {BOOKSIM("vc_allocator"), "islip", allocation},
        {BOOKSIM("vc_busy_when_full"), "0", queue},
        {BOOKSIM("wait_for_tail_credit"), "0", "a packet may follow the tail of another at once"},
    };
    ws_gs_tell_fixed(d, fixed, WS_COUNT(fixed));
}

/* Notes numbers that the simulator would not run with: too few ports, or buffers that credits overrun. */
static void tell_sizes(ws_gs_draft *d, int64_t virtual_channel) {
    static const char ports[] = BOOKSIM("k"), ejection[] = BOOKSIM("ejection_buffer_size");
    int64_t needed = ws_gs_whole(d, "gpgpu_n_clusters") +
                     ws_gs_whole(d, "gpgpu_n_mem") * ws_gs_whole(d, "gpgpu_n_sub_partition_per_mchannel"),
            ejected = ws_gs_whole(d, ejection);
    if (ws_gs_whole(d, ports) < needed)
        ws_gs_tell(d, ports, "the router has a port for each cluster and L2 slice");
    if (ejected && ejected < virtual_channel)
        ws_gs_tell(d, ejection, "behind an output there is room for vc_buf_size flits");
}

static void put_speedup(ws_gs_draft *d) {
    static const char speedup[] = BOOKSIM("internal_speedup");
    double found = ws_gs_part_real(d, speedup, ',', 0);
    int64_t taken = lrint(found);
    char instead[64];
    snprintf(instead, sizeof instead, "taken as %lld, a whole number", (long long)taken);
    if ((double)taken != found) ws_gs_tell(d, speedup, instead);
    ws_gs_put_whole(d, "noc.crossbar_speedup", taken, speedup, NULL);
}

static void put_booksim(ws_gs_draft *d) {
    static const char injection[] = BOOKSIM("input_buffer_size"), buffer[] = BOOKSIM("vc_buf_size");
    int64_t virtual_channel = ws_gs_whole(d, buffer), injected = ws_gs_whole(d, injection);
    bool by_default = injected == 0;
    if (by_default) injected = 9;
    /* icnt_flit_size is for statistics here */
    ws_gs_copy(d, "noc.flit_B", BOOKSIM("flit_size"));
    ws_gs_put_whole(d, "noc.latency", 5, NULL,
                    "measured: cycles through the one router of Booksim's fly network");
    ws_gs_put_whole(d, "noc.in_buffer", virtual_channel, buffer, NULL);
    ws_gs_put_whole(d, "noc.out_buffer", virtual_channel, buffer, NULL);
    ws_gs_put_whole(d, "noc.injection_queue", injected, injection,
                    by_default ? "interconnect_interface.cpp takes 9 for it" : NULL);
    ws_gs_put_whole(
        d, "noc.credit_latency", 4, NULL,
        "Booksim: a flit leaves the router's buffer 2 cycles after it has entered the channel to it, and "
        "its credit takes 2 cycles back");
    ws_gs_copy(d, "noc.boundary_buffer", BOOKSIM("boundary_buffer_size"));
    put_speedup(d);
    ws_gs_put_bool(d, "noc.input_speedup", false, MODE, "the router takes one flit a cycle from an input");
    tell_network(d);
    tell_sizes(d, virtual_channel);
}

void ws_gs_draft_network(ws_gs_draft *d) {
    int64_t mode = ws_gs_whole(d, MODE);
    if (mode == 2)
        put_crossbar(d);
    else if (mode == 1)
        put_booksim(d);
    else
        ws_gs_fail(d, MODE, "1 (Booksim) or 2 (the built-in crossbar)");
    ws_gs_put_whole(d, "noc.ports_per_cluster", 1, NULL, "a cluster has one node of the network");
    ws_gs_put_text(d, "noc.replies", "sectors", NULL,
                   "a memory partition cuts requests into sectors, and answers each");
}
