/* One instruction line at a time: how it is decoded, and the error for lines that are malformed. */
#include "base/array.h"
#include "trace/import/accelsim_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_accelsim_columns V2 = {.position = WS_SASS_PLACE}, V3 = {0}, V5 = {.immediate = true},
                                 V5_LINES = {.source_line = true, .immediate = true},
                                 V6 = {.immediate = true, .values = true},
                                 V6_RAW = {.position = WS_SASS_PLACES, .immediate = true, .values = true};

/* ---- good lines */

static void append(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append(char *out, size_t size, const char *format, ...) {
    size_t used = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + used, size - used, format, args);
    va_end(args);
}

/* Writes all fields of a line as "pc mask [registers] OPCODE [registers] class op space width(text width)
 * addresses". */
static void describe(const ws_accelsim_line *line, char *out, size_t size) {
    const ws_static *s = &line->fixed;
    out[0] = '\0';
    append(out, size, "%x %08x [", s->pc, line->mask);
    for (unsigned i = 0; i < s->dst_count; i++) append(out, size, i ? " %u" : "%u", s->dst[i]);
    append(out, size, "] %.*s [", (int)line->opcode_length, line->opcode);
    for (unsigned i = 0; i < s->src_count; i++) append(out, size, i ? " %u" : "%u", s->src[i]);
    append(out, size, "] %s", ws_class_name(s->class_));
    if (s->op)
        append(out, size, " %s %s %u(%u)", ws_memory_op_name(s->op), ws_space_name(s->space), s->width_B,
               s->text_width_B);
    for (unsigned i = 0; i < line->address_count; i++)
        if (i < 3 || i + 1 == line->address_count)
            append(out, size, i > 3 ? " .. %llx" : " %llx", (unsigned long long)line->addresses[i]);
    if (line->address_count > 4) append(out, size, " (%u)", line->address_count);
    if (s->immediate) append(out, size, " imm %d", s->immediate);
    if (s->source_line) append(out, size, " line %u", s->source_line);
    if (s->source_values || line->drops & WS_DROPS_STORED)
        append(out, size, s->source_values ? " data" : " data lost");
    if (line->drops & WS_DROPS_REGISTERS) append(out, size, " values lost");
    if (line->drops & WS_DROPS_BULK) append(out, size, " bulk lost");
    for (unsigned i = 0; i < line->stored_values; i++)
        append(out, size, " %llx", (unsigned long long)line->stored[i]);
}

typedef struct good_line {
    const char *text;
    const char *meaning;
} good_line;

static void check_good(const good_line *cases, size_t count, ws_accelsim_columns columns) {
    for (size_t i = 0; i < count; i++) {
        ws_accelsim_line line;
        ws_accelsim_fault fault;
        char meaning[512], text[1024];
        snprintf(text, sizeof text, "%s\n", cases[i].text);
        if (!ws_accelsim_parse_line(text, columns, &line, &fault))
            fail_msg("'%s': expected %s at '%s'", cases[i].text, fault.expected, fault.at);
        describe(&line, meaning, sizeof meaning);
        assert_string_equal(meaning, cases[i].meaning);
        assert_ptr_equal(line.line_end, text + strlen(text) - 1);
    }
}
#define CHECK_GOOD(cases, columns) check_good(cases, WS_COUNT(cases), columns)

static void lines_of_version_3(void **state) {
    (void)state;
    static const good_line cases[] = {
        {"0190 000c0000 0 STG.E.U8 2 R2 R0 1 1 0x7fc841527000 0 ",
         "190 000c0000 [] STG.E.U8 [2 0] mem store global 1(1) 7fc841527000 7fc841527000"},
        {"0278 ffffffff 1 R12 LDS.U.128 1 R2 16 1 0x0 0 ",
         "278 ffffffff [12] LDS.U.128 [2] mem load shared 16(16) 0 0 0 .. 0 (32)"},
        {"0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 ", "0 ffffffff [1] IMAD.MOV.U32 [65535 65535] int"},
        {"0000 ffffffff 1 R1 MOV 0 0", "0 ffffffff [1] MOV [] int"},
        {"12540 00000000 0 EXIT 0 0 ", "12540 00000000 [] EXIT [] exit"},
        /* a single lane: no differences follow */
        {"00d0 00000001 0 STG.E.U8 2 R4 R255 1 2 0x7fc841520000 ",
         "d0 00000001 [] STG.E.U8 [4 65535] mem store global 1(1) 7fc841520000"},
        {"00d0 80000000 1 R1 LDG.E 1 R4 4 2 0x10 ", "d0 80000000 [1] LDG.E [4] mem load global 4(4) 10"},
        /* strides may be 0 or negative */
        {"0010 0000000f 1 R1 LDG.E 1 R4 4 1 0x10000 -7228 ",
         "10 0000000f [1] LDG.E [4] mem load global 4(4) 10000 e3c4 c788 ab4c"},
        /* each difference is relative to the previous active lane */
        {"0010 80000105 1 R1 LDG.E 1 R4 4 2 0x1000 4 -8 4096 ",
         "10 80000105 [1] LDG.E [4] mem load global 4(4) 1000 1004 ffc 1ffc"},
        /* a list holds the addresses of the active lanes only, or (early tracers) of all 32 */
        {"0010 00000012 1 R1 LDG.E 1 R4 4 0 0x00007f0000000010 0x00007f0000000020 ",
         "10 00000012 [1] LDG.E [4] mem load global 4(4) 7f0000000010 7f0000000020"},
        {"0010 80000002 1 R1 LDG.E 1 R4 4 0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x10 "
         "0x11 "
         "0x12 0x13 0x14 0x15 0x16 0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e 0x1f 0x20 ",
         "10 80000002 [1] LDG.E [4] mem load global 4(4) 2 20"},
        /* no active lane: the dummy address counts for nothing */
        {"0010 00000000 1 R1 LDG.E.64 1 R4 8 1 0x0 0 ", "10 00000000 [1] LDG.E.64 [4] mem load global 8(8)"},
        {"0010 00000000 1 R1 LDG.E.64 1 R4 8 2 0x0 ", "10 00000000 [1] LDG.E.64 [4] mem load global 8(8)"},
        {"0010 00000000 1 R1 LDG.E.64 1 R4 8 0 ", "10 00000000 [1] LDG.E.64 [4] mem load global 8(8)"},
        {"0010 00000000 1 R1 LDG.E.64 1 R4 8 0 0x0 ", "10 00000000 [1] LDG.E.64 [4] mem load global 8(8)"},
        {"0010 FFFFFFFF 0 BAR.SYNC 0 0 ", "10 ffffffff [] BAR.SYNC [] barrier"},
        {"0010 ffffffff 4 R1 R2 R3 R4 HMMA.16816.F32 8 R1 R2 R3 R4 R5 R6 R7 R8 0 ",
         "10 ffffffff [1 2 3 4] HMMA.16816.F32 [1 2 3 4 5 6 7 8] tensor"},
        {"0010 ffffffff 0 NEVERSEEN.X 0 0 ", "10 ffffffff [] NEVERSEEN.X [] other"},
        /* cache control has an address but moves nothing */
        {"0010 00000001 0 CCTL.IVALL 1 R2 4 2 0x100 ", "10 00000001 [] CCTL.IVALL [2] mem 100"},
    };
    CHECK_GOOD(cases, V3);
}

static void widths_are_corrected(void **state) {
    (void)state;
    static const struct {
        const char *opcode;
        unsigned text_B, true_B;
    } widths[] = {
        {"LDSM.16.M88.4", 2, 16},
        {"LDSM.16.M88.2", 2, 16},
        {"LDSM.16.MT88", 2, 16},
        {"LDG.E.S8", 4, 1},
        {"LDG.E.U8.CONSTANT", 1, 1},
        {"LDG.E.S16.SYS", 4, 2},
        {"LDG.E.U16", 2, 2},
        {"LDG.E.64.SYS", 8, 8},
        {"LDG.E.128.CONSTANT", 16, 16},
        {"RED.E.ADD.F64.RN", 4, 8},
        {"ATOMG.E.ADD.F16x2.RN", 4, 4},
        {"ATOMG.E.MAX.S64", 4, 8},
        {"ATOM.E.CAS.64.STRONG", 8, 8},
        {"ATOMS.CAST.SPIN.64", 8, 8},
        {"ATOMS.POPC.INC.32", 4, 4},
        {"LDGSTS.E.BYPASS.LTC128B.128", 16, 16},
        {"LDGSTS.E", 4, 4},
        {"LDS.U.128", 16, 16},
        {"LDS.U.U16", 2, 2},
        {"STL.64", 8, 8},
        {"LDG.E", 4, 4},
        {"LDG.E", 8, 8}, /* an opcode without a type keeps the width in the text */
    };
    for (size_t i = 0; i < WS_COUNT(widths); i++) {
        char text[128];
        ws_accelsim_line line;
        ws_accelsim_fault fault;
        snprintf(text, sizeof text, "0 00000001 1 R1 %s 1 R2 %u 2 0x100 \n", widths[i].opcode,
                 widths[i].text_B);
        assert_true(ws_accelsim_parse_line(text, V3, &line, &fault));
        if (line.fixed.width_B != widths[i].true_B || line.fixed.text_width_B != widths[i].text_B)
            fail_msg("%s: expected %u (%u), found %u (%u)", widths[i].opcode, widths[i].true_B,
                     widths[i].text_B, line.fixed.width_B, line.fixed.text_width_B);
    }
}

static void lines_of_version_5(void **state) {
    (void)state;
    static const good_line cases[] = {
        {"0410 ffffffff 1 R26 LDL 1 R1 4 1 0xfffbc8 0 0 ",
         "410 ffffffff [26] LDL [1] mem load local 4(4) fffbc8 fffbc8 fffbc8 .. fffbc8 (32)"},
        {"0600 0000000f 0 LDGSTS.E.BYPASS.LTC128B.128 2 R4 R12 16 2 0x7ff890202000 16 16 65296 7 ",
         "600 0000000f [] LDGSTS.E.BYPASS.LTC128B.128 [4 12] mem load global 16(16) 7ff890202000 "
         "7ff890202010 "
         "7ff890202020 7ff890211f30 imm 7"},
        /* after a single lane's address the number is the immediate, not a stride */
        {"00d0 00000001 0 STG.E.U8 2 R4 R255 1 2 0x7fc841520000 -12 ",
         "d0 00000001 [] STG.E.U8 [4 65535] mem store global 1(1) 7fc841520000 imm -12"},
        {"00e0 ffffffff 1 R2 IADD3 2 R7 R255 0 -1 ", "e0 ffffffff [2] IADD3 [7 65535] int imm -1"},
        {"00e0 ffffffff 1 R2 IADD3 2 R7 R255 0 -2147483648",
         "e0 ffffffff [2] IADD3 [7 65535] int imm -2147483648"},
        {"00e0 ffffffff 1 R2 MOV 0 0 2147483647 ", "e0 ffffffff [2] MOV [] int imm 2147483647"},
        {"0010 00000003 1 R1 LDG.E 1 R4 4 0 0x10 0x20 5 ",
         "10 00000003 [1] LDG.E [4] mem load global 4(4) 10 20 imm 5"},
        {"0010 0000000a 0 STG.E 2 R4 R6 4 1 0x10 4 0 STORE_DATA I32 1 REG0:T1:0x0000000f T3:0xffffffff  ",
         "10 0000000a [] STG.E [4 6] mem store global 4(4) 10 14 data f ffffffff"},
        {"0010 00000001 0 STS.U8 2 R4 R6 1 1 0x10 4 0 STORE_DATA I8 1 REG0:T0:0x1f  ",
         "10 00000001 [] STS.U8 [4 6] mem store shared 1(1) 10 data 1f"},
        {"0010 00000001 0 STL.U16 2 R4 R6 2 1 0x10 4 0 STORE_DATA I16 1 REG0:T0:0xbeef  ",
         "10 00000001 [] STL.U16 [4 6] mem store local 2(2) 10 data beef"},
        {"0010 00000000 0 STG.E 2 R4 R6 4 1 0x0 0 0 STORE_DATA I32 1 REG0: ",
         "10 00000000 [] STG.E [4 6] mem store global 4(4) data"},
        /* values that cannot be kept: a rounded one, a pair whose second half is undefined, one register of four, no
         * store */
        {"0010 00000001 0 STG.E 2 R4 R6 4 1 0x10 4 0 STORE_DATA F32 1 REG0:T0:1.5  ",
         "10 00000001 [] STG.E [4 6] mem store global 4(4) 10 data lost"},
        {"0010 00000001 0 STG.E.64 2 R4 R6 8 1 0x10 8 0 STORE_DATA F64 2 REG0:T0:1.5  REG1:T0:-nan  ",
         "10 00000001 [] STG.E.64 [4 6] mem store global 8(8) 10 data lost"},
        {"0010 00000001 0 STG.E.64 2 R4 R6 8 1 0x10 8 0 STORE_DATA I32 1 REG0:T0:0x1  ",
         "10 00000001 [] STG.E.64 [4 6] mem store global 8(8) 10 data lost"},
        {"0010 00000001 0 STG.E.128 2 R4 R6 16 1 0x10 16 0 STORE_DATA I32 1 REG0:T0:0x1  ",
         "10 00000001 [] STG.E.128 [4 6] mem store global 16(16) 10 data lost"},
        {"0010 00000001 1 R1 MOV 0 0 0 STORE_DATA I32 1 REG0:T0:0x1  ",
         "10 00000001 [1] MOV [] int data lost"},
    };
    static const good_line with_lines[] = {
        {"0 0000 ffffffff 1 R1 MOV 0 0 0 ", "0 ffffffff [1] MOV [] int"},
        {"113 0010 00000001 1 R1 LDG.E 1 R4 4 2 0x10 3 ",
         "10 00000001 [1] LDG.E [4] mem load global 4(4) 10 imm 3 line 113"},
    };
    CHECK_GOOD(cases, V5);
    CHECK_GOOD(with_lines, V5_LINES);
}

static void lines_of_version_1_2_say_where_they_are(void **state) {
    (void)state;
    ws_accelsim_line line;
    ws_accelsim_fault fault;
    static const char text[] = "97 1 2 31 0080 ffffffff 1 R2 IMAD.WIDE 2 R8 R9 0 \n";
    assert_true(ws_accelsim_parse_line(text, V2, &line, &fault));
    const uint32_t position[4] = {97, 1, 2, 31};
    assert_memory_equal(line.position, position, sizeof position);
    assert_int_equal(line.fixed.pc, 0x80);
}

/* The parser separates a line's constant text, which is the same at each execution, from its mask and addresses. */
static void constant_text_is_cut_out(void **state) {
    (void)state;
    ws_accelsim_line line;
    ws_accelsim_fault fault;
    static const char load[] = "0010 00000003 1 R1 LDG.E 1 R4 4 2 0x10 -3 77 \n",
                      move[] = "0010 00000003 1 R1 MOV 0 0 9\n";
    assert_true(ws_accelsim_parse_line(load, V5, &line, &fault));
    assert_string_equal(line.body, "1 R1 LDG.E 1 R4 4 2 0x10 -3 77 \n");
    assert_string_equal(line.body_end, "2 0x10 -3 77 \n");
    assert_string_equal(line.tail, " 77 \n");
    assert_true(ws_accelsim_parse_line(move, V5, &line, &fault));
    assert_string_equal(line.body, "1 R1 MOV 0 0 9\n");
    assert_string_equal(line.body_end, "");
    assert_string_equal(line.tail, "");
}

/* ---- bad lines */

static void lines_of_version_6(void **state) {
    (void)state;
    static const good_line cases[] = {
        {"00a0 ffffffff 1 R0 IADD3 2 R5 R255 0 -1 0 NoVal ", "a0 ffffffff [0] IADD3 [5 65535] int imm -1"},
        /* uniform registers and predicates have numbers of their own */
        {"0050 ffffffff 1 R10 IMAD 3 R10 UR4 R3 0 0 0 NoVal ", "50 ffffffff [10] IMAD [10 260 3] int"},
        {"00c0 ffffffff 1 UR4 UMOV 1 UR63 0 0 0 NoVal ", "c0 ffffffff [260] UMOV [65535] int"},
        {"00c0 ffffffff 2 P0 UP1 PLOP3.LUT 2 P7 UP7 0 0 0 NoVal",
         "c0 ffffffff [512 521] PLOP3.LUT [65535 65535] int"},
        /* of two immediates the first; those of 64 bits keep their lower half; early releases print one */
        {"00e0 ffffffff 1 R0 LOP3.LUT 2 R5 R255 0 3 192 NoVal ",
         "e0 ffffffff [0] LOP3.LUT [5 65535] int imm 3"},
        {"00e0 ffffffff 1 R0 MOV 0 0 18446744073709551615 0 NoVal ", "e0 ffffffff [0] MOV [] int imm -1"},
        {"00e0 ffffffff 0 DEPBAR.LE 0 0 2 NoVal ", "e0 ffffffff [] DEPBAR.LE [] other imm 2"},
        {"0130 00000003 1 R11 LDG.E 1 R2 4 1 0x7f7b7dc40800 4 0 0 NoVal ",
         "130 00000003 [11] LDG.E [2] mem load global 4(4) 7f7b7dc40800 7f7b7dc40804"},
        {"0130 00000003 0 STG.E 2 R2 R3 4 1 0x7f7b7dc40800 4 0 0 Val 1 0x10 32 0 1 2 3 4 5 6 7 8 9 a b c d e "
         "f 10 "
         "11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f ",
         "130 00000003 [] STG.E [2 3] mem store global 4(4) 7f7b7dc40800 7f7b7dc40804 values lost"},
        /* a flag before the width */
        {"0200 ffffffff 1 R24 HGMMA.64x128x16.F32 2 R24 UR8 1 0 0 0 NoVal ",
         "200 ffffffff [24] HGMMA.64x128x16.F32 [24 264] tensor"},
        /* the addresses of bulk copies are not those of lanes */
        {"0210 00000001 0 UTMALDG.2D 2 UR8 UR4 16 0x1000 0 4096 0 4 0x7f0000000000 3 128 128 0 0 NoVal ",
         "210 00000001 [] UTMALDG.2D [264 260] mem bulk lost"},
        {"0210 00000001 0 UBLKCP.S.G 2 UR8 UR4 16 0x1000 1 0x3 4096 0 3 2 0x10 0x20 0 0 Val 1 10 1 20 ",
         "210 00000001 [] UBLKCP.S.G [264 260] mem values lost bulk lost"},
        {"0210 00000000 0 UTMASTG.2D 2 UR8 UR4 0 0 0 NoVal ", "210 00000000 [] UTMASTG.2D [264 260] mem"},
        /* an mbarrier in shared memory has an address but is no access */
        {"0220 00000001 0 SYNCS.ARRIVE.TRANS64 2 R2 R3 8 2 0x400 0 0 NoVal ",
         "220 00000001 [] SYNCS.ARRIVE.TRANS64 [2 3] mem 400"},
        {"0000 ffffffff 0 REPLAY_START 0 0 0 0 NoVal ", "0 ffffffff [] REPLAY_START [] other"},
    };
    static const good_line raw[] = {
        {"1 0 0 3 1 0 0 1 0 0 1 0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal", "0 ffffffff [1] MOV [] int"},
    };
    CHECK_GOOD(cases, V6);
    CHECK_GOOD(raw, V6_RAW);
}

typedef struct bad_line {
    const char *text;
    const char *at; /* the rest of the line from the fault on */
    const char *expected;
} bad_line;

static void check_bad(const bad_line *cases, size_t count, ws_accelsim_columns columns) {
    for (size_t i = 0; i < count; i++) {
        ws_accelsim_line line;
        ws_accelsim_fault fault;
        char text[1024], at[1024];
        snprintf(text, sizeof text, "%s\n", cases[i].text);
        snprintf(at, sizeof at, "%s\n", cases[i].at);
        if (ws_accelsim_parse_line(text, columns, &line, &fault))
            fail_msg("'%s' was accepted", cases[i].text);
        if (strcmp(fault.at, at) != 0 || strcmp(fault.expected, cases[i].expected) != 0)
            fail_msg("'%s': found '%s' at '%s'", cases[i].text, fault.expected, fault.at);
    }
}
#define CHECK_BAD(cases, columns) check_bad(cases, WS_COUNT(cases), columns)

static void bad_lines_name_place_and_fault(void **state) {
    (void)state;
    static const char pc[] = "a pc of up to 8 hex digits", mask[] = "an active mask of 8 hex digits",
                      dst[] = "a count of up to 4 destination registers",
                      src[] = "a count of up to 8 source registers",
                      reg[] = "a register (R or UR and its number)", opcode[] = "an opcode such as LDG.E.64",
                      width[] = "a width of 0 to 128 bytes", mode[] = "an address mode (0, 1 or 2)",
                      end[] = "the end of the line",
                      address[] = "a space and an address in hex digits (0x..)",
                      stride[] = "a space and a stride",
                      delta[] = "an address difference for each further lane",
                      each[] = "an address for each active lane", space[] = "a space",
                      value[] = "a value of each active lane (T0:0x1f ..)";
    static const bad_line cases[] = {
        {"", "", pc},
        {"zz", "zz", pc},
        {"123456789 ffffffff 0 NOP 0 0 ", "123456789 ffffffff 0 NOP 0 0 ", pc},
        {"0010", "", space},
        {"0010 ", "", mask},
        {"0010 fffffff 0 NOP 0 0 ", "fffffff 0 NOP 0 0 ", mask},
        {"0010 fffffffff 0 NOP 0 0 ", "fffffffff 0 NOP 0 0 ", mask},
        {"0010 fffffffg 0 NOP 0 0 ", "fffffffg 0 NOP 0 0 ", mask},
        {"0010  ffffffff 0 NOP 0 0 ", " ffffffff 0 NOP 0 0 ", mask},
        {"0010 ffffffff", "", space},
        {"0010 ffffffff x NOP 0 0 ", "x NOP 0 0 ", dst},
        {"0010 ffffffff 5 R1 R2 R3 R4 R5 NOP 0 0 ", "5 R1 R2 R3 R4 R5 NOP 0 0 ", dst},
        {"0010 ffffffff 99999999999999999999 R1 NOP 0 0 ", "99999999999999999999 R1 NOP 0 0 ", dst},
        {"0010 ffffffff 1 NOP 0 0 ", "NOP 0 0 ", reg},
        {"0010 ffffffff 1 R", "R", reg},
        {"0010 ffffffff 1 R65535 NOP 0 0 ", "R65535 NOP 0 0 ", reg},
        {"0010 ffffffff 1 R1  NOP 0 0 ", " NOP 0 0 ", opcode},
        {"0010 ffffffff 0 ", "", opcode},
        {"0010 ffffffff 0 4 0 0 ", "4 0 0 ", opcode},
        {"0010 ffffffff 0 NOP", "", space},
        {"0010 ffffffff 0 NOP 9 ", "9 ", src},
        {"0010 ffffffff 0 NOP 1 0 ", "0 ", reg},
        {"0010 ffffffff 0 NOP 0", "", space},
        {"0010 ffffffff 0 NOP 0 ", "", width},
        {"0010 ffffffff 0 NOP 0 129 ", "129 ", width},
        {"0010 ffffffff 0 NOP 0 -1 ", "-1 ", width},
        {"0010 ffffffff 0 NOP 0 0 0 ", "0 ", end},
        {"0010 ffffffff 0 NOP 0 0  ", " ", end},
        {"0010 ffffffff 0 NOP 0 0 \r", "\r", end},
        {"0010 00000001 1 R1 LDG.E 1 R2 4", "", space},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 ", "", mode},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 3 0x10 ", "3 0x10 ", mode},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 1", "", address},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 1 7f10 4 ", " 7f10 4 ", address},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 1 0x 4 ", " 0x 4 ", address},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 1 0x12345678123456781 4 ", " 0x12345678123456781 4 ", address},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 1 0x10", "", stride},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 1 0x10 ", " ", stride},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 1 0x10 - ", " - ", stride},
        {"0010 00000003 1 R1 LDG.E 1 R2 4 2 0x10 ", " ", delta},
        {"0010 00000007 1 R1 LDG.E 1 R2 4 2 0x10 4 ", " ", delta},
        {"0010 00000003 1 R1 LDG.E 1 R2 4 2 0x10 4 4 ", "4 ", end},
        {"0010 00000003 1 R1 LDG.E 1 R2 4 0 0x10 ", " ", each},
        {"0010 00000003 1 R1 LDG.E 1 R2 4 0 0x10 0x20 0x30 ", " ", each},
        {"0010 00000003 1 R1 LDG.E 1 R2 4 0 0x10 0xg ", " 0xg ", each},
        {"0010 00000000 1 R1 LDG.E 1 R2 4 0 0x0 0x0 ", " ", each},
        {"0010 ffffffff 1 R1 LDG.E 1 R2 4 0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x10 "
         "0x11 "
         "0x12 0x13 0x14 0x15 0x16 0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e 0x1f 0x20 0x21 ",
         " 0x21 ", each},
        {"0010 00000003 1 R1 LDG.E 1 R2 4 2 0x10 -20 ", "2 0x10 -20 ", "addresses below 2^60"},
        {"0010 00000001 1 R1 LDG.E 1 R2 4 2 0xffffffffffffffff ", "2 0xffffffffffffffff ",
         "addresses below 2^60"},
    };
    static const bad_line with_immediates[] = {
        {"0010 ffffffff 0 NOP 0 0", "", "an immediate, as tracer version 5 prints"},
        {"0010 ffffffff 0 NOP 0 0 ", "", "an immediate of 32 bits, as tracer version 5 prints"},
        {"0010 ffffffff 0 NOP 0 0 2147483648 ", "2147483648 ",
         "an immediate of 32 bits, as tracer version 5 prints"},
        {"0010 ffffffff 0 NOP 0 0 -2147483649 ", "-2147483649 ",
         "an immediate of 32 bits, as tracer version 5 prints"},
        {"0010 ffffffff 0 NOP 0 0 00000000000000000001 ", "00000000000000000001 ",
         "an immediate of 32 bits, as tracer version 5 prints"},
        {"0010 ffffffff 0 NOP 0 0 18446744073709551615 ", "18446744073709551615 ", /* -1 in 64 bits */
         "an immediate of 32 bits, as tracer version 5 prints"},
        {"0010 00000003 1 R1 LDG.E 1 R2 4 2 0x10 4 ", "",
         "an immediate of 32 bits, as tracer version 5 prints"},
        {"0010 ffffffff 0 NOP 0 0 0 0 ", "0 ", end},
        {"0010 ffffffff 0 NOP 0 0 0 STORE_DAT ", "STORE_DAT ", end},
        {"0010 00000003 0 STG.E 2 R4 R6 4 1 0x10 4 0 STORE_DATA I32 1 REG0:T0:0x1  ", "", value},
        {"0010 00000003 0 STG.E 2 R4 R6 4 1 0x10 4 0 STORE_DATA I32 1 REG0:T0:0x1 T2:0x1 ", "T2:0x1 ", value},
        {"0010 00000001 0 STG.E 2 R4 R6 4 1 0x10 4 0 STORE_DATA I32 1 REG0:T0:0x123456789 ",
         "T0:0x123456789 ", value},
        {"0010 00000001 0 STG.E 2 R4 R6 4 1 0x10 4 0 STORE_DATA I32 1 REG0:T0:17 ", "T0:17 ", value},
        {"0010 00000001 0 STG.E 2 R4 R6 4 1 0x10 4 0 STORE_DATA I32 1 REG0:T0:0x1 T1:0x1 ", "T1:0x1 ", end},
    };
    static const bad_line with_lines[] = {
        {"x 0010 ffffffff 0 NOP 0 0 0 ", "x 0010 ffffffff 0 NOP 0 0 0 ",
         "a source line number (lineinfo = 1)"},
    };
    static const bad_line with_positions[] = {
        {"0 0 x 3 0010 ffffffff 0 NOP 0 0 ", "x 3 0010 ffffffff 0 NOP 0 0 ",
         "CTA x, y, z and warp, as in raw files and those of old tracers"},
        {"0010 ffffffff 0 NOP 0 0 ", "ffffffff 0 NOP 0 0 ",
         "CTA x, y, z and warp, as in raw files and those of old tracers"},
    };
    CHECK_BAD(cases, V3);
    CHECK_BAD(with_immediates, V5);
    CHECK_BAD(with_positions, V2);
    CHECK_BAD(with_lines, V5_LINES);
}

static void bad_lines_of_version_6(void **state) {
    (void)state;
    static const char value[] = "NoVal, or Val and values, as tracer version 6 prints",
                      end[] = "the end of the line";
    static const bad_line cases[] = {
        {"0010 ffffffff 0 NOP 0 0 NoVal ", " NoVal ", "immediates, as tracer version 6 prints"},
        {"0010 ffffffff 0 NOP 0 0", "", "immediates, as tracer version 6 prints"},
        {"0010 ffffffff 0 NOP 0 0 0 0 ", " ", value},
        {"0010 ffffffff 0 NOP 0 0 0 0 Va ", " Va ", value},
        {"0010 ffffffff 0 NOP 0 0 0 0 NoVal 1 ", "1 ", end},
        {"0010 ffffffff 0 NOP 0 0 0 0 Val 1 0xfg ", "g ", end},
        {"0010 ffffffff 1 X1 NOP 0 0 0 0 NoVal ", "X1 NOP 0 0 0 0 NoVal ",
         "a register (R or UR and its number)"},
        {"0010 ffffffff 1 U1 NOP 0 0 0 0 NoVal ", "U1 NOP 0 0 0 0 NoVal ",
         "a register (R or UR and its number)"},
        {"0010 ffffffff 0 HGMMA.64x8x16 0 NoVal ", "NoVal ", "a flag, as tracer version 6 prints for GMMA"},
        {"0010 ffffffff 0 UTMALDG.2D 0 16 0x1000 0 z NoVal ", " z NoVal ", value},
    };
    static const bad_line raw[] = {
        {"1 0 0 3 1 0 0 1 0 x 1 0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal",
         "x 1 0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal",
         "cluster x, y, z, CTA x, y, z within it and rank, as version 6 prints"},
    };
    CHECK_BAD(cases, V6);
    CHECK_BAD(raw, V6_RAW);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_version_3),       cmocka_unit_test(widths_are_corrected),
        cmocka_unit_test(lines_of_version_5),       cmocka_unit_test(lines_of_version_1_2_say_where_they_are),
        cmocka_unit_test(constant_text_is_cut_out), cmocka_unit_test(bad_lines_name_place_and_fault),
        cmocka_unit_test(lines_of_version_6),       cmocka_unit_test(bad_lines_of_version_6),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
