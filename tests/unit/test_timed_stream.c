/* The accesses that the timed replay makes of a memory instruction: equal to their definition for all kinds of
 * coalescer; cases with known answers. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "base/array.h"
#include "timed/launch/stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the definition: groups of lanes; the aligned stretches of memory of each group; their order. Atomics go in
 * rounds, each of lanes that share no byte with each other. Of four sectors, a write carries the smallest aligned block
 * around those that it touches; with core.store_gaps a store writes the whole block. */

enum { ACCESSES_MAX = WS_LANES_MAX * 9 * 4 };

typedef struct naive_access {
    naive_request stretch;
    unsigned group, round, lane; /* lane: the lowest that asks for it */
} naive_access;

static bool asks_for(uint64_t address, unsigned width, unsigned stretch_B, uint64_t stretch) {
    for (unsigned byte = 0; byte < width; byte++)
        if ((address + byte) / stretch_B == stretch) return true;
    return false;
}

static bool share_a_byte(uint64_t a, uint64_t b, unsigned width) {
    for (unsigned i = 0; i < width; i++)
        for (unsigned j = 0; j < width; j++)
            if (a + i == b + j) return true;
    return false;
}

/* Moves the lanes of the next round from `left` to `round`, and returns their number. */
static unsigned next_round(uint64_t *left, unsigned *count, unsigned width, bool is_atomic, uint64_t *round) {
    unsigned lanes = 0, kept = 0;
    for (unsigned i = 0; i < *count; i++) {
        bool fits = true;
        for (unsigned k = 0; k < lanes && is_atomic; k++) fits &= !share_a_byte(left[i], round[k], width);
        if (fits)
            round[lanes++] = left[i];
        else
            left[kept++] = left[i];
    }
    *count = kept;
    return lanes;
}

static unsigned naive_accesses(const uint64_t *addresses, uint64_t mask, unsigned width, bool is_atomic,
                               unsigned group_lanes, unsigned stretch_B, naive_access *out) {
    static naive_request stretches[ACCESSES_MAX];
    unsigned count = 0;
    for (unsigned group = 0; group * group_lanes < WS_LANES_MAX; group++) {
        uint64_t of_group[WS_LANES_MAX];
        unsigned lanes = 0, nth = 0;
        for (unsigned lane = 0; lane < WS_LANES_MAX; lane++) {
            if (!(mask >> lane & 1)) continue;
            if (lane / group_lanes == group) of_group[lanes++] = addresses[nth];
            nth++;
        }
        for (unsigned round = 0; lanes > 0; round++) {
            uint64_t now[WS_LANES_MAX];
            unsigned taken = next_round(of_group, &lanes, width, is_atomic, now);
            unsigned of = naive_coalesce(now, taken, width, stretch_B, stretches);
            for (unsigned i = 0; i < of; i++) {
                unsigned lane = 0;
                while (!asks_for(now[lane], width, stretch_B, stretches[i].line)) lane++;
                out[count++] = (naive_access){stretches[i], group, round, lane};
            }
        }
    }
    return count;
}

static bool comes_before(const naive_access *a, const naive_access *b, int order) {
    if (a->group != b->group) return (a->group < b->group) ^ (order == WS_ORDER_DESCENDING);
    if (order == WS_ORDER_DESCENDING && a->stretch.line != b->stretch.line)
        return a->stretch.line > b->stretch.line;
    if (order == WS_ORDER_DESCENDING) return a->round > b->round;
    if (a->round != b->round) return a->round < b->round;
    if (order == WS_ORDER_LANE && a->lane != b->lane) return a->lane < b->lane;
    return a->stretch.line < b->stretch.line;
}

static const naive_access *nth_in_order(const naive_access *all, unsigned count, int order, unsigned nth) {
    for (unsigned i = 0; i < count; i++) {
        unsigned before = 0;
        for (unsigned j = 0; j < count; j++) before += comes_before(&all[j], &all[i], order);
        if (before == nth) return &all[i];
    }
    fail();
    return NULL;
}

static uint8_t block_around(uint8_t sectors) {
    for (unsigned size = 1; size < 8; size *= 2)
        for (unsigned first = 0; first < 8; first += size)
            if (!(sectors & ~(((1u << size) - 1) << first))) return (uint8_t)(((1u << size) - 1) << first);
    return 0xff;
}

/* Checks whether a word of the line is written in part, which lanes narrower than words can do. */
static void check_parts(const ws_access *got, const naive_access *expected, unsigned width, bool is_line) {
    bool in_parts = naive_bytes(&expected->stretch) != 4 * (unsigned)__builtin_popcountll(got->words);
    if (width % 4 == 0)
        assert_false(got->in_parts);
    else if (is_line || in_parts)
        assert_int_equal(got->in_parts, in_parts);
    assert_int_equal(ws_access_words(got), got->in_parts ? 0 : got->words);
}

static void check_access(const ws_access *got, const naive_access *expected, unsigned stretch_B,
                         unsigned line_B, const ws_static *s, bool in_blocks) {
    uint64_t address = expected->stretch.line * stretch_B;
    assert_int_equal(got->line, address / line_B);
    unsigned first_word = (unsigned)(address % line_B / 4);
    assert_int_equal(got->words, naive_words(&expected->stretch) << first_word);
    uint8_t sectors = 0;
    for (unsigned word = 0; word < 64; word++)
        if (got->words >> word & 1) sectors |= (uint8_t)(1u << word / 8);
    uint8_t block = stretch_B == 128 ? block_around(sectors) : sectors;
    assert_int_equal(got->sectors, in_blocks && s->op == WS_MEMORY_STORE ? block : sectors);
    if (s->op == WS_MEMORY_LOAD) return;
    assert_int_equal(got->data_B, __builtin_popcount(block));
    if (s->op == WS_MEMORY_STORE) check_parts(got, expected, s->width_B, stretch_B == line_B);
}

/* Returns the stretch that l1.access=by_width coalesces. */
static unsigned stretch_for(unsigned width, unsigned line_B) {
    if (width == 1) return 32;
    return width == 2 && line_B > 32 ? line_B / 2 : line_B;
}

/* Checks every instruction of a CTA. Returns the number of accesses. */
static uint64_t check_cta(const ws_trace *trace, const ws_cta *cta, const ws_timed_cta *timed,
                          const ws_core_params *core, unsigned stretch_B, unsigned line_B) {
    static naive_access expected[ACCESSES_MAX];
    uint64_t checked = 0;
    for (uint32_t w = 0, t = 0; w < cta->warp_count; w++) {
        const ws_warp *warp = &cta->warps[w];
        if (t == timed->warp_count || timed->warps[t].id != warp->id) continue;
        const ws_timed_warp *got = &timed->warps[t++];
        const ws_access *access = got->accesses;
        for (uint32_t i = 0; i < warp->inst_count; i++) {
            const ws_static *s = &ws_trace_statics(trace)[warp->static_id[i]];
            unsigned count = 0, stretch = stretch_B ? stretch_B : stretch_for(s->width_B, line_B);
            if (warp->mask[i] && s->op != WS_MEMORY_NONE && ws_static_is_global_or_local(s))
                count = naive_accesses(warp->addresses + warp->address_at[i], warp->mask[i], s->width_B,
                                       s->op == WS_MEMORY_ATOMIC || s->op == WS_MEMORY_REDUCTION,
                                       (unsigned)core->coalesce_lanes, stretch, expected);
            assert_int_equal(got->insts[i].access_count, count);
            for (unsigned k = 0; k < count; k++, access++, checked++)
                check_access(access, nth_in_order(expected, count, core->coalesce_order, k), stretch, line_B,
                             s, core->store_gaps);
        }
    }
    return checked;
}

static uint64_t check_trace(const ws_trace *trace, const char *settings, unsigned stretch_B) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    const ws_core_params *core = ws_config_get(config, &ws_core_component);
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    const ws_timed_stream_options options = {.issue_meta = true};
    uint64_t checked = 0;
    ws_timed_statics statics;
    assert_true(ws_timed_statics_init(&statics, trace, core, 0, false));
    for (uint32_t kernel = 1; kernel <= ws_trace_get_info(trace)->kernel_count; kernel++) {
        ws_timed_stream *timed_stream =
            ws_timed_stream_new(trace, kernel, &statics, core, l1, &options, &err);
        ws_reader *reader = ws_reader_new(trace, &err);
        assert_true(timed_stream && reader);
        for (uint32_t c = 0; c < ws_trace_kernel(trace, kernel)->counters.ctas; c++) {
            ws_cta cta;
            assert_true(ws_reader_cta(reader, kernel, c, &cta, &err));
            ws_timed_cta *timed = ws_timed_stream_cta(timed_stream, c, (ws_local_place){0}, &err);
            assert_non_null(timed);
            checked += check_cta(trace, &cta, timed, core, stretch_B, (unsigned)l1->line_B);
            free(timed);
        }
        ws_reader_free(reader);
        ws_timed_stream_free(timed_stream);
    }
    ws_timed_statics_free(&statics);
    ws_config_free(config);
    return checked;
}

static void equal_to_their_definition(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        unsigned stretch_B; /* 0: it depends on the width */
    } cases[] = {
        {"l1.access=line", 128},
        {"l1.access=line,core.store_gaps=true", 128},
        {"l1.access=line,core.coalesce_order=ascending", 128},
        {"l1.access=line,core.coalesce_order=lane", 128},
        {"l1.access=line,core.coalesce_lanes=8", 128},
        {"l1.access=line,core.coalesce_lanes=12,core.coalesce_order=ascending,core.coalesce_B=64", 64},
        {"l1.access=line,core.coalesce_lanes=16,core.coalesce_order=lane,core.coalesce_B=32", 32},
        {"l1.access=line,core.coalesce_lanes=1,core.coalesce_B=32", 32},
        {"l1.access=line,l1.line_B=64,l1.ways=8,core.coalesce_order=lane", 64},
        {"l1.access=line,l1.line_B=256,l1.ways=2,core.coalesce_B=128", 128},
        {"l1.access=line,l1.line_B=256,l1.ways=2,core.store_gaps=true", 256},
        {"l1.access=by_width", 0},
        {"l1.access=by_width,l1.line_B=256,l1.ways=2,core.store_gaps=true,core.coalesce_order=lane", 0},
        {"l1.access=by_width,l1.line_B=32,l1.ways=16,core.coalesce_lanes=16", 0},
        {"l1.access=sector", 32},
        {"l1.access=sector,core.coalesce_lanes=32,core.coalesce_order=lane,core.coalesce_B=32", 32},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        uint64_t checked = 0;
        for (uint64_t seed = 1; seed <= 6; seed++) {
            ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
            checked += check_trace(trace, cases[i].settings, cases[i].stretch_B);
            ws_trace_close(trace);
        }
        assert_true(checked > 1000);
    }
}

/* Pairs of lanes that access neighbouring words; the random generator makes no widths with which lanes overlap. */
static uint64_t pairs_a_word_apart(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x10000) + 16 * (lane / 2 * (inst % 2) + 100 * warp + 1000 * cta) + 4 * (lane % 2);
}

static void atomics_of_odd_widths_equal_their_definition(void **state) {
    (void)state;
    generate_plan plan = generate_loads(2, 2, 8, pairs_a_word_apart);
    plan.instruction.op = WS_MEMORY_ATOMIC;
    for (uint8_t width = 1; width < 24; width++) {
        plan.instruction.width_B = plan.instruction.text_width_B = width;
        ws_trace *trace = generate_planned(&plan);
        assert_true(check_trace(trace, "l1.access=sector", 32) > 100);
        assert_true(check_trace(trace, "l1.access=by_width,core.atomic_sectors=true", 32) > 100);
        ws_trace_close(trace);
    }
}

/* The first lane of each three has a word to itself, the others share one, so that the rounds of a line differ. */
static uint64_t some_share_a_word(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta;
    return UINT64_C(0x10000) + 256 * (uint64_t)warp + 8 * (lane * (inst + 3) % 40 / 3 * 2 + !(lane % 3));
}

static void atomics_at_shared_words_equal_their_definition(void **state) {
    (void)state;
    generate_plan plan = generate_loads(2, 2, 8, some_share_a_word);
    plan.instruction.op = WS_MEMORY_ATOMIC;
    for (uint8_t width = 4; width <= 8; width += 4) {
        plan.instruction.width_B = plan.instruction.text_width_B = width;
        ws_trace *trace = generate_planned(&plan);
        assert_true(check_trace(trace, "l1.access=line", 128) > 100);
        assert_true(check_trace(trace, "l1.access=line,core.coalesce_order=ascending", 128) > 100);
        assert_true(check_trace(trace, "l1.access=sector", 32) > 100);
        ws_trace_close(trace);
    }
}

/* ---- mappings of lanes to words (WP 3.6): an access has one of the patterns that WarpPool knows if one lane uses it,
 * or all active lanes use one word of it, or consecutive lanes use consecutive words, each in its place. */

static bool lane_uses(const ws_access *a, unsigned line_B, uint64_t address, unsigned width) {
    for (uint64_t byte = address; byte < address + width; byte++)
        if (byte / line_B == a->line && a->sectors >> byte % line_B / 32 & 1) return true;
    return false;
}

/* `addresses`: by lane; `active`: those that are coalesced together. */
static bool naive_other_mapping(const ws_access *a, unsigned line_B, unsigned width,
                                const uint64_t *addresses, uint64_t active) {
    uint64_t users = 0;
    for (unsigned lane = 0; lane < WS_LANES_MAX; lane++)
        if (active >> lane & 1 && lane_uses(a, line_B, addresses[lane], width)) users |= UINT64_C(1) << lane;
    unsigned first = (unsigned)__builtin_ctzll(users);
    bool one_lane = !(users & (users - 1)), one_word = users == active, in_step = true;
    for (unsigned lane = first, left = (unsigned)__builtin_popcountll(users); left; lane++, left--) {
        in_step &= users >> lane & 1 && addresses[lane] == addresses[first] + (lane - first) * width;
    }
    for (unsigned lane = 0; lane < WS_LANES_MAX; lane++) {
        if (!(users >> lane & 1)) continue;
        if (addresses[lane] % width) return true;
        one_word &= addresses[lane] == addresses[first];
    }
    return !one_lane && !one_word && !in_step;
}

/* Addresses of 32 lanes: one word for all, or for some and others for the others; words one by one, in pairs or apart;
 * in one case of eight not aligned. */
static void random_addresses(uint64_t *random, unsigned width, uint64_t addresses[32]) {
    unsigned kind = (unsigned)random_below(random, 6), from = (unsigned)random_below(random, 64),
             change = (unsigned)random_below(random, 32),
             off = random_below(random, 8) ? 0 : (unsigned)random_below(random, width);
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned words[] = {0, lane, lane / 2, 2 * lane, 40 * (lane >= change), lane + (lane >= change)};
        addresses[lane] = UINT64_C(0x10000) + (from + words[kind]) * width + off;
    }
}

/* All lanes, one, those of a stretch, or any. */
static uint64_t random_lanes(uint64_t *random) {
    uint64_t any = ws_random_next(random) >> 32, lane = random_below(random, 32);
    uint64_t lanes[] = {UINT32_MAX, UINT64_C(1) << lane, UINT64_C(0xffff) << lane & UINT32_MAX, any | 1};
    return lanes[random_below(random, WS_COUNT(lanes))];
}

/* Checks the accesses of a load. Adds to `seen` how many have a known mapping, and how many another. */
static void check_mappings(const ws_access_rules *r, unsigned width, const uint64_t addresses[32],
                           uint64_t mask, uint64_t seen[2]) {
    const ws_static load = {.op = WS_MEMORY_LOAD, .space = WS_SPACE_GLOBAL, .width_B = (uint8_t)width};
    ws_buffer out = {0};
    uint64_t dense[32];
    unsigned lanes = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1) dense[lanes++] = addresses[__builtin_ctzll(rest)];
    unsigned count = ws_accesses_put(r, &out, &load, dense, mask, lanes);
    const ws_access *got = (const ws_access *)(const void *)out.data;
    for (unsigned i = 0; i < count; i++) {
        bool other = naive_other_mapping(&got[i], r->line_B, width, addresses, mask);
        assert_int_equal(got[i].other_mapping, other);
        seen[other]++;
    }
    ws_buffer_free(&out);
}

static void mappings_equal_their_definition(void **state) {
    (void)state;
    static const char *const settings[] = {"l1.access=line", "l1.access=sector", "l1.access=by_width",
                                           "l1.access=line,core.coalesce_order=lane"};
    uint64_t random = 3, seen[2] = {0};
    for (size_t i = 0; i < WS_COUNT(settings); i++) {
        ws_config *config = mechanism_config(settings[i]);
        ws_access_rules r = ws_access_rules_of(ws_config_get(config, &ws_core_component),
                                               ws_config_get(config, &ws_l1_component), 32);
        r.mappings = true;
        for (int n = 0; n < 4000; n++) {
            uint64_t addresses[32];
            unsigned width = 1u << random_below(&random, 5);
            random_addresses(&random, width, addresses);
            check_mappings(&r, width, addresses, random_lanes(&random), seen);
        }
        ws_config_free(config);
    }
    assert_true(seen[false] > 10000 && seen[true] > 5000);
}

/* ---- banks of shared memory: an instruction makes as many passes as one of them has words to give */

static unsigned passes_of_group(const uint64_t *addresses, unsigned lanes, unsigned banks) {
    unsigned most = 0;
    for (unsigned bank = 0; bank < banks; bank++) {
        unsigned words = 0;
        for (unsigned i = 0; i < lanes; i++) {
            bool again = addresses[i] / 4 % banks != bank;
            for (unsigned k = 0; k < i; k++) again |= addresses[k] / 4 == addresses[i] / 4;
            words += !again;
        }
        if (words > most) most = words;
    }
    return most;
}

/* The groups of lanes make their passes one after the other. */
static unsigned naive_passes(uint64_t mask, const uint64_t *addresses, unsigned group, unsigned banks) {
    unsigned passes = 0;
    for (unsigned first = 0; first < 64; first += group) {
        unsigned active = 0;
        for (unsigned lane = first; lane < 64 && lane < first + group; lane++) active += mask >> lane & 1;
        passes += passes_of_group(addresses, active, banks);
        addresses += active;
    }
    return passes;
}

/* Consecutive words, words that several lanes share, columns of a table, and some of a few words. */
static uint64_t words_of_shared(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    uint64_t chance =
        (lane + 100 * (uint64_t)inst + 10000 * (uint64_t)warp) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    uint64_t kinds[] = {lane, lane / (inst / 4 + 2), lane * inst, chance % (inst * 4 + 3)};
    return 4096 * (uint64_t)cta + 4 * kinds[inst % WS_COUNT(kinds)] + lane % 4;
}

static void passes_of(const ws_trace *trace, unsigned banks, unsigned group, unsigned passes_seen[65]) {
    ws_error err = WS_NO_ERROR;
    char settings[100];
    snprintf(settings, sizeof settings, "core.shared_banks=%u,core.coalesce_lanes=%u", banks, group);
    ws_config *config = mechanism_config(settings);
    const ws_timed_stream_options options = {.issue_meta = true};
    const ws_core_params *core = ws_config_get(config, &ws_core_component);
    ws_timed_statics statics;
    assert_true(ws_timed_statics_init(&statics, trace, core, 0, false));
    ws_timed_stream *timed_stream = ws_timed_stream_new(
        trace, 1, &statics, core, ws_config_get(config, &ws_l1_component), &options, &err);
    ws_reader *reader = ws_reader_new(trace, &err);
    assert_true(timed_stream && reader);
    for (uint32_t c = 0; c < ws_trace_kernel(trace, 1)->counters.ctas; c++) {
        ws_cta cta;
        assert_true(ws_reader_cta(reader, 1, c, &cta, &err));
        ws_timed_cta *timed = ws_timed_stream_cta(timed_stream, c, (ws_local_place){0}, &err);
        assert_non_null(timed);
        for (uint32_t w = 0; w < cta.warp_count; w++)
            for (uint32_t i = 0; i < cta.warps[w].inst_count; i++) {
                const ws_warp *warp = &cta.warps[w];
                if (ws_trace_statics(trace)[warp->static_id[i]].space != WS_SPACE_SHARED) continue;
                unsigned passes =
                    naive_passes(warp->mask[i], warp->addresses + warp->address_at[i], group, banks);
                assert_int_equal(timed->warps[w].insts[i].shared_cycles, passes);
                passes_seen[passes]++;
            }
        free(timed);
    }
    ws_reader_free(reader);
    ws_timed_stream_free(timed_stream);
    ws_timed_statics_free(&statics);
    ws_config_free(config);
}

static void passes_equal_their_definition(void **state) {
    (void)state;
    generate_plan plan = generate_loads(2, 2, 40, words_of_shared);
    plan.instruction.space = WS_SPACE_SHARED;
    ws_trace *trace = generate_planned(&plan);
    unsigned passes_seen[65] = {0};
    static const unsigned banks[] = {1, 3, 16, 32, 33, 64};
    for (size_t b = 0; b < WS_COUNT(banks); b++)
        for (unsigned group = 64; group; group = group > 8 ? group / 2 - group / 16 : group / 3)
            passes_of(trace, banks[b], group, passes_seen);
    for (unsigned passes = 1; passes <= 8; passes++) assert_true(passes_seen[passes] > 0);
    ws_trace_close(trace);
}

/* ---- words of local memory */

static uint64_t one_place(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst, (void)lane;
    return 64;
}

/* Checks the accesses of one load of two words, in 32 threads' local memory, of which each word has a line: lines, and
 * the lanes that each access is for. */
static void check_words(const char *settings, const uint64_t *lines, const uint64_t *lanes, unsigned count) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    generate_plan plan = generate_loads(1, 1, 1, one_place);
    plan.instruction.space = WS_SPACE_LOCAL;
    plan.instruction.width_B = 8;
    ws_trace *trace = generate_planned(&plan);
    const ws_core_params *core = ws_config_get(config, &ws_core_component);
    const ws_timed_stream_options options = {.issue_meta = true};
    ws_timed_statics statics;
    assert_true(ws_timed_statics_init(&statics, trace, core, 0, false));
    ws_timed_stream *timed_stream = ws_timed_stream_new(
        trace, 1, &statics, core, ws_config_get(config, &ws_l1_component), &options, &err);
    ws_timed_cta *cta = ws_timed_stream_cta(timed_stream, 0, (ws_local_place){.threads = 32}, &err);
    assert_int_equal(cta->warps[0].insts[0].access_count, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(cta->warps[0].accesses[i].line, lines[i]);
        assert_int_equal(cta->warps[0].accesses[i].words, lanes[i]);
    }
    free(cta);
    ws_timed_stream_free(timed_stream);
    ws_timed_statics_free(&statics);
    ws_trace_close(trace);
    ws_config_free(config);
}

/* Word 16 of the threads is in line 16, word 17 in line 17. Groups of lanes have both of their words after each
 * other. */
static void groups_have_their_words_together(void **state) {
    (void)state;
    check_words("l1.access=line", (const uint64_t[]){17, 16}, (const uint64_t[]){UINT32_MAX, UINT32_MAX}, 2);
    check_words("l1.access=line,core.coalesce_lanes=16", (const uint64_t[]){17, 16, 17, 16},
                (const uint64_t[]){0xffff0000, 0xffff0000, 0xffff, 0xffff}, 4);
    check_words("l1.access=line,core.coalesce_lanes=24,core.coalesce_order=ascending",
                (const uint64_t[]){16, 17, 16, 17},
                (const uint64_t[]){0xffffff, 0xffffff, 0xff000000, 0xff000000}, 4);
}

/* ---- known answers */

static uint64_t pairs_far_apart(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return UINT64_C(0x10000) + 128 * (uint64_t)(lane % 16);
}

static uint64_t accesses_of(uint64_t (*address)(uint32_t, uint32_t, uint32_t, uint32_t),
                            const char *settings) {
    generate_plan plan = generate_loads(1, 1, 1, address);
    ws_trace *trace = generate_planned(&plan);
    mechanism_result r = mechanism_run(trace, 1, settings);
    ws_trace_close(trace);
    return r.counters.l1_accesses;
}

/* 32 lanes read a line, 4 bytes each: there are as many accesses as groups or as stretches, whichever are more. Lanes i
 * and i + 16 share an access only if they are in one group. */
static void groups_and_stretches_add_up(void **state) {
    (void)state;
#define LINES "gpu.clusters=1,l1.access=line,"
    for (uint64_t lanes = 1; lanes <= 64; lanes *= 2) {
        for (uint64_t bytes = 32; bytes <= 128; bytes *= 2) {
            char text[200];
            snprintf(text, sizeof text, LINES "core.coalesce_lanes=%d,core.coalesce_B=%d", (int)lanes,
                     (int)bytes);
            uint64_t groups = lanes >= 32 ? 1 : 32 / lanes, stretches = 128 / bytes;
            assert_int_equal(accesses_of(generate_one_line, text), groups > stretches ? groups : stretches);
            assert_int_equal(accesses_of(pairs_far_apart, text), lanes >= 32 ? 16 : 32);
        }
    }
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    assert_string_equal(mechanism_refusal(trace, "core.coalesce_B=64"),
                        "core.coalesce_B: l1.access by_width expects 0, found 64");
    assert_string_equal(mechanism_refusal(trace, "l1.access=sector,core.coalesce_B=64"),
                        "core.coalesce_B: l1.access sector expects 0 or 32, found 64");
    const char *wrong[] = {"256", "48", "16"};
    for (int i = 0; i < 3; i++) {
        char text[200], expected[200];
        snprintf(text, sizeof text, "l1.access=line,core.coalesce_B=%s", wrong[i]);
        snprintf(expected, sizeof expected,
                 "core.coalesce_B: expected 0 or a power of two of 32 to l1.line_B (128), found %s",
                 wrong[i]);
        assert_string_equal(mechanism_refusal(trace, text), expected);
    }
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_their_definition),
        cmocka_unit_test(atomics_of_odd_widths_equal_their_definition),
        cmocka_unit_test(atomics_at_shared_words_equal_their_definition),
        cmocka_unit_test(mappings_equal_their_definition),
        cmocka_unit_test(passes_equal_their_definition),
        cmocka_unit_test(groups_have_their_words_together),
        cmocka_unit_test(groups_and_stretches_add_up),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
