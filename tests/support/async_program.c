#include "async_program.h"

#include "folder.h"
#include "random.h"
#include "trace.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WARP_SIZE = 32, LINE_B = 128, CTA_LINES = 1000 };

static void expect(bool ok, const ws_error *err) {
    if (!ok) fail_msg("%s", err->text);
}

/* A copy that no wait of its warp has covered yet. */
typedef struct copy {
    uint32_t group;
    uint16_t reg;
} copy;

typedef struct scribe {
    ws_writer *writer;
    enum async_form form;
    uint32_t pc, group;
    uint16_t regs;
    copy open[WS_SRC_MAX];
    uint8_t open_count;
    uint16_t reads[WS_SRC_MAX]; /* registers of the copies that the next instruction waits for */
    uint8_t read_count;
} scribe;

static void note_copy(scribe *w, ws_static *s, bool has_lanes) {
    s->dst[s->dst_count++] = ++w->regs;
    if (!has_lanes) return;
    assert_true(w->open_count < WS_SRC_MAX);
    w->open[w->open_count++] = (copy){w->group, w->regs};
}

/* Covers all copies but those of the last `number` groups: the next instruction reads their registers. */
static void note_wait(scribe *w, uint32_t number) {
    uint8_t kept = 0;
    for (uint8_t i = 0; i < w->open_count; i++)
        if (w->open[i].group + number < w->group)
            w->reads[w->read_count++] = w->open[i].reg;
        else
            w->open[kept++] = w->open[i];
    w->open_count = kept;
}

/* Form ASYNC_REGISTERS: the instruction reads the registers of the copies that the wait before it waited for. */
static void by_registers(scribe *w, ws_static *s, char kind, bool has_lanes, uint32_t number) {
    memcpy(s->src, w->reads, sizeof w->reads);
    s->src_count = w->read_count;
    w->read_count = 0;
    if (kind == 'C') note_copy(w, s, has_lanes);
    if (kind == 'G') w->group++;
    if (kind == 'W' && has_lanes) note_wait(w, number);
}

static void write_word(scribe *w, char letter, int64_t number, uint32_t cta) {
    ws_error err = WS_NO_ERROR;
    static const char kinds[] = "CGWLAB";
    static const char *const opcodes[][6] = {
        [ASYNC_COPIES] = {"LDGSTS.E", "LDGDEPBAR", "DEPBAR.LE", "LDG.E", "IADD3", "BAR.SYNC"},
        [ASYNC_REGISTERS] = {"LDG.E", "NOP", "NOP", "LDG.E", "IADD3", "BAR.SYNC"}};
    static const uint8_t classes[] = {WS_CLASS_MEM, WS_CLASS_OTHER, WS_CLASS_OTHER,
                                      WS_CLASS_MEM, WS_CLASS_INT,   WS_CLASS_BARRIER};
    char kind = (char)toupper(letter);
    bool has_lanes = kind == letter;
    size_t k = (size_t)(strchr(kinds, kind) - kinds);
    ws_static s = {.pc = w->pc, .class_ = classes[k]};
    w->pc += 16;
    s.opcode = ws_writer_opcode(w->writer, opcodes[w->form][k], strlen(opcodes[w->form][k]));
    if (s.class_ == WS_CLASS_MEM) {
        s.op = WS_MEMORY_LOAD;
        s.space = WS_SPACE_GLOBAL;
        s.width_B = s.text_width_B = 4;
    }
    if (kind == 'W') s.immediate = (int32_t)number;
    if (w->form == ASYNC_REGISTERS) by_registers(w, &s, kind, has_lanes, (uint32_t)number);
    uint64_t addresses[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = LINE_B * (1 + (uint64_t)number + CTA_LINES * (uint64_t)cta) + 4 * lane;
    expect(ws_writer_inst(w->writer, ws_writer_static(w->writer, &s), has_lanes ? UINT32_MAX : 0, addresses,
                          &err),
           &err);
}

static void write_warp(ws_writer *writer, const char *words, enum async_form form, uint32_t cta,
                       uint32_t warp) {
    scribe w = {.writer = writer, .form = form, .pc = 0x10000 * warp};
    while (*words) {
        char *end, letter = *words;
        int64_t number = strtoll(words + 1, &end, 10);
        write_word(&w, letter, number, cta);
        for (words = end; *words == ' ';) words++;
    }
}

ws_trace *async_script(const char *const *warps, uint32_t ctas, enum async_form form) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(folder_path("async.wst"), "sass", "test", WARP_SIZE, 0, &err);
    expect(writer != NULL, &err);
    ws_writer_add_features(writer, WS_FEATURE_REGISTERS | WS_FEATURE_IMMEDIATES);
    uint32_t count = 0;
    while (warps[count]) count++;
    ws_kernel kernel = {.name = "async", .grid = {ctas, 1, 1}, .block = {count * WARP_SIZE, 1, 1}};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        expect(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err), &err);
        for (uint32_t w = 0; w < count; w++) {
            expect(ws_writer_warp(writer, w, &err), &err);
            write_warp(writer, warps[w], form, cta, w);
        }
    }
    expect(ws_writer_finish(writer, &err), &err);
    ws_writer_free(writer);
    return trace_written("async.wst");
}

/* ---- random */

/* A script in the making, with the group of each copy that no wait covers yet. */
typedef struct draft {
    char *text;
    uint32_t group, copies, groups[WS_SRC_MAX];
} draft;

/* Forgets the copies that a wait for all but the last `but` groups covers. */
static void forget(draft *d, uint32_t but) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->copies; i++)
        if (d->groups[i] + but >= d->group) d->groups[kept++] = d->groups[i];
    d->copies = kept;
}

/* Appends a random word; true if it is a C or L. */
static bool random_word(draft *d, uint64_t *random) {
    uint32_t line = random_below(random, 3) ? random_below(random, 400) : random_below(random, 4), open;
    size_t at = strlen(d->text), room = ASYNC_TEXT_MAX - at;
    switch (random_below(random, 10)) {
    case 0:
    case 1:
    case 2:
        if (d->copies == WS_SRC_MAX) return false;
        d->groups[d->copies++] = d->group;
        snprintf(d->text + at, room, "C%u ", line);
        return true;
    case 3:
    case 4:
        d->group++;
        snprintf(d->text + at, room, "G ");
        return false;
    case 5:
    case 6:
        open = random_below(random, 4);
        forget(d, open);
        snprintf(d->text + at, room, "W%u ", open);
        return false;
    case 7:
        snprintf(d->text + at, room, random_one_in(random, 2) ? "c%u " : "w%u ", line % 4);
        return false;
    case 8:
        snprintf(d->text + at, room, "L%u ", line);
        return true;
    default:
        snprintf(d->text + at, room, "A ");
        return false;
    }
}

/* All warps have the same number of parts, with barriers between them. */
void async_randomize(async_random *scripts, uint64_t seed) {
    uint64_t random = seed;
    *scripts = (async_random){.ctas = 1 + random_below(&random, 5)};
    uint32_t warps = 1 + random_below(&random, ASYNC_WARPS_MAX), parts = 1 + random_below(&random, 3),
             loads = 0;
    for (uint32_t w = 0; w < warps; w++) {
        scripts->warps[w] = scripts->text[w];
        draft d = {.text = scripts->text[w]};
        for (uint32_t part = 0; part < parts; part++) {
            if (part) strcat(d.text, "B ");
            for (uint32_t words = random_below(&random, ASYNC_WORDS_MAX / parts); words; words--)
                loads += random_word(&d, &random);
        }
    }
    scripts->loads = (uint64_t)loads * scripts->ctas;
}
