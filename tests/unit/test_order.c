/* Replay in fidelity `order`: equal to stepping over all warps one by one, and right where the answer is known. */
#include "replay/limit.h"
#include "replay/prepared.h"

#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Replay a launch into a stream: replay_all() takes requests and instructions, replay() requests alone. */
static stream replay_all(ws_replayer *replayer, const ws_trace *trace, uint32_t kernel,
                         const ws_config *config, ws_order_counters *counters) {
    ws_error err = WS_NO_ERROR;
    stream s = {0};
    ws_tap tap = stream_tap_all(&s, trace);
    if (!ws_replay_order(replayer, kernel, config, &tap, 1, counters, &err)) fail_msg("%s", err.text);
    return s;
}

static stream replay(ws_replayer *replayer, uint32_t kernel, const ws_config *config,
                     ws_order_counters *counters) {
    ws_error err = WS_NO_ERROR;
    stream s = {0};
    ws_tap tap = stream_tap(&s);
    if (!ws_replay_order(replayer, kernel, config, &tap, 1, counters, &err)) fail_msg("%s", err.text);
    return s;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Expects equal streams, but for the lines' names: `got` numbers them, `expected` has their addresses, one to one. */
static void expect_same_stream(const stream *got, const stream *expected) {
    assert_int_equal(got->count, expected->count);
    uint64_t *line_of = calloc(got->count + 1, sizeof *line_of),
             *lines = calloc(got->count + 1, sizeof *lines);
    bool *known = calloc(got->count + 1, sizeof *known);
    size_t line_count = 0;
    for (size_t i = 0; i < got->count; i++) {
        record g = got->records[i], e = expected->records[i];
        assert_true(g.line < got->count);
        if (!known[g.line]) {
            known[g.line] = true;
            line_of[g.line] = lines[line_count++] = e.line;
        }
        assert_int_equal(line_of[g.line], e.line);
        assert_int_equal(got->line_address[g.line], e.line);
        if (g.lane_address)
            assert_memory_equal(g.lane_address, e.lane_address, g.lanes * sizeof *g.lane_address);
        g.line = e.line = 0;
        assert_int_equal(g.words, e.words);
        assert_int_equal(g.warp, e.warp);
        assert_int_equal(g.cta, e.cta);
        assert_int_equal(g.inst, e.inst);
        assert_int_equal(g.sm, e.sm);
        assert_int_equal(g.slot, e.slot);
        assert_int_equal(g.bytes, e.bytes);
        assert_int_equal(g.op, e.op);
        assert_int_equal(g.local, e.local);
        assert_int_equal(g.sectors, e.sectors);
        assert_int_equal(g.step, e.step);
        assert_int_equal(g.nth, e.nth);
        assert_int_equal(g.of, e.of);
        assert_int_equal(g.lanes, e.lanes);
    }
    qsort(lines, line_count, sizeof *lines, by_value);
    for (size_t i = 1; i < line_count; i++) assert_true(lines[i] > lines[i - 1]);
    free(lines);
    free(line_of);
    free(known);
}

/* Expects equal instructions; addresses and values that were not asked for are not compared. */
static void expect_same_insts(const stream *got, const stream *expected) {
    assert_int_equal(got->inst_count, expected->inst_count);
    for (size_t i = 0; i < got->inst_count; i++) {
        inst_record g = got->insts[i], e = expected->insts[i];
        assert_int_equal(g.inst, e.inst);
        assert_int_equal(g.mask, e.mask);
        assert_int_equal(g.issued, e.issued);
        assert_int_equal(g.warp, e.warp);
        assert_int_equal(g.cta, e.cta);
        assert_int_equal(g.sm, e.sm);
        assert_int_equal(g.slot, e.slot);
        if (g.address)
            assert_memory_equal(g.address, e.address,
                                (size_t)__builtin_popcountll(g.mask) * sizeof *g.address);
        if (!g.values) continue;
        assert_int_equal(g.uniform, e.uniform);
        assert_memory_equal(g.values, e.values, (size_t)__builtin_popcount(g.uniform) * sizeof *g.values);
    }
}

static void expect_same_counters(const ws_order_counters *got, const ws_order_counters *expected) {
    assert_int_equal(got->steps, expected->steps);
    assert_int_equal(got->warp_instructions, expected->warp_instructions);
    assert_int_equal(got->memory_instructions, expected->memory_instructions);
    assert_int_equal(got->requests, expected->requests);
    assert_int_equal(got->thread_instructions, expected->thread_instructions);
    assert_int_equal(got->ctas, expected->ctas);
}

static ws_config *random_config(uint64_t *random) {
    static const char *const dispatches[] = {"\"two_level_rr\"", "\"global_rr\"", "\"greedy\"",
                                             "\"distributed\"", "\"distributed_block\""};
    ws_config *config = config_for(NULL);
    config_set_number(config, "gpu.clusters", 1 + random_below(random, 3));
    config_set_number(config, "gpu.sms_per_cluster", 1 + random_below(random, 3));
    config_set(config, "gpu.dispatch", dispatches[random_below(random, 5)]);
    config_set_number(config, "sm.ctas", 1 + random_below(random, 5));
    config_set_number(config, "sm.warps", 8 + random_below(random, 57));
    config_set_number(config, "sm.schedulers", 1 + random_below(random, 4));
    config_set(config, "sm.scheduler", random_one_in(random, 2) ? "\"lrr\"" : "\"gto\"");
    config_set_number(config, "order.load_delay_issues",
                      random_one_in(random, 3) ? 0 : random_below(random, 30));
    config_set(config, "order.issue_meta", random_one_in(random, 2) ? "true" : "false");
    if (random_one_in(random, 3)) config_set_number(config, "limit.ctas", 1 + random_below(random, 12));
    if (random_one_in(random, 3))
        config_set_number(config, "limit.warp_instructions", 1 + random_below(random, 1500));
    unsigned line_shift = 5 + random_below(random, 4);
    config_set_number(config, "coalesce.line_B", 1 << line_shift);
    config_set_number(config, "coalesce.sector_B", 1 << (2 + random_below(random, line_shift - 1)));
    return config;
}

/* The replay equals a naive one that steps over all warps. One replayer may keep everything, the other next to nothing;
 * each is asked several times, for different data. */
static void random_traces_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 80; seed += EVERY) {
        uint64_t random = seed;
        ws_error err = WS_NO_ERROR;
        ws_trace *trace = generate_random(seed, random_one_in(&random, 3) ? 64 : 32);
        ws_replayer *rich = ws_replayer_new(trace, 0, &err), *poor = ws_replayer_new(trace, 1, &err);
        for (uint32_t kernel = 1; kernel <= 2; kernel++) {
            ws_config *config = random_config(&random);
            ws_order_counters expected, got;
            stream naive = naive_order(trace, kernel, config, &expected);
            for (int again = 0; again < 6; again++) {
                ws_replayer_want(again % 2 ? rich : poor, again < 2 ? WS_WANT_LANES : 0);
                stream s = replay(again % 2 ? rich : poor, kernel, config, &got);
                expect_same_stream(&s, &naive);
                expect_same_counters(&got, &expected);
                if (s.count) assert_int_equal(s.records[0].lane_address != NULL, again < 2);
                stream_free(&s);
            }
            uint32_t values =
                ws_trace_get_info(trace)->features & WS_FEATURE_VALUES ? (uint32_t)WS_WANT_VALUES : 0;
            for (int again = 0; again < 6; again++) {
                static const uint32_t wants[] = {WS_WANT_ADDRESSES, 0, WS_WANT_LANES};
                ws_replayer *replayer = again % 2 ? rich : poor;
                ws_replayer_want(replayer, wants[again / 2] | (again < 4 ? values : 0));
                stream s = replay_all(replayer, trace, kernel, config, &got);
                expect_same_stream(&s, &naive);
                expect_same_insts(&s, &naive);
                expect_same_counters(&got, &expected);
                for (size_t i = 0; i < s.inst_count; i++) {
                    assert_int_equal(s.insts[i].address != NULL, again < 2 && naive.insts[i].address);
                    assert_int_equal(s.insts[i].values != NULL, again < 4 && values);
                }
                stream_free(&s);
            }
            stream_free(&naive);
            ws_config_free(config);
        }
        ws_replayer_free(rich);
        ws_replayer_free(poor);
        ws_trace_close(trace);
    }
}

/* Tests that each request comes after its instruction, however the two are cut into batches. */
typedef struct order_seen {
    const ws_static *statics;
    uint64_t *left; /* per warp: requests whose instruction has come */
    uint64_t instructions, requests;
} order_seen;

static void see_instructions(void *context, const ws_instructions *b) {
    order_seen *seen = context;
    seen->instructions += b->count;
    for (size_t i = 0; i < b->count; i++)
        if (b->mask[i] && ws_static_is_global_or_local(&seen->statics[b->inst[i]])) seen->left[b->warp[i]]++;
}

static void see_requests(void *context, const ws_requests *b) {
    order_seen *seen = context;
    seen->requests += b->count;
    for (size_t i = 0; i < b->count; i++) {
        assert_true(seen->left[b->warp[i]] > 0);
        if (b->nth[i] + 1 == b->of[i]) seen->left[b->warp[i]]--;
    }
}

static void requests_come_after_their_instructions(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ws_error err = WS_NO_ERROR;
        ws_trace *trace = generate_random(seed, 32);
        ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
        ws_config *config = config_for(NULL);
        const ws_counters *c = &ws_trace_kernel(trace, 1)->counters;
        order_seen seen = {.statics = ws_trace_statics(trace), .left = calloc(64 * 64, sizeof(uint64_t))};
        const ws_tap taps[] = {{&seen, see_requests, see_instructions}, {&seen, NULL, NULL}};
        ws_order_counters counted;
        assert_true(ws_replay_order(replayer, 1, config, taps, 2, &counted, &err));
        assert_int_equal(seen.instructions, c->warp_instructions + c->meta_instructions);
        assert_int_equal(seen.requests, counted.requests);
        for (size_t i = 0; i < 64 * 64; i++) assert_int_equal(seen.left[i], 0);
        free(seen.left);
        ws_config_free(config);
        ws_replayer_free(replayer);
        ws_trace_close(trace);
    }
}

static void count_values(void *context, const ws_instructions *batch) {
    size_t *with_values = context;
    *with_values += batch->uniform || batch->values ? batch->count : 0;
}

static void values_are_absent_where_the_trace_has_none(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) { /* traces of even seeds have values */
        ws_error err = WS_NO_ERROR;
        ws_trace *trace = generate_random(seed, 32);
        ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
        ws_config *config = config_for(NULL);
        size_t with_values = 0;
        const ws_tap tap = {&with_values, NULL, count_values};
        ws_replayer_want(replayer, WS_WANT_VALUES);
        if (!ws_replay_order(replayer, 1, config, &tap, 1, NULL, &err)) fail_msg("%s", err.text);
        assert_int_equal(with_values > 0, seed % 2 == 0);
        ws_config_free(config);
        ws_replayer_free(replayer);
        ws_trace_close(trace);
    }
}

/* Adds what accesses to local memory ask for by the addresses of the trace, by which its counters go. */
static void add_local(const ws_trace *trace, uint32_t kernel, uint64_t *requests, uint64_t *sectors) {
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(trace, &err);
    static naive_request lines[256];
    ws_cta cta;
    for (uint32_t i = 0; i < ws_trace_kernel(trace, kernel)->counters.ctas; i++) {
        assert_true(ws_reader_cta(reader, kernel, i, &cta, &err));
        for (uint32_t w = 0; w < cta.warp_count; w++)
            for (uint32_t k = 0; k < cta.warps[w].inst_count; k++) {
                const ws_warp *warp = &cta.warps[w];
                const ws_static *s = &ws_trace_statics(trace)[warp->static_id[k]];
                if (s->space != WS_SPACE_LOCAL || s->class_ == WS_CLASS_META) continue;
                unsigned lanes = warp->address_at[k + 1] - warp->address_at[k],
                         count = naive_coalesce(warp->addresses + warp->address_at[k], lanes, s->width_B, 128,
                                                lines);
                *requests += count;
                for (unsigned line = 0; line < count; line++) *sectors += naive_sectors(&lines[line], 32);
            }
    }
    ws_reader_free(reader);
}

static void totals_are_those_of_the_trace(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        ws_error err = WS_NO_ERROR;
        ws_trace *trace = generate_random(seed, seed % 2 ? 32 : 64);
        ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
        ws_config *config = config_for(NULL);
        for (uint32_t kernel = 1; kernel <= 2; kernel++) {
            ws_order_counters got;
            stream s = replay(replayer, kernel, config, &got);
            const ws_counters *c = &ws_trace_kernel(trace, kernel)->counters;
            uint64_t requests = 0, sectors = 0, lanes = 0;
            add_local(trace, kernel, &requests, &sectors);
            for (size_t i = 0; i < s.count; i++) {
                bool local = ws_trace_statics(trace)[s.records[i].inst].space == WS_SPACE_LOCAL;
                requests += !local;
                sectors += local ? 0 : s.records[i].sectors;
                if (s.records[i].nth == 0) lanes += s.records[i].lanes;
            }
            assert_int_equal(got.warp_instructions, c->warp_instructions);
            assert_int_equal(got.memory_instructions, c->memory_instructions);
            assert_int_equal(requests, c->requests);
            assert_int_equal(sectors, c->sectors);
            assert_int_equal(lanes, c->lane_accesses);
            stream_free(&s);
        }
        ws_config_free(config);
        ws_replayer_free(replayer);
        ws_trace_close(trace);
    }
}

/* What a replayer keeps of a launch serves replays alike in what it depends on, no others. */
static void one_replayer_is_like_fresh_ones(void **state) {
    (void)state;
    static const char *const changes[][2] = {{"coalesce.sector_B", "64"},   {"order.issue_meta", "true"},
                                             {"coalesce.line_B", "64"},     {"coalesce.sector_B", "32"},
                                             {"order.issue_meta", "false"}, {"gpu.clusters", "2"}};
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_random(2, 32);
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    ws_config *config = config_for(NULL);
    for (size_t i = 0; i < WS_COUNT(changes); i++) {
        ws_order_counters kept, expected;
        config_set(config, changes[i][0], changes[i][1]);
        ws_replayer *fresh = ws_replayer_new(trace, 0, &err);
        stream s = replay(replayer, 1, config, &kept), t = replay(fresh, 1, config, &expected);
        expect_same_counters(&kept, &expected);
        assert_true(s.count > 0);
        assert_int_equal(s.count, t.count);
        for (size_t k = 0; k < s.count; k++) {
            assert_int_equal(s.line_address[s.records[k].line], t.line_address[t.records[k].line]);
            assert_int_equal(s.records[k].sectors, t.records[k].sectors);
            assert_int_equal(s.records[k].step, t.records[k].step);
        }
        stream_free(&s);
        stream_free(&t);
        ws_replayer_free(fresh);
    }
    ws_config_free(config);
    ws_replayer_free(replayer);
    ws_trace_close(trace);
}

/* A CTA that issues nothing takes no step, wherever it comes. */
static void silent_ctas_take_no_steps(void **state) {
    (void)state;
    enum { CTAS = 5, INSTS = 7 };
    for (uint32_t silent = 0; silent < CTAS; silent++) {
        ws_error err = WS_NO_ERROR;
        ws_writer *w = ws_writer_new(folder_path("silent.wst"), "test", "test", 32, 0, &err);
        const ws_static add = {.opcode = ws_writer_opcode(w, "add", 3), .class_ = WS_CLASS_INT};
        const uint32_t id = ws_writer_static(w, &add);
        assert_true(
            ws_writer_kernel(w, &(ws_kernel){.name = "k", .grid = {CTAS, 1, 1}, .block = {32, 1, 1}}, &err));
        for (uint32_t c = 0; c < CTAS; c++) {
            assert_true(ws_writer_cta(w, (ws_dim3){c, 0, 0}, &err) && ws_writer_warp(w, 0, &err));
            for (int i = 0; i < INSTS && c != silent; i++)
                assert_true(ws_writer_inst(w, id, UINT32_MAX, NULL, &err));
        }
        assert_true(ws_writer_finish(w, &err));
        ws_writer_free(w);
        ws_trace *trace = trace_written("silent.wst");
        ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
        ws_config *config = config_for(NULL);
        config_set(config, "gpu.clusters", "1");
        config_set(config, "sm.ctas", "1");
        ws_order_counters got;
        stream s = replay(replayer, 1, config, &got);
        assert_int_equal(got.steps, (CTAS - 1) * INSTS);
        assert_int_equal(got.ctas, CTAS);
        stream_free(&s);
        ws_config_free(config);
        ws_replayer_free(replayer);
        ws_trace_close(trace);
    }
}

static void what_is_kept_stays_within_the_budget(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_random(2, 32);
    const ws_prepared_options options = {.coalesce = {.line_B = 128, .sector_B = 32}};
    uint32_t ctas = (uint32_t)ws_trace_kernel(trace, 1)->counters.ctas;
    assert_true(ctas > 2);
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_prepared *all = ws_prepared_new(trace, reader, 1, &options, 1 << 30, &err);
    ws_prepared *none = ws_prepared_new(trace, reader, 1, &options, 0, &err);
    assert_non_null(ws_prepared_acquire(all, 0, &err));
    size_t whole = ws_prepared_kept_B(all); /* all CTAs are prepared ahead */
    assert_true(whole > 0);
    for (uint32_t i = 0; i < ctas; i++) {
        const ws_prepared_cta *one = ws_prepared_acquire(none, i, &err),
                              *kept = ws_prepared_acquire(all, i, &err);
        assert_non_null(one);
        assert_int_equal(one->size_B, kept->size_B);
        assert_int_equal(ws_prepared_kept_B(none), one->size_B);
        ws_prepared_release(none, i);
        ws_prepared_release(all, i);
        assert_int_equal(ws_prepared_kept_B(none), 0);
        assert_int_equal(ws_prepared_kept_B(all), whole);
    }
    ws_prepared_free(all);
    ws_prepared_free(none);

    /* CTAs that nobody will ask for are not prepared ahead: of this launch only two will be. */
    ws_prepared *two = ws_prepared_new(trace, reader, 1, &options, 1 << 30, &err);
    ws_prepared_expect(two, 2);
    const size_t first_B = ws_prepared_acquire(two, 0, &err)->size_B,
                 second_B = ws_prepared_acquire(two, 1, &err)->size_B;
    assert_int_equal(ws_prepared_kept_B(two), first_B + second_B);
    ws_prepared_free(two);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* Writes two launches, each of one load with the value that it gives. */
static void write_small_launches(const char *path) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(path, "test", "test", 32, 0, &err);
    if (!writer) fail_msg("%s", err.text);
    const ws_static load = {.opcode = ws_writer_opcode(writer, "LOAD", 4),
                            .class_ = WS_CLASS_MEM,
                            .op = WS_MEMORY_LOAD,
                            .space = WS_SPACE_GLOBAL,
                            .width_B = 4,
                            .text_width_B = 4,
                            .result_values = 1};
    const ws_kernel kernel = {.name = "small", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    const uint64_t address = 0x1000, value = 7;
    for (int launch = 0; launch < 2; launch++)
        if (!ws_writer_kernel(writer, &kernel, &err) || !ws_writer_cta(writer, (ws_dim3){0, 0, 0}, &err) ||
            !ws_writer_warp(writer, 0, &err) ||
            !ws_writer_inst_values(writer, ws_writer_static(writer, &load), 1, &address, 1, &value, &err))
            fail_msg("%s", err.text);
    if (!ws_writer_finish(writer, &err)) fail_msg("%s", err.text);
    ws_writer_free(writer);
}

/* Small launches share a block of the file, which is decoded once: damage done after the first launch was read goes
 * unnoticed. */
static void launches_in_one_block_are_decoded_once(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    for (int with_values = 0; with_values < 2; with_values++) {
        const char *path = folder_path("small.wst");
        write_small_launches(path);
        ws_trace *trace = ws_trace_open(path, &err);
        ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
        ws_config *config = config_for(NULL);
        size_t values = 0;
        const ws_tap tap = {&values, NULL, count_values};
        if (with_values) ws_replayer_want(replayer, WS_WANT_VALUES);
        if (!ws_replay_order(replayer, 1, config, &tap, 1, NULL, &err)) fail_msg("%s", err.text);
        FILE *file = fopen(path, "r+");
        assert_int_equal(fseek(file, 160, SEEK_SET), 0); /* behind the header */
        assert_int_equal(fputc(0xff, file), 0xff);
        assert_int_equal(fclose(file), 0);
        if (!ws_replay_order(replayer, 2, config, &tap, 1, NULL, &err)) fail_msg("%s", err.text);
        assert_int_equal(values, with_values ? 2 : 0);
        ws_config_free(config);
        ws_replayer_free(replayer);
        ws_trace_close(trace);
    }
}

/* ---- known answers */

static uint64_t own_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return (((uint64_t)cta * 8 + warp) * 64 + inst) * 128 + 4 * lane;
}

/* Returns the warps' numbers in the order in which they issue, one digit each, on one SM with one scheduler. */
static const char *order_of(const generate_plan *plan, const char *scheduler, const char *delay,
                            uint64_t *steps) {
    static char text[256];
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_planned(plan);
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    ws_config *config = config_for(NULL);
    config_set(config, "gpu.clusters", "1");
    config_set(config, "sm.schedulers", "1");
    config_set(config, "sm.scheduler", scheduler);
    config_set(config, "order.load_delay_issues", delay);
    ws_order_counters counters;
    stream s = replay(replayer, 1, config, &counters);
    *steps = counters.steps;
    assert_true(s.count < sizeof text);
    for (size_t i = 0; i < s.count; i++) text[i] = (char)('0' + s.records[i].warp);
    text[s.count] = 0;
    stream_free(&s);
    ws_config_free(config);
    ws_replayer_free(replayer);
    ws_trace_close(trace);
    return text;
}

static void schedulers_take_their_turns(void **state) {
    (void)state;
    uint64_t steps;
    generate_plan plan = generate_loads(2, 2, 3, own_line);
    assert_string_equal(order_of(&plan, "\"lrr\"", "0", &steps), "012301230123");
    assert_int_equal(steps, 12);
    assert_string_equal(order_of(&plan, "\"gto\"", "0", &steps), "000111222333");
    assert_int_equal(steps, 12);
    /* A warp that issued at t is back at t + 1 + delay: others fill in, the oldest first. */
    assert_string_equal(order_of(&plan, "\"gto\"", "1", &steps), "010101232323");
    assert_int_equal(steps, 12);
    assert_string_equal(order_of(&plan, "\"gto\"", "2", &steps), "012012012333");
    assert_int_equal(steps, 9 + 1 + 3 + 3); /* the last warp alone: time jumps over its delays */
    assert_string_equal(order_of(&plan, "\"lrr\"", "9", &steps), "012301230123");
    assert_int_equal(steps, 4 + 10 + 10);
}

static void barriers_hold_warps_together(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 4, 5, NULL);
    plan.instruction = (ws_static){.class_ = WS_CLASS_BARRIER};
    plan.opcode = "BAR.SYNC";
    uint64_t steps;
    assert_string_equal(order_of(&plan, "\"gto\"", "20", &steps), "");
    assert_int_equal(steps, 20); /* four warps arrive one by one, five times */
}

static void ctas_that_do_not_fit_name_the_limit(void **state) {
    (void)state;
    static const struct {
        const char *name, *value, *text;
    } cases[] = {
        {"sm.threads", "255", "a CTA needs 256 threads, an SM has 255: raise sm.threads"},
        {"sm.warps", "7", "a CTA needs 8 warps, an SM has 7: raise sm.warps"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_error err = WS_NO_ERROR;
        generate_plan plan = generate_loads(1, 8, 1, own_line);
        ws_trace *trace = generate_planned(&plan);
        ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
        ws_config *config = config_for(NULL);
        config_set(config, cases[i].name, cases[i].value);
        assert_false(ws_replay_order(replayer, 1, config, NULL, 0, NULL, &err));
        assert_int_equal(err.code, WS_ERROR_SPEC);
        assert_string_equal(err.text, cases[i].text);
        ws_config_free(config);
        ws_replayer_free(replayer);
        ws_trace_close(trace);
    }
}

static void launches_that_are_not_there_are_refused(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(1, 1, 1, own_line);
    ws_trace *trace = generate_planned(&plan);
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    ws_config *config = config_for(NULL);
    for (uint32_t launch = 0; launch <= 2; launch += 2) {
        assert_false(ws_replay_order(replayer, launch, config, NULL, 0, NULL, &err));
        assert_int_equal(err.code, WS_ERROR_INTERNAL);
        assert_non_null(strstr(err.text, "generated.wst: expected one of its 1 launches, found "));
    }
    ws_config_free(config);
    ws_replayer_free(replayer);
    ws_trace_close(trace);
}

/* Meta instructions count towards limit.warp_instructions if they are issued. This launch has no others. */
static void limits_count_what_is_issued(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_planned(&(generate_plan){.warp_size = 32,
                                                        .ctas = 4,
                                                        .warps_per_cta = 1,
                                                        .insts = 5,
                                                        .opcode = "mov",
                                                        .instruction = {.class_ = WS_CLASS_META}});
    for (int meta = 0; meta < 2; meta++) {
        uint32_t ctas = 0;
        ws_reader *counting = NULL;
        ws_config *config = config_for(NULL);
        config_set(config, "order.issue_meta", meta ? "true" : "false");
        config_set(config, "limit.warp_instructions", "10");
        assert_true(ws_limit_ctas(trace, &counting, 1, config, &ctas, &err));
        assert_int_equal(ctas, meta ? 2 : 4);
        ws_reader_free(counting);
        ws_config_free(config);
    }
    ws_trace_close(trace);
}

static void parameters_that_do_not_go_together_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *value, *name2, *value2, *text;
    } cases[] = {
        {"coalesce.line_B", "96", "coalesce.sector_B", "32", "coalesce.line_B: expected a power of two"},
        {"coalesce.line_B", "128", "coalesce.sector_B", "33", "coalesce.sector_B: expected a power of two"},
        {"coalesce.line_B", "32", "coalesce.sector_B", "64",
         "coalesce.sector_B: expected at most coalesce.line_B (32)"},
        {"gpu.clusters", "1000", "gpu.sms_per_cluster", "5",
         "expected at most 4096 SMs, found 1000 x 5 = 5000"},
        {"sm.warps", "3", "sm.schedulers", "4", "sm.schedulers: expected at most sm.warps (3), found 4"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_error err = WS_NO_ERROR;
        ws_config *config = config_for(NULL);
        assert_true(ws_config_validate(config, &err));
        config_set(config, cases[i].name, cases[i].value);
        config_set(config, cases[i].name2, cases[i].value2);
        assert_false(ws_config_validate(config, &err));
        assert_int_equal(err.code, WS_ERROR_SPEC);
        assert_non_null(strstr(err.text, cases[i].text));
        ws_config_free(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces_are_like_naive),
        cmocka_unit_test(requests_come_after_their_instructions),
        cmocka_unit_test(values_are_absent_where_the_trace_has_none),
        cmocka_unit_test(totals_are_those_of_the_trace),
        cmocka_unit_test(one_replayer_is_like_fresh_ones),
        cmocka_unit_test(silent_ctas_take_no_steps),
        cmocka_unit_test(what_is_kept_stays_within_the_budget),
        cmocka_unit_test(launches_in_one_block_are_decoded_once),
        cmocka_unit_test(schedulers_take_their_turns),
        cmocka_unit_test(barriers_hold_warps_together),
        cmocka_unit_test(ctas_that_do_not_fit_name_the_limit),
        cmocka_unit_test(launches_that_are_not_there_are_refused),
        cmocka_unit_test(limits_count_what_is_issued),
        cmocka_unit_test(parameters_that_do_not_go_together_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
