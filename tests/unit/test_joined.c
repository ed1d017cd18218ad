/* Joined traces: the launches, instructions, addresses and copies of each program are in them; what cannot be
 * joined. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_trace *join(const ws_trace *first, const ws_trace *second) {
    ws_error err = WS_NO_ERROR;
    ws_trace *joined = ws_trace_join(first, second, &err);
    if (!joined) fail_msg("%s", err.text);
    return joined;
}

/* ---- what is in it */

static void check_static(const ws_trace *joined, uint32_t id, const ws_trace *own, uint32_t own_id) {
    ws_static a = ws_trace_statics(joined)[id], b = ws_trace_statics(own)[own_id];
    assert_string_equal(ws_trace_opcode(joined, a.opcode), ws_trace_opcode(own, b.opcode));
    a.opcode = b.opcode;
    assert_memory_equal(&a, &b, sizeof a);
}

static void check_warp(const ws_trace *joined, const ws_warp *a, const ws_trace *own, const ws_warp *b,
                       uint64_t distance) {
    assert_int_equal(a->id, b->id);
    assert_int_equal(a->inst_count, b->inst_count);
    for (uint32_t i = 0; i < a->inst_count; i++) {
        check_static(joined, a->static_id[i], own, b->static_id[i]);
        assert_true(a->mask[i] == b->mask[i]);
        assert_int_equal(a->address_at[i + 1], b->address_at[i + 1]);
        bool moves = ws_static_is_global_or_local(&ws_trace_statics(own)[b->static_id[i]]);
        for (uint32_t k = b->address_at[i]; k < b->address_at[i + 1]; k++)
            assert_true(a->addresses[k] == b->addresses[k] + (moves ? distance : 0));
    }
}

/* Fails unless launch `index` of the joined traces is launch `own_index` of that program. */
static void check_launch(const ws_trace *joined, uint32_t index, uint32_t program, const ws_trace *own,
                         uint32_t own_index) {
    ws_error err = WS_NO_ERROR;
    const ws_kernel *a = ws_trace_kernel(joined, index), *b = ws_trace_kernel(own, own_index);
    assert_int_equal(a->index, index);
    assert_int_equal(a->program, program);
    assert_string_equal(a->name, b->name);
    assert_memory_equal(&a->counters, &b->counters, sizeof a->counters);
    assert_memory_equal(&a->block, &b->block, sizeof a->block);
    ws_reader *of_joined = ws_reader_new(joined, &err), *of_own = ws_reader_new(own, &err);
    for (uint32_t cta = 0; cta < b->counters.ctas; cta++) {
        ws_cta ours, theirs;
        if (!ws_reader_cta(of_joined, index, cta, &ours, &err) ||
            !ws_reader_cta(of_own, own_index, cta, &theirs, &err))
            fail_msg("%s", err.text);
        assert_int_equal(ours.warp_count, theirs.warp_count);
        for (uint32_t w = 0; w < ours.warp_count; w++)
            check_warp(joined, &ours.warps[w], own, &theirs.warps[w], program * WS_PROGRAM_SPACE_B);
    }
    ws_reader_free(of_joined);
    ws_reader_free(of_own);
}

static void both_programs_are_in_it(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        ws_trace *a = generate_random(seed, 32), *b = generate_random(seed + 20, 32), *joined = join(a, b);
        const ws_trace_info *info = ws_trace_get_info(joined);
        assert_int_equal(info->kernel_count, 4);
        assert_int_equal(info->programs, 2);
        assert_int_equal(ws_trace_get_info(a)->programs, 1);
        for (uint32_t i = 1; i <= 2; i++) {
            check_launch(joined, i, 0, a, i);
            check_launch(joined, 2 + i, 1, b, i);
        }
        assert_ptr_equal(ws_trace_of_program(joined, 0), a);
        assert_ptr_equal(ws_trace_of_program(joined, 1), b);
        assert_ptr_equal(ws_trace_of_program(a, 0), a);
        ws_trace_close(joined);
        ws_trace_close(a);
        ws_trace_close(b);
    }
}

static void a_program_beside_itself(void **state) {
    (void)state;
    ws_trace *a = generate_random(4, 32), *joined = join(a, a);
    check_launch(joined, 2, 0, a, 2);
    check_launch(joined, 4, 1, a, 2);
    for (uint32_t i = 1; i <= 2; i++) {
        char other[300];
        const char *own = ws_trace_kernel(joined, i)->short_name;
        assert_string_equal(own, ws_trace_kernel(a, i)->short_name);
        snprintf(other, sizeof other, "%s#2", own); /* results of a kernel are not those of both programs */
        assert_string_equal(ws_trace_kernel(joined, 2 + i)->short_name, other);
    }
    ws_trace_close(joined);
    ws_trace_close(a);
}

static void the_digest_tells_the_programs_and_their_order(void **state) {
    (void)state;
    ws_trace *a = generate_random(2, 32), *b = generate_random(4, 32);
    ws_trace *joined[] = {join(a, b), join(b, a), join(a, a), join(a, b)};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(strlen(ws_trace_get_info(joined[i])->digest), 32);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(ws_trace_get_info(joined[i])->digest,
                                    ws_trace_get_info(joined[k])->digest);
    }
    assert_string_equal(ws_trace_get_info(joined[0])->digest, ws_trace_get_info(joined[3])->digest);
    char path[300];
    snprintf(path, sizeof path, "%s + %s", ws_trace_path(a), ws_trace_path(b));
    assert_string_equal(ws_trace_path(joined[0]), path);
    for (int i = 0; i < 4; i++) ws_trace_close(joined[i]);
    ws_trace_close(a);
    ws_trace_close(b);
}

/* ---- copies */

static ws_trace *copied(uint64_t address) {
    generate_plan plan = generate_loads(1, 1, 1, NULL);
    plan.copy_address = address, plan.copy_B = 64;
    plan.instruction = (ws_static){.class_ = WS_CLASS_INT};
    return generate_planned(&plan);
}

static void copies_come_before_their_launches(void **state) {
    (void)state;
    ws_trace *a = copied(256), *b = copied(512), *joined = join(a, b);
    const ws_memcpy *first = ws_trace_memcpy(joined, 0), *second = ws_trace_memcpy(joined, 1);
    assert_int_equal(ws_trace_get_info(joined)->memcpy_count, 2);
    assert_int_equal(first->before_kernel, 1);
    assert_true(first->address == 256);
    assert_int_equal(second->before_kernel, 2);
    assert_true(second->address == 512 + WS_PROGRAM_SPACE_B);
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
}

/* ---- what does not fit */

static void refuses(const ws_trace *a, const ws_trace *b, const char *why) {
    ws_error err = WS_NO_ERROR;
    assert_null(ws_trace_join(a, b, &err));
    if (!strstr(err.text, why)) fail_msg("expected \"%s\", found \"%s\"", why, err.text);
    assert_int_equal(err.code, WS_ERROR_TRACE);
}

static uint64_t high_address(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return WS_PROGRAM_SPACE_B - 4 + 4 * lane;
}

static void refusals(void **state) {
    (void)state;
    ws_trace *a = generate_random(2, 32), *wide = generate_random(2, 64), *bare = generate_random(1, 32);
    refuses(a, wide, "expected one warp size, found 32 and 64");
    refuses(a, bare, "expected registers in both, or in none, found some and none");
    refuses(bare, a, "found none and some");
    ws_error err = WS_NO_ERROR;
    ws_trace *llvm = trace_open("traces/transpose.wst");
    refuses(a, llvm, "expected one instruction set, found");
    ws_trace_close(llvm);

    generate_plan plan = generate_loads(1, 1, 1, high_address);
    ws_trace *high = generate_planned(&plan), *joined = join(high, a);
    ws_reader *reader = ws_reader_new(joined, &err);
    ws_cta cta;
    assert_false(ws_reader_cta(reader, 1, 0, &cta, &err));
    assert_non_null(strstr(err.text, "address 0x4000000000000000: expected less"));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    ws_reader_free(reader);
    ws_trace_close(joined);
    ws_trace_close(high);
    ws_trace_close(bare);
    ws_trace_close(wide);
    ws_trace_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_programs_are_in_it),
        cmocka_unit_test(a_program_beside_itself),
        cmocka_unit_test(the_digest_tells_the_programs_and_their_order),
        cmocka_unit_test(copies_come_before_their_launches),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
