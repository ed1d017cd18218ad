/* The parameters of memory channels (dram.*): number, scheduler and queues, clock, timing, and how address bits select
 * bank, row and column. */
#include "gpgpusim/draft.h"

#include "base/array.h"

#include <math.h>
#include <string.h>

#define MAPPING "gpgpu_mem_addr_mapping"
#define TIMING  "gpgpu_dram_timing_opt"
#define CLOCKS  "gpgpu_clock_domains"

static void put_clocks(ws_gs_draft *d) {
    double core = ws_gs_part_real(d, CLOCKS, ':', 0), network = ws_gs_part_real(d, CLOCKS, ':', 1),
           l2 = ws_gs_part_real(d, CLOCKS, ':', 2), dram = ws_gs_part_real(d, CLOCKS, ':', 3);
    if (network != core || l2 != core) ws_gs_tell(d, CLOCKS, "network and L2 have the cores' clock");
    /* eight decimals: enough to give the clock in kHz */
    ws_gs_put(d, "dram.clock_ratio", json_real(round(dram / core * 1e8) / 1e8), CLOCKS, NULL);
    ws_gs_put(d, "dram.core_MHz", json_real(core), CLOCKS, NULL);
}

/* Sets the bytes of a burst on all buses of a channel. */
static void put_atom(ws_gs_draft *d, int64_t burst) {
    static const char width[] = "gpgpu_dram_buswidth", buses[] = "gpgpu_n_mem_per_ctrlr",
                      length[] = "gpgpu_dram_burst_length";
    int64_t bus = ws_gs_whole(d, width) * ws_gs_whole(d, buses), atom_B = 0;
    if (__builtin_mul_overflow(bus, burst, &atom_B))
        ws_gs_fail(d, length,
                   "a burst that is short enough, with gpgpu_dram_buswidth x gpgpu_n_mem_per_ctrlr, to "
                   "have less than 2^63 bytes");
    ws_gs_put_whole(d, "dram.atom_B", atom_B, length,
                    "of buses as wide as gpgpu_dram_buswidth x gpgpu_n_mem_per_ctrlr say");
}

/* Sets how long a burst takes the bus. The simulator starts one every CCD, even where it takes longer. */
static void put_burst(ws_gs_draft *d) {
    static const char length[] = "gpgpu_dram_burst_length", ratio[] = "dram_data_command_freq_ratio";
    int64_t burst = ws_gs_whole(d, length), per_cycle = ws_gs_whole(d, ratio),
            ccd = ws_gs_keyed(d, TIMING, "CCD");
    if (!per_cycle || burst % per_cycle) ws_gs_fail(d, ratio, "a divisor of the burst's length");
    put_atom(d, burst);
    int64_t cycles = per_cycle ? burst / per_cycle : 1;
    bool overlap = cycles > ccd && ccd > 0;
    if (overlap) ws_gs_tell(d, length, "bursts take CCD cycles, after which the simulator starts the next");
    ws_gs_put_whole(d, "dram.burst_cycles", overlap ? ccd : cycles, overlap ? TIMING : length,
                    overlap ? "CCD" : "over dram_data_command_freq_ratio");
}

static void put_timing(ws_gs_draft *d) {
    static const struct {
        const char *key, *parameter;
    } timings[] = {{"nbk", "dram.banks"}, {"nbkgrp", "dram.bank_groups"},
                   {"CCD", "dram.ccd"},   {"CCDL", "dram.ccdl"},
                   {"RRD", "dram.rrd"},   {"RCD", "dram.rcd"},
                   {"RAS", "dram.ras"},   {"RP", "dram.rp"},
                   {"RC", "dram.rc"},     {"CL", "dram.cl"},
                   {"WL", "dram.wl"},     {"CDLR", "dram.cdlr"},
                   {"WR", "dram.wr"},     {"RTPL", "dram.rtpl"}};
    for (size_t i = 0; i < WS_COUNT(timings); i++)
        ws_gs_put_whole(d, timings[i].parameter, ws_gs_keyed(d, TIMING, timings[i].key), TIMING,
                        timings[i].key);
    put_burst(d);
    ws_gs_put_whole(d, "dram.command_buses", ws_gs_is_on(d, "dram_dual_bus_interface") ? 2 : 1,
                    "dram_dual_bus_interface", NULL);
}

/* ---- the mapping: a letter for each address bit, highest first: R row, B bank, C column, S within the burst */

enum { LETTERS_MAX = 62 }; /* int64_t can have 1 << 62; with ignored bits, GPGPU-Sim has 64 */

typedef struct mapping {
    int letters;             /* all bits but those that are ignored */
    int lowest_bank;         /* the number of the lowest B bit; -1: there is none */
    int near_banks;          /* B bits in the lowest run of them */
    int banks, rows, others; /* bits: B, R, C and S */
    bool as_modelled; /* true if the letters are, from the lowest bit: S and C, B, perhaps C and B again, R */
} mapping;

static mapping read_mapping(const char *bits) {
    mapping m = {.lowest_bank = -1, .as_modelled = true};
    char before = 'S';
    int runs_of_banks = 0;
    bool ignored = false; /* a bit of the address, below this one */
    for (const char *c = bits + strlen(bits); c > bits;) {
        char kind = *--c;
        ignored |= kind == '0';
        if (kind == '.' || kind == '0') continue;
        bool is_bank = kind == 'B', is_row = kind == 'R';
        if (!is_bank && !is_row && kind != 'C' && kind != 'S') return (mapping){.as_modelled = false};
        if (is_bank && m.lowest_bank < 0) m.lowest_bank = m.letters;
        runs_of_banks += is_bank && before != 'B';
        m.near_banks += is_bank && runs_of_banks == 1;
        m.as_modelled &= (before != 'R' || is_row) && !ignored;
        m.banks += is_bank;
        m.rows += is_row;
        m.others += !is_bank && !is_row;
        before = kind;
        m.letters++;
    }
    m.as_modelled &= runs_of_banks >= 1 && runs_of_banks <= 2 && m.rows > 0;
    return m;
}

/* Notes slices that the simulator tells apart by bank bits above columns: its lowest bank bits are a slice's number,
 * those of the replay are consecutive. */
static void tell_slices(ws_gs_draft *d, const mapping *m) {
    static const char slices[] = "gpgpu_n_sub_partition_per_mchannel";
    if (ws_gs_whole(d, slices) > INT64_C(1) << m->near_banks)
        ws_gs_tell(d, slices,
                   "the bits of a slice's number are consecutive, also those above the lowest B of "
                   "gpgpu_mem_addr_mapping");
}

static void put_mapping(ws_gs_draft *d) {
    const char *text = ws_gs_text(d, MAPPING), *bits = strchr(text, ';');
    mapping m = read_mapping(bits ? bits + 1 : text);
    if (m.letters > LETTERS_MAX) {
        ws_gs_fail(d, MAPPING, "at most 62 letters R, B, C and S");
        return;
    }
    if (!bits || strncmp(text, "dramid@8;", 9) != 0 || !m.as_modelled ||
        ws_gs_keyed(d, TIMING, "nbk") != INT64_C(1) << m.banks) {
        ws_gs_fail(
            d, MAPPING,
            "dramid@8; and bits from the highest: rows (R), banks (B), columns (C), perhaps banks and "
            "columns "
            "again, and bursts (S), with a bank bit for each doubling of nbk; a mapping of another kind is "
            "not modelled");
        return;
    }
    ws_gs_put_whole(d, "l2.interleave_B", INT64_C(1) << m.lowest_bank, MAPPING, "the lowest B");
    ws_gs_put_whole(d, "dram.bank_B", INT64_C(1) << m.lowest_bank, MAPPING, "the lowest B");
    ws_gs_put_whole(d, "dram.near_banks", INT64_C(1) << m.near_banks, MAPPING, "the B below the last C");
    ws_gs_put_whole(d, "dram.row_B", INT64_C(1) << m.others, MAPPING, "C and S");
    ws_gs_put_whole(d, "dram.rows", INT64_C(1) << m.rows, MAPPING, "R");
    tell_slices(d, &m);
}

static void put_bank_index(ws_gs_draft *d) {
    static const char option[] = "dram_bnk_indexing_policy";
    int64_t policy = ws_gs_whole(d, option);
    bool known = policy == 0 || policy == 1;
    if (!known) ws_gs_tell(d, option, "taken as 0, what the address says");
    ws_gs_put_text(d, "dram.bank_index", policy == 1 ? "xor" : "linear", option,
                   known ? NULL : "assumption: the nearest");
}

static void put_groups(ws_gs_draft *d) {
    static const char option[] = "dram_bnkgrp_indexing_policy";
    int64_t policy = ws_gs_whole(d, option);
    if (policy != 0 && policy != 1) ws_gs_fail(d, option, "0 or 1");
    ws_gs_put_text(d, "dram.bank_group", policy ? "low_bits" : "high_bits", option, NULL);
}

/* ---- the scheduler and its queues */

#define QUEUE       "gpgpu_frfcfs_dram_sched_queue_size"
#define DATA        "gpgpu_dram_return_queue_size"
#define WRITE_QUEUE "dram_write_queue_size" /* SIZE:HIGH:LOW */

static bool writes_are_apart(ws_gs_draft *d) {
    return ws_gs_is_on(d, "dram_seperate_write_queue_enable");
}

static void put_fr_fcfs(ws_gs_draft *d) {
    static const char *const of_writes[] = {"dram.write_queue", "dram.write_high", "dram.write_low"};
    ws_gs_copy(d, "dram.queue", QUEUE);
    ws_gs_copy(d, "dram.return_queue", DATA);
    for (int i = 0; i < 3 && writes_are_apart(d); i++)
        ws_gs_put_whole(d, of_writes[i], ws_gs_part(d, WRITE_QUEUE, ':', i), WRITE_QUEUE, NULL);
}

enum { FIFO_PLACES = 2 }; /* as the simulator has them (dram_t::mrqq) */

/* Requests have credits for the places of FR-FCFS, too, which are not used. */
static void put_fifo(ws_gs_draft *d) {
    int64_t more = ws_gs_whole(d, QUEUE) - FIFO_PLACES;
    if (writes_are_apart(d)) more += ws_gs_part(d, WRITE_QUEUE, ':', 0);
    ws_gs_put_whole(d, "dram.queue", FIFO_PLACES, NULL, "dram_t::mrqq has two places");
    ws_gs_put_whole(
        d, "dram.return_queue", ws_gs_whole(d, DATA) + (more > 0 ? more : 0), DATA,
        "and as many more as FR-FCFS's queues have places beyond dram.queue: credits are for all");
}

static void put_scheduler(ws_gs_draft *d) {
    static const char option[] = "gpgpu_dram_scheduler";
    int64_t scheduler = ws_gs_whole(d, option);
    if (scheduler != 0 && scheduler != 1) ws_gs_fail(d, option, "0 (FIFO) or 1 (FR-FCFS)");
    ws_gs_put_text(d, "dram.scheduler", scheduler ? "fr_fcfs" : "fifo", option, NULL);
    if (scheduler)
        put_fr_fcfs(d);
    else
        put_fifo(d);
}

void ws_gs_draft_dram(ws_gs_draft *d) {
    ws_gs_copy(d, "dram.channels", "gpgpu_n_mem");
    ws_gs_copy(d, "dram.latency", "dram_latency");
    put_scheduler(d);
    put_clocks(d);
    put_timing(d);
    put_mapping(d);
    put_bank_index(d);
    put_groups(d);
}
