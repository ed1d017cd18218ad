/* SMs that share ports of the network: how many, and who comes first where one is almost full. */
#include "../support/bundled.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/sides.h"
#include "base/array.h"
#include "timed/network/cluster.h"
#include "timed/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SMS_MAX = 5, CLUSTERS = 2, LOADS = 40 };

/* ---- the order of turns */

/* The places of a cluster's SMs are the cluster's own, each has another one, and in the next cycle each SM is one place
 * further ahead; the first goes to the end. */
static void places_rotate(void **state) {
    (void)state;
    for (uint32_t sms = 1; sms <= SMS_MAX; sms++) {
        uint64_t rested[CLUSTERS] = {0, 3};
        ws_engine *e = calloc(1, sizeof *e);
        assert_non_null(e);
        e->sms_per_cluster = ws_divisor_of(sms);
        e->rested = rested;
        for (uint64_t cycle = 1 + rested[1]; cycle < 4 * SMS_MAX; cycle++)
            for (uint32_t sm = 0; sm < CLUSTERS * sms; sm++) {
                uint32_t place = ws_place_of_sm(e, sm, cycle), next = ws_place_of_sm(e, sm, cycle + 1);
                uint32_t first = sm - sm % sms;
                assert_in_range(place, first, first + sms - 1);
                assert_int_equal(next, place == first ? first + sms - 1 : place - 1);
                e->now = cycle;
                assert_int_equal(ws_sm_at_place(e, place), sm);
            }
        /* the first cycle in which the order has not stood still */
        for (uint32_t c = 0; c < CLUSTERS; c++)
            assert_int_equal(ws_place_of_sm(e, c * sms, 1 + rested[c]), c * sms);
        free(e);
    }
}

/* Each side's parts are numbered one after the other in the order of their turns. */
static void parts_have_numbers_of_their_own(void **state) {
    (void)state;
    enum { CHANNELS = 2, SLICES = 4, SMS = 6 };
    static const ws_partition_slot slot = {.create = NULL};
    ws_engine *e = calloc(1, sizeof *e);
    assert_non_null(e);
    e->channel_count = CHANNELS, e->slice_count = SLICES, e->sm_count = SMS;
    for (int clusters = 0; clusters <= 3; clusters++)
        for (int owned = 0; owned < 2; owned++) {
            e->cluster_parts = (uint32_t)clusters;
            e->partition_slot = owned ? &slot : NULL;
            assert_int_equal(ws_first_slice_part(e), CHANNELS);
            assert_int_equal(ws_memory_part_count(e), CHANNELS + SLICES);
            int part = clusters;
            assert_int_equal(ws_first_sm_part(e), part);
            assert_int_equal(ws_dispatch_part(e), part += SMS);
            assert_int_equal(ws_partition_part(e), ++part);
            assert_int_equal(ws_sm_part_count(e), part + owned);
        }
    free(e);
}

/* The part that takes the turn for which an SM asks is this SM in the order of that cycle, also where that lies beyond
 * what the agenda holds, and the turn comes earlier. */
static void who_asks_has_the_turn(void **state) {
    (void)state;
    enum { SMS = 3 };
    static const uint64_t ahead[] = {0,   1, WS_AGENDA_CYCLES - 1, WS_AGENDA_CYCLES, WS_AGENDA_CYCLES + 1,
                                     5000};
    uint64_t rested[CLUSTERS] = {0, 1};
    for (size_t i = 0; i < WS_COUNT(ahead); i++)
        for (uint32_t sm = 0; sm < CLUSTERS * SMS; sm++) {
            ws_engine *e = calloc(1, sizeof *e);
            assert_non_null(e);
            e->sms_per_cluster = ws_divisor_of(SMS);
            e->rested = rested;
            e->sm_count = CLUSTERS * SMS, e->cluster_parts = CLUSTERS;
            assert_true(ws_agendas_init(e));
            sides_go_to(e, 10);
            ws_wake_sm(e, sm, e->now + ahead[i]);
            if (ahead[i]) sides_go_to(e, e->sm_agenda.next);
            assert_int_equal(e->now, 10 + (ahead[i] < WS_AGENDA_CYCLES ? ahead[i] : WS_AGENDA_CYCLES - 1));
            ws_agenda_turns turns = ws_agenda_turns_now(&e->sm_agenda);
            uint32_t part = 0;
            assert_true(ws_agenda_take(&turns, &part));
            assert_int_equal(ws_sm_at_place(e, part - ws_first_sm_part(e)), sm);
            assert_false(ws_agenda_take(&turns, &part));
            ws_agendas_free(e);
            free(e);
        }
}

/* Two replies wait for an SM, and a third one at the port: as soon as the SM takes one, its cluster gets a turn in the
 * next cycle, and delivers the third. Where none is at the port there is no such turn. */
static void room_for_replies_wakes_the_cluster(void **state) {
    (void)state;
    enum { SMS = 3, NOW = 10 };
    static const ws_noc_params noc = {.ports_per_cluster = 1};
    static const ws_core_params core = {.perfect_memory = false};
    uint64_t rested[CLUSTERS] = {0};
    for (uint32_t sm = 0; sm < CLUSTERS * SMS; sm++)
        for (uint32_t third = 0; third < 2; third++) {
            ws_engine *e = calloc(1, sizeof *e);
            assert_non_null(e);
            ws_network_output *ports = aligned_alloc(alignof(ws_network_output), CLUSTERS * sizeof *ports);
            e->sms = calloc(CLUSTERS * SMS, sizeof *e->sms);
            assert_true(ports && e->sms);
            for (int i = 0; i < CLUSTERS; i++) ws_queue_init(&ports[i].queue);
            e->noc = &noc, e->core = &core, e->replies.out = ports, e->rested = rested;
            e->sms_per_cluster = e->sms_per_port = ws_divisor_of(SMS);
            e->sm_count = CLUSTERS * SMS, e->cluster_parts = CLUSTERS;
            assert_true(ws_agendas_init(e) && ws_packets_init(&e->packets));
            sides_go_to(e, NOW);
            ws_queue *inbox = &e->sms[sm].inbox, *port = &ports[sm / SMS].queue;
            ws_queue_init(inbox);
            e->sms[sm].index = sm;
            for (uint32_t i = 0; i < 2 + third; i++) {
                uint32_t id = ws_packet_new(&e->packets);
                e->packets.at[id] = (ws_packet){.sm = (uint16_t)sm};
                assert_true(ws_queue_push(i < 2 ? inbox : port, id, 1, NOW - 1));
            }
            ws_cluster_step(e, sm / SMS);
            assert_int_equal(port->count, third);
            ws_sm_take_reply(e, &e->sms[sm]);
            assert_int_equal(e->sm_agenda.next, third ? NOW + 1 : WS_NEVER);
            if (third) {
                sides_go_to(e, NOW + 1);
                ws_agenda_turns turns = ws_agenda_turns_now(&e->sm_agenda);
                uint32_t part = 0;
                assert_true(ws_agenda_take(&turns, &part));
                assert_int_equal(part, sm / SMS);
                ws_cluster_step(e, sm / SMS);
                assert_int_equal(port->count, 0);
                assert_int_equal(inbox->count, 2);
            }
            ws_queue_free(inbox);
            ws_queue_free(port);
            ws_packets_free(&e->packets);
            ws_agendas_free(e);
            free(e->sms);
            free(ports);
            free(e);
        }
}

/* When a launch begins, the SMs of a cluster without CTAs have the order that they had when nothing was left to do for
 * it: in the latest cycle of that after all CTAs had started, that after its own had ended, and that in which the
 * launch before began. */
static void order_stands_still(void **state) {
    (void)state;
    enum { SMS = 3, LAUNCHED = 1000 };
    static const struct {
        uint64_t dispatched, began, idle_from[SMS], rests_from;
        uint32_t resident; /* CTAs of its last SM */
    } cases[] = {
        {700, 1, {10, 0, 20}, 701, 0},    {700, 1, {701, 0, 0}, 701, 0},
        {700, 1, {0, 900, 20}, 900, 0},   {5, 1, {6, 7, LAUNCHED}, LAUNCHED, 0},
        {700, 1, {0, 0, 0}, 701, 0},      {998, 1, {0, 999, 0}, 999, 0},
        {700, 800, {0, 720, 0}, 800, 0},  {700, LAUNCHED, {0, 720, 0}, LAUNCHED, 0},
        {700, 1, {0, 0, 0}, LAUNCHED, 1},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        uint64_t rested = 5;
        ws_idle idle[SMS] = {{0}};
        for (int sm = 0; sm < SMS; sm++) idle[sm].from = cases[i].idle_from[sm];
        ws_engine *e = calloc(1, sizeof *e);
        ws_sm *sms = calloc(SMS, sizeof *sms);
        assert_true(e && sms);
        sms[SMS - 1].resident = cases[i].resident;
        e->sms = sms;
        e->goes_on_from = cases[i].began;
        e->sms_per_cluster = ws_divisor_of(SMS);
        e->cluster_count = 1;
        e->rested = &rested;
        e->idle = idle;
        e->now = LAUNCHED - 1;
        e->dispatched = cases[i].dispatched;
        uint32_t first = ws_first_sm(e, 0, cases[i].rests_from);
        ws_clusters_go_on(e, LAUNCHED);
        assert_int_equal(ws_first_sm(e, 0, LAUNCHED), first);
        assert_int_equal(e->goes_on_from, LAUNCHED);
        free(sms);
        free(e);
    }
}

static void hear_sm(void *self, const ws_timed_warp_life *life) {
    *(uint32_t *)self = life->sm;
}

/* A launch of one CTA each goes to the next SM in turn: from cluster to cluster, and within each. */
static void launches_take_turns(void **state) {
    (void)state;
    static const uint32_t sms[] = {0, 3, 1, 4, 2, 5, 0};
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    plan.more_launches = WS_COUNT(sms) - 1;
    ws_trace *trace = generate_planned(&plan);
    ws_timed *timed = mechanism_gpu(trace, "gpu.clusters=2,gpu.sms_per_cluster=3");
    for (uint32_t i = 0; i < WS_COUNT(sms); i++) {
        uint32_t sm = UINT32_MAX;
        ws_error err = WS_NO_ERROR;
        ws_timed_tap(timed, &(ws_timed_taps){.self = &sm, .warp_end = hear_sm});
        assert_true(ws_timed_run(timed, i + 1, NULL, &err));
        assert_int_equal(sm, sms[i]);
    }
    ws_timed_free(timed);
    ws_trace_close(trace);
}

/* ---- what follows from it */

static uint64_t a_line_each(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return 128 * (inst + LOADS * (warp + UINT64_C(8) * cta)) + 4 * lane;
}

static void hear_end(void *self, const ws_timed_warp_life *life) {
    uint64_t *ends = self;
    if (life->end > ends[life->sm]) ends[life->sm] = life->end;
}

/* Every SM has the same to do, and together they miss more often than their port takes requests. None is left behind:
 * all end at about the same time. */
static void none_starves(void **state) {
    (void)state;
    for (uint32_t sms = 2; sms <= SMS_MAX; sms++) {
        generate_plan plan = generate_loads(sms, 8, LOADS, a_line_each);
        ws_trace *trace = generate_planned(&plan);
        char settings[300];
        snprintf(settings, sizeof settings,
                 "gpu.clusters=1,gpu.sms_per_cluster=%u,sm.ctas=1,dram.channels=16,dram.clock_ratio=4,noc.in_"
                 "buffer=2,noc.flit_B=0,noc.replies=lines,"
                 "l1.mshr_entries=256",
                 sms);
        uint64_t ends[SMS_MAX] = {0}, soonest = UINT64_MAX, latest = 0;
        mechanism_listen(trace, 1, settings, &(ws_timed_taps){.self = ends, .warp_end = hear_end});
        for (uint32_t sm = 0; sm < sms; sm++) {
            soonest = ends[sm] < soonest ? ends[sm] : soonest;
            latest = ends[sm] > latest ? ends[sm] : latest;
        }
        assert_in_range(latest - soonest, 0, latest / 50);
        ws_trace_close(trace);
    }
}

/* Of one SM, two warps load past the L1 while the results of four others keep the ports of its registers busy; the
 * loads of the other SM are answered behind these values at the port that both share. GPGPU-Sim's cycles (its option
 * gpgpu_n_cores_per_cluster), from which 13 are missing if an SM is never held up by the other one. */
static void values_hold_up_the_other_sm(void **state) {
    (void)state;
    enum { WARPS = 6, VALUES = 4, RESULTS = 400 };
    const uint64_t all = UINT32_MAX;
    static generate_inst values[2][VALUES + 2], results[RESULTS + 2], loads[VALUES + 2];
    for (uint32_t i = 0; i < VALUES; i++) {
        for (uint32_t w = 0; w < 2; w++)
            values[w][i] =
                (generate_inst){16 * i, all, 'g', .dst = (uint16_t)(4 + i), .a = 2, .line = 8 * w + i};
        loads[i] = (generate_inst){16 * i, all, 'l', .dst = 4, .a = 4, .line = 32 + i};
    }
    for (uint32_t i = 0; i < RESULTS; i++)
        results[i] = (generate_inst){16 * i, all, 'i', .dst = (uint16_t)(4 + i % 8), .a = 2};
    values[0][VALUES] = values[1][VALUES] = loads[VALUES] =
        (generate_inst){.pc = 16 * VALUES, .mask = all, .kind = 'x'};
    results[RESULTS] = (generate_inst){.pc = 16 * RESULTS, .mask = all, .kind = 'x'};
    const generate_inst *const warps[2 * WARPS + 1] = {
        values[0], values[1], results, results, results, results, loads, loads, loads, loads, loads, loads};
    ws_trace *trace = generate_coded_ctas("sass", 2, warps);
    mechanism_result r = mechanism_run(trace, 1,
                                       "gpu=accelsim-rtx3070s,gpu.clusters=1,gpu.sms_per_cluster=2,"
                                       "core.launch_cycles=0");
    assert_int_equal(r.counters.cycles, 2109);
    ws_trace_close(trace);
}

/* ---- several ports */

/* SMs with ports of their own are as good as clusters of one SM, if CTAs go to the same SMs; also if packets pass a
 * cluster slot whose owner does nothing. */
static void own_ports_make_clusters_of_one_sm(void **state) {
    (void)state;
    static const char *const gpus[] = {
        "gpu.clusters=6,gpu.sms_per_cluster=1",
        "gpu.clusters=2,gpu.sms_per_cluster=3,noc.ports_per_cluster=3",
        ("gpu.clusters=2,gpu.sms_per_cluster=3,noc.ports_per_cluster=3,mechanism.cluster=icc,"
         "icc.merge_entries=0,icc.cache_lines=0"),
    };
    ws_trace *trace = bundled_open("spmv");
    for (int g = 0; g < MECHANISM_GPUS; g++) {
        mechanism_result first = {.counters.cycles = 0};
        for (size_t i = 0; i < WS_COUNT(gpus); i++) {
            char settings[600];
            snprintf(settings, sizeof settings, "%s,gpu.dispatch=global_rr,limit.ctas=24,%s",
                     mechanism_gpus[g], gpus[i]);
            mechanism_result r = mechanism_run(trace, 1, settings);
            if (!i) first = r;
            assert_memory_equal(&r.counters, &first.counters, sizeof r.counters);
        }
    }
    ws_trace_close(trace);
}

/* The lines of a CTA lie in memory channels that no other CTA uses. */
static uint64_t a_quarter_of_the_channels_each(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return 256 * (4 * (inst + LOADS * (uint64_t)warp) + cta) + 4 * lane;
}

/* SMs write more than their ports can send. A port sends a flit in each cycle from the first write to the last; what
 * comes before and after that depends on the number of ports by the few cycles that SMs wait for each other. */
static void ports_share_the_load(void **state) {
    (void)state;
    enum { SMS = 4, WARPS = 8, FLITS = SMS * WARPS * LOADS * (8 + 128) / 8 };
    generate_plan plan = generate_loads(SMS, WARPS, LOADS, a_quarter_of_the_channels_each);
    plan.instruction.op = WS_MEMORY_STORE;
    plan.opcode = "STG.E";
    ws_trace *trace = generate_planned(&plan);
    uint64_t besides[SMS + 1];
    for (uint32_t ports = 1; ports <= SMS; ports *= 2) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 "gpu.clusters=1,gpu.sms_per_cluster=%d,noc.ports_per_cluster=%u,sm.ctas=1,noc.flit_B=8,"
                 "dram.channels=16,dram.clock_ratio=4,l2.size_B=1048576",
                 SMS, ports);
        ws_timed_counters c = mechanism_run(trace, 1, settings).counters;
        assert_int_equal(c.noc_flits_to_memory, FLITS);
        assert_int_equal(c.noc_port_cycles_to_memory, c.cycles * ports);
        besides[ports] = c.cycles - FLITS / ports;
        assert_in_range(besides[ports], besides[1], besides[1] + SMS);
    }
    assert_in_range(besides[1], 120, 200);
    ws_trace_close(trace);
}

static void ports_must_share_sms_evenly(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    ws_trace *trace = generate_planned(&plan);
    assert_string_equal(mechanism_refusal(trace, "gpu.sms_per_cluster=6,noc.ports_per_cluster=4"),
                        "noc.ports_per_cluster: expected a divisor of gpu.sms_per_cluster (6), found 4");
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_rotate),
        cmocka_unit_test(parts_have_numbers_of_their_own),
        cmocka_unit_test(who_asks_has_the_turn),
        cmocka_unit_test(room_for_replies_wakes_the_cluster),
        cmocka_unit_test(order_stands_still),
        cmocka_unit_test(launches_take_turns),
        cmocka_unit_test(none_starves),
        cmocka_unit_test(values_hold_up_the_other_sm),
        cmocka_unit_test(own_ports_make_clusters_of_one_sm),
        cmocka_unit_test(ports_share_the_load),
        cmocka_unit_test(ports_must_share_sms_evenly),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
