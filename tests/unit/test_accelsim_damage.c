/* Damaged Accel-Sim files: the error message for each kind of damage; a failed import leaves no output behind. */
#include "warpsweep/trace.h"

#include "../support/accelsim_sample.h"
#include "../support/folder.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- damage */

/* One edit of the good file and the message expected for it, without the path. `to` NULL: the file is cut off before
 * `from`. */
typedef struct damage {
    const char *from, *to, *text;
} damage;

static void damage_is_named(void **state) {
    (void)state;
    static const damage cases[] = {
        /* header */
        {"-kernel name = _Z3addPf\n", "",
         ":13: expected '-kernel name = ..' before this line, found '#traces format = PC mask'; the header "
         "is "
         "cut or damaged"},
        {"-grid dim = (2,1,1)\n", "",
         ":13: expected '-grid dim = ..' before this line, found '#traces format = PC mask'; the header is "
         "cut or damaged"},
        {"= _Z3addPf", "= ", ":1: expected kernel name = a name in UTF-8, found the end of the line"},
        {"= _Z3addPf", "= add\xff", ":1: expected kernel name = a name in UTF-8, found 'add?'"},
        {"(2,1,1)", "(2,1)",
         ":3: expected grid dim = (x,y,z), each at least 1, at most 2^40 together, found '(2,1)'"},
        {"(2,1,1)", "(0,1,1)",
         ":3: expected grid dim = (x,y,z), each at least 1, at most 2^40 together, found '(0,1,1)'"},
        {"(2,1,1)", "(2,1,1) x",
         ":3: expected grid dim = (x,y,z), each at least 1, at most 2^40 together, found "
         "'(2,1,1) x'"},
        {"(40,1,1)", "(40,40,40)",
         ":14: expected a block dim of at most 32768 threads, found '#traces format = PC mask'; the header "
         "is "
         "damaged"},
        {"-shmem = 16", "-shmem = x", ":5: expected shmem = a number of bytes up to 4294967295, found 'x'"},
        {"-nregs = 12", "-nregs = 12345678901",
         ":6: expected nregs = a number of registers up to 4294967295, found '12345678901'"},
        {"-nregs = 12", "-enable lineinfo = 2", ":6: expected enable lineinfo = 0 or 1, found '2'"},
        {"0x00007f5c00000000", "7f5c", ":9: expected shmem base_addr = an address (0x..), found '7f5c'"},
        {"tracer version = 3", "tracer version = 7",
         ":12: expected accelsim tracer version = a tracer version of at most 6, found '7'"},
        {"-nvbit version", "nvbit version",
         ":11: expected a header line (-key = value) or '#traces format = ..', found "
         "'nvbit version = 1.5.3'; is this an Accel-Sim trace?"},
        {"-nvbit version", "\x89\x50\x4e\x47",
         ":11: expected a header line (-key = value) or '#traces format = ..', "
         "found '?PNG = 1.5.3'; is this an Accel-Sim trace?"},
        {"#traces format", "#",
         ":14: expected a header line (-key = value) or '#traces format = ..', found '# = "
         "PC mask'; is this an Accel-Sim trace?"},
        {"-nvbit", NULL,
         ":11: expected '#traces format = ..', which ends the header, found the end of the file; the "
         "file is cut"},
        /* frame */
        {"#BEGIN_TB", NULL,
         ":18: expected at least one CTA ('#BEGIN_TB'), or an instruction of a raw trace, found the end of "
         "the file; the file is cut "
         "short"},
        {"#BEGIN_TB", "#BEGIN", ":18: expected '#BEGIN_TB' or the end of the file, found '#BEGIN'"},
        {"#BEGIN_TB", "0 0 0 1 0000 ffffffff 0 NOP 0 0 ",
         ":18: expected an active mask within 000000ff, found 'ffffffff 0 NOP 0 0 '; the block dim has no "
         "more "
         "threads"},
        {"thread block = 0", NULL,
         ":20: expected 'thread block = x,y,z', found the end of the file; the file is cut short"},
        {"thread block = 0,0,0\n", "", ":21: expected 'thread block = x,y,z', found 'warp = 0'"},
        {"= 0,0,0", "= 0,0", ":20: expected thread block = x,y,z, found '0,0'"},
        {"= 0,0,0", "= 0,0,0,0", ":20: expected thread block = x,y,z, found '0,0,0,0'"},
        {"= 0,0,0", "= -1,0,0", ":20: expected thread block = x,y,z, found '-1,0,0'"},
        {"= 1,0,0", "= 2,0,0", ":38: expected a CTA inside the grid of (2,1,1), found '2,0,0'"},
        {"= 1,0,0", "= 0,1,0", ":38: expected a CTA inside the grid of (2,1,1), found '0,1,0'"},
        {"= 1,0,0", "= 0,0,1", ":38: expected a CTA inside the grid of (2,1,1), found '0,0,1'"},
        {"= 1,0,0", "= 0,0,0", ":38: kernel _Z3addPf: CTA 0,0,0: expected each CTA once, found it again"},
        {"\nwarp = 0\n", NULL,
         ":21: expected 'warp = ..' or '#END_TB', found the end of the file; the file is cut short"},
        {"warp = 0", "warp = 2", ":22: expected 'warp = ' and a number below 2, found '2'"},
        {"warp = 0", "warp = x", ":22: expected 'warp = ' and a number below 2, found 'x'"},
        {"warp = 0", "wrap = 0", ":22: expected 'warp = ' and a number below 2, found 'wrap = 0'"},
        {"warp = 1", "warp = 0",
         ":28: expected '#END_TB' or 'warp = ' and a number below 2, above 0, found '0'; warps "
         "come once, in ascending order; or the insts count before is wrong"},
        {"insts = 0\n", "insts = 0\nwarp = 1\ninsts = 0\n",
         ":47: expected '#END_TB' or 'warp = ' and a number below 2, above 1, found '1'; warps "
         "come once, in ascending order; or the insts count before is wrong"},
        {"insts = 3\n", "",
         ":23: expected 'insts = ' and a number up to 4294967295, found '0000 ffffffff 1 R1 MOV 0 0 '"},
        {"insts = 3", "insts = 4294967296",
         ":23: expected 'insts = ' and a number up to 4294967295, found '4294967296'"},
        {"insts = 3", "insts = -3", ":23: expected 'insts = ' and a number up to 4294967295, found '-3'"},
        {"insts = 3", "insts = 2",
         ":26: expected '#END_TB' or 'warp = ' and a number below 2, above 0, found '0020 "
         "ffffffff 0 EXIT 0 0 '; warps come once, in ascending order; or the insts count "
         "before is wrong"},
        {"insts = 3", "insts = 4",
         ":27: expected instruction 4 of 4 of warp 0, found an empty line; the insts count is "
         "wrong or lines are missing"},
        {"\n#END_TB\n\n#B", "\n\n#B",
         ":35: expected '#END_TB' or 'warp = ' and a number below 2, above 1, found "
         "'#BEGIN_TB'; warps come once, in ascending order; or the insts count before is "
         "wrong"},
        {"#END_TB\n\n#B", "#END_TB garbage\n\n#B",
         ":34: expected '#END_TB' or 'warp = ' and a number below 2, above 1, "
         "found '#END_TB garbage'; warps come once, in ascending order; or "
         "the insts count before is wrong"},
        {"insts = 0\n\n#END_TB\n", "insts = 0\n\n",
         ":48: expected 'warp = ..' or '#END_TB', found the end of the file; the "
         "file is cut short"},
        {"insts = 0\n\n#END_TB\n", "insts = 0\n\n#END_TB\ngarbage\n",
         ":49: expected '#BEGIN_TB' or the end of the file, found 'garbage'"},
        /* instructions */
        {"0020 ffffffff 0 EXIT", NULL,
         ":26: expected an instruction line, found the end of the file; the file is cut "
         "short"},
        {"0 EXIT", NULL,
         ":26: expected a count of up to 4 destination registers, found the end of the line; the file ends "
         "within this line: is it cut short?"},
        {"0000 ffffffff", "0000 1ffffffff",
         ":24: expected an active mask of 8 hex digits, found '1ffffffff 1 R1 MOV 0 0 '"},
        {"0000 000000ff", "0000 000001ff",
         ":30: expected an active mask within 000000ff, found '000001ff 1 R1 MOV 0 0 "
         "'; the block dim has no more threads"},
        {"R4 4 1 0x7f0000001000 4 ", "R4 4 1 0x7f0000001000 ",
         ":25: expected a space and a stride, found ' '"},
        {"R4 4 2 0x7f0000001080 28 ", "R4 4 2 0x7f0000001080 28 5 ",
         ":31: expected the end of the line, found '5 '; a "
         "count before it may be wrong"},
        {"0010 00000000 1 R2 LDG.E 1 R4 4 1 0x0 0 ", "0010 00000000 1 R2 LDG.E 1 R4 4 1 0x0 ",
         ":42: expected a space and a stride, found ' '"},
        {"0020 ffffffff 0 EXIT 0 0 \n\nwarp = 1\ninsts = 0", "0020 ffffffff 0 EXIT 0 \n\nwarp = 1\ninsts = 0",
         ":43: expected a width of 0 to 128 bytes, found the end of the line"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char *text = sample_replace(GOOD, cases[i].from, cases[i].to ? cases[i].to : ""), expected[512];
        if (!cases[i].to) text[strstr(GOOD, cases[i].from) - GOOD] = '\0';
        snprintf(expected, sizeof expected, "@k.traceg%s", cases[i].text);
        sample_import_bad(folder_write_text("k.traceg", text), NULL, expected);
        free(text);
    }
}

/* A file cut at any byte is either refused or imported as a whole number of CTAs. */
static void every_cut_is_noticed(void **state) {
    (void)state;
    size_t whole = strlen(GOOD), first = strlen(HEADER CTA0);
    for (size_t size = 0; size < whole; size++) {
        ws_error err;
        const char *path = folder_write("k.traceg", GOOD, size);
        bool good = sample_import(path, NULL, &err);
        bool complete = size == whole - 1 || (size + 2 >= first && size <= first);
        if (good != complete) fail_msg("cut at %zu: %s", size, good ? "accepted" : err.text);
        if (!good) assert_false(folder_has("out.wst"));
        unlink(folder_path("out.wst"));
    }
}

static void a_version_before_3_must_say_the_right_place(void **state) {
    (void)state;
    char *text = sample_replace(GOOD, "version = 3", "version = 1.2");
    sample_import_bad(
        folder_write_text("k.traceg", text), NULL,
        "@k.traceg:24: expected CTA x, y, z and warp, as in raw files and those of old tracers, found "
        "'ffffffff 1 R1 "
        "MOV 0 0 '");
    free(text);
    char *one = sample_replace(GOOD, "version = 3", "version = 1.2"),
         *two = sample_replace(one, "0000 ffffffff", "0 0 0 1 0000 ffffffff");
    sample_import_bad(
        folder_write_text("k.traceg", two), NULL,
        "@k.traceg:24: expected an instruction of CTA 0,0,0 warp 0, found '0 0 0 1 0000 ffffffff 1 R1 "
        "MOV 0 0 '");
    /* the same for an instruction that has been parsed before */
    free(two);
    two = sample_replace(
        one, "0000 ffffffff 1 R1 MOV 0 0 \n0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 4 \n0020",
        "0 0 0 0 0000 ffffffff 0 NOP 0 0 \n0 0 0 0 0000 ffffffff 0 NOP 0 0 \n0 0 1 0 0000 ffffffff 0 NOP 0 0 "
        "\n0020");
    sample_import_bad(
        folder_write_text("k.traceg", two), NULL,
        "@k.traceg:26: expected an instruction of CTA 0,0,0 warp 0, found '0 0 1 0 0000 ffffffff 0 "
        "NOP 0 0 '");
    free(one);
    free(two);
}

/* Every flipped bit and every truncation of a compressed file is noticed. */
static void damaged_packed_files_are_refused(void **state) {
    (void)state;
    uint8_t bytes[8192];
    size_t size = sample_pack(GOOD, bytes, sizeof bytes);
    ws_error err;
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (uint8_t)(1 << i % 8);
        if (sample_import(folder_write("k.traceg.xz", bytes, size), NULL, &err))
            fail_msg("flip at %zu was accepted", i);
        assert_int_equal(err.code, WS_ERROR_TRACE);
        bytes[i] ^= (uint8_t)(1 << i % 8);
        if (sample_import(folder_write("k.traceg.xz", bytes, i), NULL, &err))
            fail_msg("cut at %zu was accepted", i);
        assert_int_equal(err.code, WS_ERROR_TRACE);
        assert_false(folder_has("out.wst"));
    }
    sample_import_bad(
        folder_write("k.traceg.xz", bytes, size - 30), NULL,
        "@k.traceg.xz:1: expected intact xz data up to the end of the file, found a file that is cut "
        "short; make "
        "or copy the file again (`xz -t` tests it)");
    memset(bytes + size, 'x', 16);
    sample_import_bad(
        folder_write("k.traceg.xz", bytes, size + 16), NULL,
        "@k.traceg.xz:1: expected intact xz data up to the end of the file, found damaged data; make "
        "or copy the file again (`xz -t` tests it)");
}

/* ---- random damage */

/* Damages a random piece of `text` up to three times: overwrites, drops or doubles bytes, or cuts the text. `text`
 * needs room for twice its size. */
static size_t mutate(char *text, size_t size, uint64_t *random) {
    static const char likely[] = "0123456789abcdefxR -\n\r,=#";
    for (uint64_t n = 1 + random_next(random) % 3; n > 0 && size > 1; n--) {
        size_t at = random_next(random) % size, length = 1 + random_next(random) % 24;
        if (length > size - at) length = size - at;
        switch (random_next(random) % 5) {
        case 0: /* a byte that is likely at this place */
            text[at] = likely[random_next(random) % (sizeof likely - 1)];
            break;
        case 1: /* any byte */
            text[at] = (char)random_next(random);
            break;
        case 2: /* drop a piece */
            memmove(text + at, text + at + length, size - at - length);
            size -= length;
            break;
        case 3: /* double a piece */
            memmove(text + at + length, text + at, size - at);
            size += length;
            break;
        default: /* cut */
            if (random_next(random) % 8 == 0) size = at;
        }
    }
    return size;
}

static void random_damage_never_leaves_anything(void **state) {
    (void)state;
    enum { ROUNDS = 4000 };
    uint64_t random = 1;
    unsigned accepted = 0;
    size_t whole = strlen(GOOD), files = 0;
    char *text = malloc(2 * whole);
    char *v5 = sample_replace(GOOD, "version = 3", "version = 5");
    folder_write_text("k.traceg", GOOD);
    files = folder_count();
    for (int i = 0; i < ROUNDS; i++) {
        ws_error err;
        const char *base = i % 8 == 0 ? v5 : GOOD;
        memcpy(text, base, whole);
        const char *path = folder_write("k.traceg", text, mutate(text, whole, &random));
        if (sample_import(path, NULL, &err)) {
            ws_trace *trace = ws_trace_open(folder_path("out.wst"), &err);
            if (!trace || !ws_trace_check(trace, &err)) fail_msg("round %d: %s", i, err.text);
            ws_trace_close(trace);
            unlink(folder_path("out.wst"));
            accepted++;
        } else if (err.code != WS_ERROR_TRACE || strncmp(err.text, path, strlen(path)) != 0) {
            fail_msg("round %d: %s", i, err.text);
        }
        assert_int_equal(folder_count(), files);
    }
    /* outside this range the mutations would be too harmless or too destructive to test much */
    assert_in_range(accepted, ROUNDS / 100, ROUNDS / 2);
    free(text);
    free(v5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(every_cut_is_noticed),
        cmocka_unit_test(a_version_before_3_must_say_the_right_place),
        cmocka_unit_test(damaged_packed_files_are_refused),
        cmocka_unit_test(random_damage_never_leaves_anything),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
