/* The components of the memory hierarchy in the timed fidelity, from the L1 to DRAM: their parameters, defaults and
 * checks. Defaults describe a Fermi-class GPU as the cycle simulator's GTX480 configuration does (GPGPU-Sim,
 * SM2_GTX480). */
#include "base/array.h"
#include "replay/set_index.h"
#include "timed/cache.h"
#include "warpsweep/timed.h"

/* ---- L1 */

enum { CACHE_WAYS_MAX = 1024 };

static const char *const replacement_names[] = {[WS_REPLACE_LRU] = "lru",
                                                [WS_REPLACE_FIFO] = "fifo",
                                                [WS_REPLACE_PLRU] = "plru",
                                                [WS_REPLACE_RANDOM] = "random",
                                                NULL};
static const char *const allocation_names[] = {
    [WS_ALLOCATE_ON_MISS] = "on_miss", [WS_ALLOCATE_ON_FILL] = "on_fill", NULL};
static const char *const access_names[] = {
    [WS_ACCESS_LINE] = "line", [WS_ACCESS_BY_WIDTH] = "by_width", [WS_ACCESS_SECTOR] = "sector", NULL};
static const char *const write_names[] = {
    [WS_WRITE_EVICT] = "evict", [WS_WRITE_THROUGH_LAZY] = "through_lazy", NULL};
static const char *const bank_by_names[] = {[WS_BANK_BY_SECTOR] = "sector", [WS_BANK_BY_SET] = "set", NULL};
static const char *const carveout_names[] = {[WS_CARVEOUT_TURING] = "turing",
                                             [WS_CARVEOUT_VOLTA] = "volta",
                                             [WS_CARVEOUT_AMPERE] = "ampere",
                                             [WS_CARVEOUT_A100] = "a100",
                                             [WS_CARVEOUT_A100_ACCELSIM] = "a100_accelsim",
                                             [WS_CARVEOUT_HOPPER] = "hopper",
                                             [WS_CARVEOUT_HOPPER_ACCELSIM] = "hopper_accelsim",
                                             NULL};

#define L1(field, unit, def, min, max, help)                                                                 \
    WS_INT(ws_l1_params, field, "l1." #field, unit, def, min, max, help)
static const ws_param l1_params[] = {
    L1(size_B, "B", 16384, 128, 67108864,
       "Capacity of an SM's L1. With l1.unified_B it gives only the number of sets: size_B / ways / line_B."),
    L1(ways, "ways", 4, 1, CACHE_WAYS_MAX, "Associativity."),
    L1(line_B, "B", 128, 32, 256, "Line size, a power of two; sectors are 32 B."),
    L1(unified_B, "B", 0, 0, 16777216,
       "Size of the array that L1 and shared memory divide. Shared memory gets the smallest carve-out that "
       "holds that of the CTAs that an SM has at once, the L1 the rest: as many sets as l1.size_B gives, in "
       "more or fewer ways. It is divided when a launch begins; where two programs share SMs, or launches of "
       "several streams run at the same time, for the most that any launch of each takes, as CTAs of the "
       "others are there then. 0: the L1 has l1.size_B."),
    WS_CHOICE(
        ws_l1_params, carveouts, "l1.carveouts", WS_CARVEOUT_AMPERE, carveout_names,
        "Shared memory's carve-outs of a unified array, in KiB. turing: 32, 64. volta: 0, 8, 16, 32, "
        "64, 96. ampere: 0, 8, 16, 32, 64, 100. a100: those and 132, 164. hopper: those and 196, 228 "
        "(CUDA C++ Programming Guide, compute capabilities 7.0 to 9.0). a100_accelsim, hopper_accelsim: "
        "as in Accel-Sim's configurations, 0, 8, 16, 32, 64 and 164 or 228."),
    WS_CHOICE(ws_l1_params, access, "l1.access", WS_ACCESS_BY_WIDTH, access_names,
              "Unit of one access. line: a line. by_width: a line where lanes access 4 bytes or more, half a "
              "line for 2 bytes, 32 bytes for 1 (Fermi). sector: 32 bytes (Volta and later)."),
    WS_CHOICE(ws_l1_params, index, "l1.index", WS_INDEX_FERMI_HASH, ws_set_index_names,
              "Set index of a line. linear: modulo the number of sets. fermi_hash: Fermi's, for 32 or 64 "
              "sets; another size needs other ways, in a sweep \"derived\": {\"l1.ways\": \"l1_size_B / (32 "
              "* l1_line_B)\"}. xor: (line ^ line / sets) modulo sets. ipoly: a polynomial hash. Both need a "
              "power of two of sets."),
    WS_CHOICE(ws_l1_params, replacement, "l1.replacement", WS_REPLACE_LRU, replacement_names,
              "Victim within a set. lru: the least recently used line. fifo: the line that came first. plru: "
              "tree pseudo-LRU (ways: a power of two). random: any line."),
    L1(seed, "", 1, 0, 1 << 30, "Seed of random replacement; each SM draws its own numbers."),
    WS_CHOICE(ws_l1_params, allocation, "l1.allocation", WS_ALLOCATE_ON_MISS, allocation_names,
              "When a read that misses allocates a way. on_miss: at the miss; the way then waits for the "
              "data. on_fill: when the data arrive, so that the line that it replaces can hit until then, "
              "and no access waits for a way."),
    WS_CHOICE(
        ws_l1_params, write, "l1.write", WS_WRITE_EVICT, write_names,
        "What a store does. evict: writes through; a hit evicts the line, of an L1 with sectors those "
        "written, a miss allocates nothing, and of local memory a hit is kept, and written back when its "
        "line is evicted (Fermi). through_lazy: writes through; a miss allocates "
        "without fetching, and a sector is readable once all of it has been written (Volta). An atomic "
        "passes the L1 and leaves its line as it is (GPGPU-Sim)."),
    L1(latency, "cycles", 35, 1, 900,
       "Cycles from the load/store unit to the tags; a bank holds as many accesses on this way as it takes "
       "meanwhile. While the first finds a resource missing, they wait; with all places taken, so does the "
       "load/store unit."),
    L1(banks, "banks", 1, 1, 32,
       "Banks: with l1.bank_accesses 1 the most accesses of an instruction that can start in one "
       "cycle."),
    L1(bank_accesses, "accesses", 1, 1, 32,
       "Accesses that a bank takes, and serves, per cycle. An instruction starts at most l1.banks times as "
       "many."),
    WS_CHOICE(
        ws_l1_params, bank_by, "l1.bank_by", WS_BANK_BY_SECTOR, bank_by_names,
        "What is interleaved over the banks. sector: sectors; accesses start in order. set: sets; each "
        "bank takes the instruction's next access that is for it, past others that wait, and the tags "
        "serve one instruction at a time, or as many as there are coalescers (WP 4.1). With mechanism.front "
        "mrpb accesses reach the banks in its order."),
    L1(misses_per_cycle, "accesses", 0, 0, 32,
       "Reads without a hit that all banks together serve per cycle, since these search the MSHRs; banks "
       "take turns in going first. 0: no limit (WP 4.1: 1)."),
    L1(mshr_entries, "entries", 64, 1, 65535, "MSHR entries of an L1: misses in flight."),
    L1(mshr_merges, "requests", 8, 1, 65536, "Requests that one MSHR entry holds, the first included."),
    L1(miss_queue, "requests", 8, 2, 65536, "Misses and writes of an L1 that can wait for the network."),
    WS_REAL(ws_l1_params, spare_dirty_percent, "l1.spare_dirty_percent", "%", 0, 0, 100,
            "Dirty lines are not evicted while less than this share of the lines is dirty."),
};

static bool is_power_of_two(int64_t value) {
    return value > 0 && (value & (value - 1)) == 0;
}

static bool replacement_fits(const char *name, int replacement, int64_t ways, ws_error *err) {
    if (replacement != WS_REPLACE_PLRU || is_power_of_two(ways)) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s.ways: expected a power of two for %s.replacement plru, found %lld: change one of them",
                   name, name, (long long)ways);
}

/* The error says how to get another size all the same: with fermi_hash by the number of ways, if the replacement allows
 * the number that results. */
static bool index_fits(const char *name, int index, int replacement, int64_t size_B, int64_t ways,
                       int64_t line_B, ws_error *err) {
    int64_t sets = size_B / (ways * line_B);
    const char *expected = ws_set_index_refusal((enum ws_set_index)index, (uint64_t)sets);
    if (!expected) return true;
    char advice[80] = "";
    int64_t lines = sets * ways, fitting = lines % 64 == 0 ? 64 : 32;
    if (index == WS_INDEX_FERMI_HASH && lines % fitting == 0 && lines / fitting <= CACHE_WAYS_MAX &&
        replacement_fits(name, replacement, lines / fitting, NULL))
        snprintf(advice, sizeof advice, "%s.ways to %lld, or ", name, (long long)(lines / fitting));
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s.index: expected %s, found %lld sets (%s.size_B %lld / %s.ways %lld / %s.line_B %lld): "
                   "set %s%s.index to linear, which takes any",
                   name, expected, (long long)sets, name, (long long)size_B, name, (long long)ways, name,
                   (long long)line_B, advice, name);
}

static bool l1_validate(const void *params, ws_error *err) {
    const ws_l1_params *l1 = params;
    if (!is_power_of_two(l1->line_B))
        return ws_fail(err, WS_ERROR_SPEC, "l1.line_B: expected a power of two, found %lld",
                       (long long)l1->line_B);
    if (l1->size_B % (l1->ways * l1->line_B) != 0)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "l1.size_B: expected a multiple of l1.ways x l1.line_B = %lld, found %lld: change one of them",
            (long long)(l1->ways * l1->line_B), (long long)l1->size_B);
    if (!replacement_fits("l1", l1->replacement, l1->ways, err)) return false;
    int64_t sets = l1->size_B / (l1->ways * l1->line_B), unified_ways = l1->unified_B / (sets * l1->line_B);
    if (unified_ways > WS_CACHE_WAYS_MAX)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "l1.unified_B: expected at most %d ways, found %lld (l1.unified_B / sets / l1.line_B): "
            "raise l1.size_B, for more sets",
            WS_CACHE_WAYS_MAX, (long long)unified_ways);
    if (l1->bank_by == WS_BANK_BY_SET && l1->banks > sets)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "l1.banks: expected at most as many banks as sets (%lld) for l1.bank_by set, found %lld",
            (long long)sets, (long long)l1->banks);
    return index_fits("l1", l1->index, l1->replacement, l1->size_B, l1->ways, l1->line_B, err);
}

static const ws_need l1_needs[] = {
    {.param = "l1.size_B",
     .of = "l1.unified_B",
     .value = "0",
     .otherwise = "gives the number of sets, not the capacity"},
    {.param = "l1.carveouts", .of = "l1.unified_B", .value = "0", .other_than = true},
    {.param = "l1.seed", .of = "l1.replacement", .value = "random"},
};

const ws_component ws_l1_component = {.name = "l1",
                                      .summary = "L1 data cache of an SM",
                                      .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                      .params = l1_params,
                                      .param_count = WS_COUNT(l1_params),
                                      .struct_size = sizeof(ws_l1_params),
                                      .needs = l1_needs,
                                      .need_count = WS_COUNT(l1_needs),
                                      .validate = l1_validate};

/* ---- network */

/* With core.perfect_memory nothing gets past the ports of the SMs' clusters. Of the network, the L2 and DRAM only those
 * parameters count then that say how many ports, partitions and cycles of theirs there are. Others may still be why a
 * configuration is refused (refusals.c), so that points which differ in these must not share a replay. */
#define WITH_MEMORY_OR(name, without)                                                                        \
    { .param = name, .of = "core.perfect_memory", .value = "true", .other_than = true, .otherwise = without }
#define WITH_MEMORY(name) WITH_MEMORY_OR(name, NULL)
#define MUST_FIT(name)    WITH_MEMORY_OR(name, "changes nothing unless it is refused")

static const char *const reply_names[] = {
    [WS_REPLIES_SECTORS] = "sectors", [WS_REPLIES_LINES] = "lines", NULL};

#define NOC(field, unit, def, min, max, help)                                                                \
    WS_INT(ws_noc_params, field, "noc." #field, unit, def, min, max, help)
static const ws_param noc_params[] = {
    NOC(flit_B, "B", 40, 0, 1024,
        "Bytes that a port moves per cycle; a larger packet takes more cycles. 0: any packet takes one "
        "cycle."),
    WS_CHOICE(
        ws_noc_params, replies, "noc.replies", WS_REPLIES_SECTORS, reply_names,
        "What makes up a packet from memory, of 8 B plus its data. sectors: each sector by itself "
        "(GPGPU-Sim since Accel-Sim). lines: the sectors of a line that leave a slice together "
        "(GPGPU-Sim 3). The acknowledgement of a write has no data, that of a reduction has a sector's."),
    NOC(latency, "cycles", 4, 0, 1024, "Cycles through the crossbar."),
    NOC(ports_per_cluster, "ports", 1, 1, 1024,
        "Ports of a cluster into the network to memory, and from the one back; must divide "
        "gpu.sms_per_cluster: SMs next to each other share a port."),
    NOC(in_buffer, "packets", 64, 1, 65536,
        "Packets that an input port can hold; with noc.injection_queue, flits that its buffer can."),
    NOC(out_buffer, "packets", 64, 1, 65536,
        "Packets that an output port can hold; with noc.boundary_buffer, flits. Of a crossbar with none of "
        "what routers have (noc.boundary_buffer, crossbar_speedup, injection_queue, credit_latency), replies "
        "leave it for 32 places more in front of their SMs (GPGPU-Sim)."),
    NOC(boundary_buffer, "flits", 0, 0, 65536,
        "Flits that can wait behind an output port's buffer; one arrives per cycle, and a packet is taken "
        "from there once its last flit has arrived (Booksim in GPGPU-Sim). 0: packets are taken from the "
        "port's buffer."),
    NOC(crossbar_speedup, "flits", 1, 1, 8,
        "Flits per cycle that the crossbar takes from an input port and gives to an output port; the ports "
        "themselves move one (internal speedup of a router)."),
    NOC(injection_queue, "flits", 0, 0, 65536,
        "Flits that can wait in front of an input port's buffer, which takes one per cycle while it has room "
        "(Booksim). 0: the port has only noc.in_buffer."),
    NOC(credit_latency, "cycles", 0, 0, 1024,
        "Cycles until whoever fills an input port, or its buffer, knows that a flit has left it (Booksim). "
        "0: "
        "at once."),
    WS_BOOL(ws_noc_params, input_speedup, "noc.input_speedup", false,
            "Whether an input port can give packets to several output ports in a cycle, the lowest port "
            "first, as in GPGPU-Sim's built-in crossbar. false: one packet per cycle."),
};

static bool noc_validate(const void *params, ws_error *err) {
    const ws_noc_params *noc = params;
    if (noc->injection_queue && noc->input_speedup)
        return ws_fail(err, WS_ERROR_SPEC,
                       "noc.injection_queue: expected 0 with noc.input_speedup, whose crossbar moves whole "
                       "packets; found %lld",
                       (long long)noc->injection_queue);
    return noc->crossbar_speedup == 1 || !noc->input_speedup ||
           ws_fail(err, WS_ERROR_SPEC,
                   "noc.crossbar_speedup: expected 1 with noc.input_speedup, whose crossbar has no steps; "
                   "found %lld",
                   (long long)noc->crossbar_speedup);
}

static const ws_need noc_needs[] = {
    MUST_FIT("noc.flit_B"),
    MUST_FIT("noc.replies"),
    MUST_FIT("noc.boundary_buffer"),
    WITH_MEMORY("noc.latency"),
    WITH_MEMORY("noc.in_buffer"),
    WITH_MEMORY("noc.out_buffer"),
    WITH_MEMORY("noc.crossbar_speedup"),
    WITH_MEMORY("noc.injection_queue"),
    WITH_MEMORY("noc.credit_latency"),
};

const ws_component ws_noc_component = {.name = "noc",
                                       .summary = "Crossbar between SMs and L2 slices",
                                       .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                       .params = noc_params,
                                       .param_count = WS_COUNT(noc_params),
                                       .struct_size = sizeof(ws_noc_params),
                                       .needs = noc_needs,
                                       .need_count = WS_COUNT(noc_needs),
                                       .validate = noc_validate};

/* ---- L2 */

static const char *const partition_names[] = {[WS_PARTITION_LINEAR] = "linear",
                                              [WS_PARTITION_XOR] = "xor",
                                              [WS_PARTITION_IPOLY] = "ipoly",
                                              [WS_PARTITION_RANDOM] = "random",
                                              NULL};

#define L2(field, unit, def, min, max, help)                                                                 \
    WS_INT(ws_l2_params, field, "l2." #field, unit, def, min, max, help)
static const ws_param l2_params[] = {
    L2(slices_per_channel, "slices", 2, 1, WS_CHANNEL_SLICES_MAX,
       "L2 slices of each memory channel; a power of two."),
    L2(interleave_B, "B", 256, 128, 256,
       "Consecutive bytes in one slice of a channel before the next slice has its turn; 128 or 256."),
    L2(size_B, "B", 65536, 128, 1073741824, "Capacity of one slice; at most 4 GiB in all slices."),
    L2(ways, "ways", 8, 1, CACHE_WAYS_MAX, "Associativity."),
    L2(line_B, "B", 128, 32, 256,
       "Line size, a power of two; sectors are 32 B. It need not be that of the L1: a request for several of "
       "the L2's lines looks them up one after the other."),
    WS_CHOICE(ws_l2_params, index, "l2.index", WS_INDEX_LINEAR, ws_set_index_names,
              "Set index of a line within its slice, as for the L1."),
    WS_CHOICE(ws_l2_params, replacement, "l2.replacement", WS_REPLACE_LRU, replacement_names,
              "Victim within a set, as for the L1."),
    L2(seed, "", 1, 0, 1 << 30, "Seed of random replacement; each slice draws its own numbers."),
    WS_CHOICE(
        ws_l2_params, partition, "l2.partition", WS_PARTITION_LINEAR, partition_names,
        "Memory channel of an address, from its 256-byte block. linear: modulo the number of channels. xor: "
        "with the bits above folded in. ipoly: a polynomial hash over all slices: 16, 32 or 64, counting "
        "channels up to the next power of two; beyond the last slice they begin again with the first. "
        "random: a "
        "slice drawn for each 256 / l2.slices_per_channel bytes, or each line of the L1 if that is more, "
        "always the same one."),
    L2(latency, "cycles", 120, 1, 4096, "Cycles from the network to the tags."),
    L2(port_B, "B", 32, 16, 256,
       "Bytes per cycle that a slice's tags serve, and that it evicts and asks DRAM for; a power of two. A "
       "request takes at least one cycle (data_port_width of GPGPU-Sim's gpgpu_cache:dl2)."),
    L2(mshr_entries, "entries", 256, 1, 65536, "MSHR entries of a slice: sector misses in flight."),
    L2(mshr_merges, "requests", 4, 1, 65536, "Requests that one MSHR entry holds, the first included."),
    L2(miss_queue, "requests", 4, 2, 65536,
       "Misses and write-backs of a slice that can wait for the DRAM queue, to which one goes per cycle; a "
       "sector is read only while there is room for two."),
    L2(queue, "requests", 64, 8, 65536,
       "Requests that each of a slice's four queues holds: in, to DRAM, from DRAM, out."),
    WS_BOOL(ws_l2_params, sectors_apart, "l2.sectors_apart", false,
            "Whether each sector of a request becomes a request of its own from the slice on: at the tags, "
            "in MSHRs, in DRAM, and on its way back (GPGPU-Sim since Accel-Sim). false: a line's sectors "
            "stay together."),
    L2(lrc_entries, "entries", 0, 0, 65536,
       "Entries of a coalescer in front of each slice (NVIDIA's LRC, L2 request coalescer), for reads on "
       "their way to the tags or in the L2, a sector each: later reads of the sector get its data with "
       "theirs, and do not go to the tags (Accel-Sim 2.0). 0: none."),
    L2(lrc_merges, "requests", 32, 1, 65536,
       "Requests that one entry of the coalescer answers, the first included."),
    WS_BOOL(ws_l2_params, copies, "l2.copies", false,
            "Whether data that the host copies to the device before a launch are in the L2 when it begins."),
    WS_BOOL(
        ws_l2_params, flush, "l2.flush", false,
        "Whether the L2 is empty when a launch begins, as where a profiler clears caches before each kernel. "
        "What the one before it has written is dropped, without going to DRAM, and so are copies to the "
        "device. Launches of several streams find it empty where no CTA runs (GPGPU-Sim: "
        "gpgpu_flush_l2_cache)."),
};

static bool coalescer_fits(const ws_l2_params *l2, ws_error *err) {
    return !l2->lrc_entries || l2->sectors_apart ||
           ws_fail(
               err, WS_ERROR_SPEC,
               "l2.lrc_entries: expected 0 without l2.sectors_apart, as the coalescer has an entry for each "
               "sector, found %lld: set l2.sectors_apart to true",
               (long long)l2->lrc_entries);
}

static bool l2_validate(const void *params, ws_error *err) {
    const ws_l2_params *l2 = params;
    int64_t sets = l2->size_B / (l2->ways * l2->line_B);
    if (!is_power_of_two(l2->line_B) || !is_power_of_two(l2->slices_per_channel))
        return ws_fail(err, WS_ERROR_SPEC,
                       "l2.line_B and l2.slices_per_channel: expected powers of two, found %lld and %lld",
                       (long long)l2->line_B, (long long)l2->slices_per_channel);
    if (!is_power_of_two(l2->port_B))
        return ws_fail(err, WS_ERROR_SPEC, "l2.port_B: expected a power of two, found %lld",
                       (long long)l2->port_B);
    if (sets * l2->ways * l2->line_B != l2->size_B)
        return ws_fail(err, WS_ERROR_SPEC,
                       "l2.size_B: expected a multiple of l2.ways x l2.line_B = %lld, found %lld",
                       (long long)(l2->ways * l2->line_B), (long long)l2->size_B);
    if (sets * l2->ways > WS_CACHE_LINES_MAX)
        return ws_fail(err, WS_ERROR_SPEC,
                       "l2.size_B: expected at most %d lines, found %lld (l2.size_B / l2.line_B): raise "
                       "l2.line_B, or take more slices",
                       WS_CACHE_LINES_MAX, (long long)(sets * l2->ways));
    if (!replacement_fits("l2", l2->replacement, l2->ways, err) || !coalescer_fits(l2, err)) return false;
    return index_fits("l2", l2->index, l2->replacement, l2->size_B, l2->ways, l2->line_B, err);
}

static const ws_need l2_needs[] = {
    WITH_MEMORY_OR("l2.size_B", "counts for energy and area alone"),
    MUST_FIT("l2.interleave_B"),
    MUST_FIT("l2.line_B"),
    MUST_FIT("l2.partition"),
    MUST_FIT("l2.lrc_entries"),
    WITH_MEMORY("l2.ways"),
    WITH_MEMORY("l2.index"),
    WITH_MEMORY("l2.replacement"),
    WITH_MEMORY("l2.latency"),
    WITH_MEMORY("l2.port_B"),
    WITH_MEMORY("l2.mshr_entries"),
    WITH_MEMORY("l2.mshr_merges"),
    WITH_MEMORY("l2.miss_queue"),
    WITH_MEMORY("l2.queue"),
    WITH_MEMORY("l2.sectors_apart"),
    WITH_MEMORY("l2.flush"),
    {.param = "l2.seed", .of = "l2.replacement", .value = "random"},
    WITH_MEMORY("l2.seed"),
    {.param = "l2.lrc_merges", .of = "l2.lrc_entries", .value = "0", .other_than = true},
    WITH_MEMORY("l2.lrc_merges"),
    {.param = "l2.copies", .of = "l2.flush", .value = "false"},
    WITH_MEMORY("l2.copies"),
};

const ws_component ws_l2_component = {.name = "l2",
                                      .summary = "L2 cache slices",
                                      .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                      .params = l2_params,
                                      .param_count = WS_COUNT(l2_params),
                                      .struct_size = sizeof(ws_l2_params),
                                      .needs = l2_needs,
                                      .need_count = WS_COUNT(l2_needs),
                                      .validate = l2_validate};

/* ---- DRAM */

static const char *const bank_index_names[] = {
    [WS_BANK_INDEX_LINEAR] = "linear", [WS_BANK_INDEX_XOR] = "xor", NULL};
static const char *const bank_group_names[] = {
    [WS_BANK_GROUP_LOW_BITS] = "low_bits", [WS_BANK_GROUP_HIGH_BITS] = "high_bits", NULL};
static const char *const dram_scheduler_names[] = {
    [WS_DRAM_FR_FCFS] = "fr_fcfs", [WS_DRAM_FIFO] = "fifo", NULL};

#define DRAM(field, unit, def, min, max, help)                                                               \
    WS_INT(ws_dram_params, field, "dram." #field, unit, def, min, max, help)
static const ws_param dram_params[] = {
    DRAM(channels, "channels", 6, 1, WS_CHANNELS_MAX, "Memory channels."),
    DRAM(latency, "cycles", 100, 0, 4096, "Core cycles from the L2 to the memory controller."),
    WS_CHOICE(ws_dram_params, scheduler, "dram.scheduler", WS_DRAM_FR_FCFS, dram_scheduler_names,
              "Which request a bank serves next. fr_fcfs: the oldest one for its open row, else the oldest. "
              "fifo: requests go to their banks in the order in which they came, one per DRAM cycle, and one "
              "whose bank is still busy holds up those behind it (GPGPU-Sim: gpgpu_dram_scheduler)."),
    DRAM(queue, "requests", 64, 1, 65536, "Requests that the scheduler chooses from, or that wait in order."),
    DRAM(write_queue, "requests", 0, 0, 65536,
         "Write-backs that wait in a queue of their own, from which the scheduler chooses once "
         "dram.write_high of "
         "them wait, until fewer than dram.write_low are left. 0: they wait among the others."),
    DRAM(write_high, "requests", 28, 1, 65536, "See dram.write_queue."),
    DRAM(write_low, "requests", 16, 1, 65536, "See dram.write_queue."),
    DRAM(return_queue, "requests", 116, 1, 65536,
         "Places for data on their way back to the L2. A request enters the channel only while fewer are on "
         "their way to the banks, in them and on their way back than it and the queues have places. (Data "
         "leave as fast as they come, so that they never fill it.)"),
    DRAM(banks, "banks", 16, 1, 32, "Banks of a channel, a power of two."),
    DRAM(bank_groups, "groups", 4, 1, 32, "Bank groups; dram.bank_group says which banks they have."),
    WS_CHOICE(ws_dram_params, bank_group, "dram.bank_group", WS_BANK_GROUP_LOW_BITS, bank_group_names,
              "Which bits of a bank's number say its group. low_bits: the lowest, so that banks which follow "
              "each other are of different groups. high_bits: the highest (dram_bnkgrp_indexing_policy 0 of "
              "GPGPU-Sim); as many banks in each group."),
    DRAM(near_banks, "banks", 2, 1, 32,
         "Banks over which consecutive bytes of a channel are interleaved (dram.bank_B) until each has a "
         "full row of them; then come the next banks, as many again, and after all banks the next row. A "
         "power of two."),
    DRAM(bank_B, "B", 256, 64, 65536,
         "Consecutive bytes of a channel in one bank before the next has its turn; a power of two, not less "
         "than a line."),
    DRAM(row_B, "B", 4096, 64, 65536, "Bytes of a row of one bank, a power of two."),
    DRAM(rows, "rows", 4096, 1, 1073741824,
         "Rows of a bank; addresses beyond them wrap around to the first row."),
    WS_CHOICE(
        ws_dram_params, bank_index, "dram.bank_index", WS_BANK_INDEX_LINEAR, bank_index_names,
        "Bank of an address. linear: its bank bits, as dram.near_banks and dram.bank_B say. xor: these, "
        "exclusive or with the lowest bits of the row, so that rows which follow each other in one bank "
        "lie in different ones (dram_bnk_indexing_policy 1 of GPGPU-Sim)."),
    DRAM(atom_B, "B", 64, 16, 256,
         "Bytes of one burst. A request is for 32 B; what a longer burst brings beyond that is not used."),
    DRAM(
        command_buses, "buses", 1, 1, 2,
        "Command buses. 1: a DRAM cycle has either a column command or one that opens or closes a row; both "
        "only where GPGPU-Sim's search comes to a row first. 2: row commands have a bus of their own (HBM)."),
    WS_REAL(ws_dram_params, clock_ratio, "dram.clock_ratio", "", 1.32, 0.01, 100,
            "DRAM command cycles per core cycle."),
    WS_REAL(
        ws_dram_params, core_MHz, "dram.core_MHz", "MHz", 0, 0, 100000,
        "Core clock, needed only to order core and DRAM cycles as GPGPU-Sim does: it adds up the clocks' "
        "periods, so where a DRAM cycle and a core cycle would begin together, rounding decides which goes "
        "first. The DRAM clock is dram.clock_ratio times this, to the kHz. 0: the DRAM cycle goes first. No "
        "value between 0 and 1."),
    DRAM(ccd, "DRAM cycles", 2, 1, 1000, "Column command to column command."),
    DRAM(ccdl, "DRAM cycles", 3, 0, 1000, "Column command to column command within a bank group."),
    DRAM(rrd, "DRAM cycles", 6, 0, 1000, "Activate to activate."),
    DRAM(rcd, "DRAM cycles", 12, 0, 1000, "Activate to read."),
    DRAM(ras, "DRAM cycles", 28, 0, 1000, "Activate to precharge."),
    DRAM(rp, "DRAM cycles", 12, 0, 1000, "Precharge to activate."),
    DRAM(rc, "DRAM cycles", 40, 0, 1000, "Activate to activate of one bank."),
    DRAM(cl, "DRAM cycles", 12, 0, 1000, "Read to data."),
    DRAM(wl, "DRAM cycles", 4, 0, 1000, "Write to data."),
    DRAM(cdlr, "DRAM cycles", 5, 0, 1000, "Last write data to read."),
    DRAM(wr, "DRAM cycles", 12, 0, 1000, "Last write data to precharge."),
    DRAM(rtpl, "DRAM cycles", 2, 0, 1000, "Read to precharge."),
    DRAM(burst_cycles, "DRAM cycles", 2, 1, 64, "Cycles that a burst occupies the data bus."),
};

static bool dram_validate(const void *params, ws_error *err) {
    const ws_dram_params *dram = params;
    const struct {
        const char *name;
        int64_t value;
    } powers[] = {{"dram.banks", dram->banks},
                  {"dram.near_banks", dram->near_banks},
                  {"dram.bank_B", dram->bank_B},
                  {"dram.row_B", dram->row_B}};
    for (size_t i = 0; i < WS_COUNT(powers); i++)
        if (!is_power_of_two(powers[i].value))
            return ws_fail(err, WS_ERROR_SPEC, "%s: expected a power of two, found %lld", powers[i].name,
                           (long long)powers[i].value);
    if (dram->near_banks > dram->banks)
        return ws_fail(err, WS_ERROR_SPEC, "dram.near_banks: expected at most dram.banks = %lld, found %lld",
                       (long long)dram->banks, (long long)dram->near_banks);
    if (dram->bank_B > dram->row_B)
        return ws_fail(err, WS_ERROR_SPEC, "dram.bank_B: expected at most dram.row_B = %lld, found %lld",
                       (long long)dram->row_B, (long long)dram->bank_B);
    if (dram->bank_group == WS_BANK_GROUP_HIGH_BITS && dram->banks % dram->bank_groups)
        return ws_fail(err, WS_ERROR_SPEC,
                       "dram.bank_groups: expected a divisor of dram.banks = %lld with dram.bank_group = "
                       "high_bits, found %lld",
                       (long long)dram->banks, (long long)dram->bank_groups);
    if (dram->scheduler == WS_DRAM_FIFO && dram->write_queue)
        return ws_fail(err, WS_ERROR_SPEC,
                       "dram.write_queue: expected 0 with dram.scheduler = fifo, found %lld",
                       (long long)dram->write_queue);
    /* Clocks are kept in whole kHz: below, their ratio would be another than dram.clock_ratio. */
    if (dram->core_MHz > 0 && dram->core_MHz < 1)
        return ws_fail(err, WS_ERROR_SPEC, "dram.core_MHz: expected 0, or at least 1 MHz, found %.15g",
                       dram->core_MHz);
    if (dram->write_queue && (dram->write_low > dram->write_high || dram->write_high > dram->write_queue))
        return ws_fail(
            err, WS_ERROR_SPEC,
            "dram.write_high: expected dram.write_low (%lld) to dram.write_queue (%lld), found %lld",
            (long long)dram->write_low, (long long)dram->write_queue, (long long)dram->write_high);
    return dram->burst_cycles <= dram->ccd ||
           ws_fail(
               err, WS_ERROR_SPEC,
               "dram.burst_cycles: expected at most dram.ccd = %lld, since bursts share a bus; found %lld",
               (long long)dram->ccd, (long long)dram->burst_cycles);
}

static const ws_need dram_needs[] = {
    MUST_FIT("dram.bank_B"),
    WITH_MEMORY("dram.latency"),
    WITH_MEMORY("dram.scheduler"),
    WITH_MEMORY("dram.queue"),
    WITH_MEMORY("dram.write_queue"),
    WITH_MEMORY("dram.return_queue"),
    WITH_MEMORY("dram.banks"),
    WITH_MEMORY("dram.bank_groups"),
    WITH_MEMORY("dram.bank_group"),
    WITH_MEMORY("dram.near_banks"),
    WITH_MEMORY("dram.row_B"),
    WITH_MEMORY("dram.rows"),
    WITH_MEMORY("dram.bank_index"),
    WITH_MEMORY("dram.atom_B"),
    WITH_MEMORY("dram.command_buses"),
    WITH_MEMORY("dram.core_MHz"),
    WITH_MEMORY("dram.ccd"),
    WITH_MEMORY("dram.ccdl"),
    WITH_MEMORY("dram.rrd"),
    WITH_MEMORY("dram.rcd"),
    WITH_MEMORY("dram.ras"),
    WITH_MEMORY("dram.rp"),
    WITH_MEMORY("dram.rc"),
    WITH_MEMORY("dram.cl"),
    WITH_MEMORY("dram.wl"),
    WITH_MEMORY("dram.cdlr"),
    WITH_MEMORY("dram.wr"),
    WITH_MEMORY("dram.rtpl"),
    WITH_MEMORY("dram.burst_cycles"),
    {.param = "dram.write_high", .of = "dram.write_queue", .value = "0", .other_than = true},
    WITH_MEMORY("dram.write_high"),
    {.param = "dram.write_low", .of = "dram.write_queue", .value = "0", .other_than = true},
    WITH_MEMORY("dram.write_low"),
};

const ws_component ws_dram_component = {.name = "dram",
                                        .summary = "Memory channels: a scheduler over banks with row buffers",
                                        .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                        .params = dram_params,
                                        .param_count = WS_COUNT(dram_params),
                                        .struct_size = sizeof(ws_dram_params),
                                        .needs = dram_needs,
                                        .need_count = WS_COUNT(dram_needs),
                                        .validate = dram_validate};
