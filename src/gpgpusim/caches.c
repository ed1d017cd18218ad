/* The parameters of L1s and L2 slices (l1.*, l2.*): geometry, replacement, write and allocation policies, banks. */
#include "gpgpusim/draft.h"

#include "base/array.h"

#include <stdio.h>
#include <string.h>

#define DL1      "gpgpu_cache:dl1"
#define ADAPTIVE "gpgpu_adaptive_cache_config"
#define DL2      "gpgpu_cache:dl2"

/* Reads the fields of a cache (gpu-cache.h, cache_config::init): KIND to QUEUE, and perhaps FIFO and PORT behind them.
 * False if there are others. */
static bool read_cache(const char *text, ws_gs_cache *c) {
    char mshr;
    uint32_t fifo;
    int end = 0; /* behind the last of the fields with which a cache may end */
    sscanf(text, "%c:%7u:%7u:%7u,%c:%c:%c:%c:%c,%c:%7u:%7u,%7u%n:%7u%n,%7u%n", &c->kind, &c->sets, &c->line_B,
           &c->ways, &c->replacement, &c->write, &c->allocation, &c->write_allocation, &c->index, &mshr,
           &c->mshr_entries, &c->mshr_merges, &c->miss_queue, &end, &fifo, &end, &c->port_B, &end);
    bool has_sign = strpbrk(text, "+-"); /* which sscanf would take for a part of a number */
    return end && !text[end] && !has_sign && (c->kind == 'N' || c->kind == 'S');
}

static bool has_size(const ws_gs_cache *c) {
    int64_t bytes;
    return !__builtin_mul_overflow((int64_t)c->sets * c->line_B, c->ways, &bytes) && bytes <= INT32_MAX;
}

ws_gs_cache ws_gs_cache_of(ws_gs_draft *d, const char *option) {
    ws_gs_cache c = {0};
    bool is_cache = read_cache(ws_gs_text(d, option), &c);
    if (is_cache && has_size(&c)) return c;
    ws_gs_fail(d, option,
               is_cache
                   ? "SETS x LINE x WAYS of less than 2 GiB"
                   : "KIND:SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATION:WRITE_ALLOCATION:INDEX,MSHR:"
                     "ENTRIES:MERGES,QUEUE and perhaps :FIFO,PORT as GPGPU-Sim 4 has it, with KIND N or S "
                     "(N:32:128:4,L:L:m:N:H,S:64:8,8)");
    return (ws_gs_cache){0};
}

/* ---- letters */

typedef struct letter {
    char letter;
    const char *value, *why; /* why: what the replay does instead; NULL if it does what the letter means */
} letter;

/* Sets the parameter to the value of letter `found`. An unknown letter is taken for the first one. Notes where the
 * replay does something else than the simulator. */
static void put_letter(ws_gs_draft *d, const char *parameter, const char *option, char found,
                       const letter *letters, size_t count) {
    const letter *of = letters;
    for (size_t i = 1; i < count; i++)
        if (letters[i].letter == found) of = &letters[i];
    char instead[128];
    snprintf(instead, sizeof instead, "for its '%c', %s is %s", found, parameter, of->value);
    if (of->letter != found || of->why) ws_gs_tell(d, option, of->why ? of->why : instead);
    ws_gs_put_text(d, parameter, of->value, option,
                   of->letter != found ? "assumption: the nearest" : of->why);
}

static void put_geometry(ws_gs_draft *d, const char *level, const char *option, const ws_gs_cache *c) {
    static const letter replacements[] = {{'L', "lru", NULL}, {'F', "fifo", NULL}},
                        indexes[] = {{'L', "linear", NULL},
                                     {'H', "fermi_hash", NULL},
                                     {'P', "ipoly", NULL},
                                     {'X', "xor", NULL}};
    char parameter[32];
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"size_B", ws_gs_cache_B(c)},    {"ways", c->ways},
                   {"line_B", c->line_B},           {"mshr_entries", c->mshr_entries},
                   {"mshr_merges", c->mshr_merges}, {"miss_queue", c->miss_queue}};
    for (size_t i = 0; i < WS_COUNT(numbers); i++) {
        snprintf(parameter, sizeof parameter, "%s.%s", level, numbers[i].name);
        ws_gs_put_whole(d, parameter, numbers[i].value, option, NULL);
    }
    snprintf(parameter, sizeof parameter, "%s.replacement", level);
    put_letter(d, parameter, option, c->replacement, replacements, WS_COUNT(replacements));
    snprintf(parameter, sizeof parameter, "%s.index", level);
    put_letter(d, parameter, option, c->index, indexes, WS_COUNT(indexes));
}

/* ---- L1 */

static void put_l1_policies(ws_gs_draft *d, const ws_gs_cache *c) {
    static const letter allocations[] = {
        {'m', "on_miss", NULL}, {'f', "on_fill", NULL}, {'s', "on_fill", NULL}};
    put_letter(d, "l1.allocation", DL1, c->allocation, allocations, WS_COUNT(allocations));
    if (c->allocation == 's' && ws_gs_is_on(d, ADAPTIVE))
        ws_gs_tell(d, DL1,
                   "a streaming L1 allocates on fill, also where a kernel leaves all of the array to it");
    bool lazy = c->write == 'T' && c->write_allocation == 'L',
         evicts = strchr("LE", c->write) && c->write_allocation == 'N';
    if (c->write == 'E')
        ws_gs_tell(d, DL1, "of local memory a write that hits is kept all the same, and written back");
    if (!lazy && !evicts)
        ws_gs_tell(d, DL1, "taken as written through, where a hit evicts and a miss allocates nothing");
    ws_gs_put_text(d, "l1.write", lazy ? "through_lazy" : "evict", DL1,
                   lazy || evicts ? NULL : "assumption: the nearest");
    if (c->port_B && c->port_B < (c->kind == 'S' ? 32u : c->line_B))
        ws_gs_tell(d, DL1, "data that come are in the L1 in one cycle, however narrow its port is");
    ws_gs_copy(d, "l1.spare_dirty_percent", "gpgpu_l1_cache_write_ratio");
}

/* Sets the size of the array that the L1 and shared memory divide between them (0: each has its own), and the list of
 * sizes, in KiB, of which shared memory gets one. */
static void put_carveouts(ws_gs_draft *d) {
    static const char unified[] = "gpgpu_unified_l1d_size", shared[] = "gpgpu_shmem_option";
    static const struct {
        const char *list, *value;
    } known[] = {{"0,8,16,32,64,100", "ampere"},
                 {"0,8,16,32,64,96", "volta"},
                 {"32,64", "turing"},
                 {"0,8,16,32,64,100,132,164", "a100"},
                 {"0,8,16,32,64,164", "a100_accelsim"},
                 {"0,8,16,32,64,100,132,164,196,228", "hopper"},
                 {"0,8,16,32,64,228", "hopper_accelsim"}};
    bool is_unified = ws_gs_is_on(d, ADAPTIVE);
    ws_gs_put_whole(d, "l1.unified_B", is_unified ? ws_gs_whole(d, unified) * 1024 : 0,
                    is_unified ? unified : ADAPTIVE, NULL);
    if (!is_unified) return;
    size_t which = 0;
    while (which < WS_COUNT(known) && strcmp(known[which].list, ws_gs_text(d, shared)) != 0) which++;
    if (which == WS_COUNT(known)) {
        which = 0;
        ws_gs_tell(d, shared, "taken as 0,8,16,32,64,100 (l1.carveouts ampere)");
    }
    ws_gs_put_text(d, "l1.carveouts", known[which].value, shared, NULL);
}

static void put_l1(ws_gs_draft *d) {
    static const char banks[] = "gpgpu_l1_banks", interleaving[] = "gpgpu_l1_banks_byte_interleaving";
    ws_gs_cache c = ws_gs_cache_of(d, DL1);
    bool by_sectors = ws_gs_coalesces_by_sectors(d);
    put_geometry(d, "l1", DL1, &c);
    if ((c.kind == 'S') != by_sectors)
        ws_gs_tell(d, DL1,
                   by_sectors ? "the L1 has sectors, as gpgpu_coalesce_arch has"
                              : "the L1 has whole lines, as gpgpu_coalesce_arch has");
    put_l1_policies(d, &c);
    put_carveouts(d);
    ws_gs_copy(d, "l1.latency", "gpgpu_l1_latency");
    ws_gs_copy(d, "l1.banks", banks);
    if (ws_gs_whole(d, banks) > 1 && ws_gs_whole(d, interleaving) != 32)
        ws_gs_tell(d, interleaving, "banks have sectors of 32 bytes in turn");
    ws_gs_put_text(d, "l1.bank_by", "sector", interleaving, NULL);
    ws_gs_put_whole(d, "l1.bank_accesses", 1, NULL, "a bank takes one access in a cycle");
    ws_gs_put_whole(d, "l1.misses_per_cycle", 0, NULL, "each bank looks its access up");
}

/* ---- L2 */

/* True if GPGPU-Sim has a polynomial for this number of slices: it has those for 16, 32 and 64, where the number of
 * channels is rounded up to a power of two. */
static bool has_polynomial(ws_gs_draft *d) {
    int64_t slices = ws_gs_whole(d, "gpgpu_n_sub_partition_per_mchannel"),
            channels = ws_gs_whole(d, "gpgpu_n_mem");
    for (int64_t all = 16; all <= 64; all *= 2)
        if (channels * slices <= all && channels * slices * 2 > all) return true;
    return false;
}

static void put_partition(ws_gs_draft *d) {
    static const char option[] = "gpgpu_memory_partition_indexing";
    static const char *const partitions[] = {"linear", "xor", "ipoly", NULL, "random"}; /* 3: PAE */
    int64_t mode = ws_gs_whole(d, option);
    bool known = mode >= 0 && mode < (int64_t)WS_COUNT(partitions) && partitions[mode] &&
                 (mode != 2 || has_polynomial(d));
    if (!known)
        ws_gs_tell(d, option,
                   mode == 2 ? "there are polynomials for 16, 32 and 64 slices; taken as 0, consecutive"
                             : "taken as 0, consecutive");
    if (mode == 4) ws_gs_tell(d, option, "lines draw their slices, too, but not by rand(): other ones meet");
    ws_gs_put_text(d, "l2.partition", partitions[known ? mode : 0], option,
                   known ? NULL : "assumption: the nearest");
}

static void put_coalescer(ws_gs_draft *d) {
    static const char enabled[] = "gpgpu_lrc_enabled", entries[] = "gpgpu_lrc_max_entries";
    if (!ws_gs_is_on(d, enabled)) {
        ws_gs_put_whole(d, "l2.lrc_entries", 0, enabled, NULL);
        return;
    }
    ws_gs_copy(d, "l2.lrc_entries", entries);
    ws_gs_copy(d, "l2.lrc_merges", "gpgpu_lrc_max_merged");
}

static void put_l2(ws_gs_draft *d) {
    static const char queues[] = "gpgpu_dram_partition_queues", flush[] = "gpgpu_flush_l2_cache";
    ws_gs_cache c = ws_gs_cache_of(d, DL2);
    put_geometry(d, "l2", DL2, &c);
    if (c.kind != 'S') ws_gs_tell(d, DL2, "lines have sectors of 32 bytes, as with kind S");
    if (c.write != 'B' || c.allocation != 'm' || c.write_allocation != 'L')
        ws_gs_tell(d, DL2, "the L2 writes back, allocates on miss and fetches lazily (B:m:L)");
    if (c.port_B && c.port_B < 32)
        ws_gs_tell(d, DL2, "what misses takes the port as long as what hits, and data that come take none");
    ws_gs_put_whole(d, "l2.port_B", c.port_B ? c.port_B : c.line_B, DL2, NULL);
    ws_gs_copy(d, "l2.slices_per_channel", "gpgpu_n_sub_partition_per_mchannel");
    ws_gs_copy(d, "l2.latency", "gpgpu_l2_rop_latency");
    int64_t queue = ws_gs_part(d, queues, ':', 0);
    bool equal = true;
    for (int i = 1; i < 4; i++) equal &= ws_gs_part(d, queues, ':', i) == queue;
    if (!equal) ws_gs_tell(d, queues, "all four are as long as the first");
    ws_gs_put_whole(d, "l2.queue", queue, queues, NULL);
    put_partition(d);
    ws_gs_put_bool(d, "l2.sectors_apart", true, NULL, "memory_sub_partition makes a request of each sector");
    put_coalescer(d);
    bool is_flushed = ws_gs_is_on(d, flush);
    ws_gs_put_bool(d, "l2.flush", is_flushed, flush, NULL);
    if (is_flushed)
        ws_gs_tell(d, flush,
                   "all of the L2 is emptied, not only what was written in the first gpgpu_n_mem slices");
    ws_gs_put_bool(
        d, "l2.copies", false, NULL,
        "gpgpu_perf_sim_memcpy places copies under addresses cut to 32 bits, where no launch looks");
}

void ws_gs_draft_caches(ws_gs_draft *d) {
    put_l1(d);
    put_l2(d);
}
