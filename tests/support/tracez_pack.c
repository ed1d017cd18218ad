#include "tracez_pack.h"

#include "base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zdict.h>
#include <zstd.h>

#include <cmocka.h>

static void put_number(ws_buffer *to, uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; i++) ws_buffer_put(to, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

/* Returns the line at `*at` without its '\n', on the heap, and moves past it; NULL at the end of the text. */
static char *next_line(const char **at) {
    if (!**at) return NULL;
    const char *end = strchr(*at, '\n');
    char *line = strndup(*at, (size_t)(end - *at));
    *at = end + 1;
    return line;
}

typedef struct packer {
    ws_buffer file, index, dictionary;
    uint32_t ctas, chunk;
} packer;

/* ---- dictionary */

static bool is_instruction(const char *line) {
    return strchr("0123456789abcdef", *line) && *line;
}

static void train(packer *p, const char *text) {
    ws_buffer samples = {0};
    enum { LINES = 2000, DICTIONARY_B = 16 << 10 };
    size_t sizes[LINES], count = 0;
    char *line;
    while (count < LINES && (line = next_line(&text))) {
        if (is_instruction(line)) ws_buffer_put(&samples, line, sizes[count++] = strlen(line));
        free(line);
    }
    ws_buffer_reserve(&p->dictionary, DICTIONARY_B);
    p->dictionary.size =
        ZDICT_trainFromBuffer(p->dictionary.data, DICTIONARY_B, samples.data, sizes, (unsigned)count);
    if (ZDICT_isError(p->dictionary.size)) fail_msg("%s", ZDICT_getErrorName(p->dictionary.size));
    ws_buffer_free(&samples);
}

/* ---- warps */

static void put_chunk(packer *p, const ws_buffer *text) {
    size_t room = ZSTD_compressBound(text->size);
    uint8_t *packed = malloc(room);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t size = ZSTD_compress_usingDict(context, packed, room, text->data, text->size, p->dictionary.data,
                                          p->dictionary.size, 3);
    assert_false(ZSTD_isError(size));
    put_number(&p->file, size, 4);
    ws_buffer_put(&p->file, packed, size);
    ZSTD_freeCCtx(context);
    free(packed);
}

/* Packs the `insts` lines at `*at`. */
static void put_warp(packer *p, const char **at, uint32_t insts) {
    uint32_t chunk = p->chunk ? p->chunk : insts, chunks = insts ? (insts + chunk - 1) / chunk : 0;
    put_number(&p->index, insts, 4);
    put_number(&p->index, chunks, 4);
    put_number(&p->index, p->file.size, 8);
    put_number(&p->file, insts, 4);
    put_number(&p->file, chunks, 4);
    for (uint32_t done = 0; done < insts;) {
        ws_buffer text = {0};
        uint32_t lines = insts - done < chunk ? insts - done : chunk;
        for (uint32_t i = 0; i < lines; i++) {
            char *line = next_line(at);
            ws_buffer_put(&text, line, strlen(line));
            ws_buffer_put(&text, "\n", i + 1 < lines);
            free(line);
        }
        put_number(&p->index, lines, 4);
        put_chunk(p, &text);
        ws_buffer_free(&text);
        done += lines;
    }
}

/* ---- the file */

/* Packs the CTA whose #BEGIN_TB has been read. */
static void put_cta(packer *p, const char **at) {
    uint32_t fields[11] = {0}, insts;
    size_t fields_at = p->index.size;
    for (int i = 0; i < 11; i++) put_number(&p->index, 0, 4);
    bool ended = false;
    for (char *line; !ended && (line = next_line(at)); free(line)) {
        ended = strcmp(line, "#END_TB") == 0;
        sscanf(line, "thread block = %u,%u,%u", &fields[0], &fields[1], &fields[2]);
        sscanf(line, "cluster id = %u,%u,%u", &fields[3], &fields[4], &fields[5]);
        sscanf(line, "cluster cta = %u,%u,%u", &fields[6], &fields[7], &fields[8]);
        sscanf(line, "cluster rank = %u", &fields[9]);
        if (sscanf(line, "insts = %u", &insts) != 1) continue;
        put_warp(p, at, insts);
        fields[10]++;
    }
    ws_buffer numbers = {0};
    for (int i = 0; i < 11; i++) put_number(&numbers, fields[i], 4);
    memcpy(p->index.data + fields_at, numbers.data, numbers.size);
    ws_buffer_free(&numbers);
    p->ctas++;
}

tracez_bytes tracez_pack(const char *grouped, uint32_t chunk, bool dictionary) {
    packer p = {.chunk = chunk};
    const char *at =
        strstr(grouped, "\n#BEGIN_TB") ? strstr(grouped, "\n#BEGIN_TB") : grouped + strlen(grouped);
    tracez_bytes packed = {.header_end = (size_t)(at - grouped)};
    if (dictionary) train(&p, at);
    ws_buffer_put(&p.file, grouped, packed.header_end);
    put_number(&p.file, 0, 1);
    put_number(&p.file, p.dictionary.size, 4);
    put_number(&p.file, chunk, 4);
    ws_buffer_put(&p.file, p.dictionary.data, p.dictionary.size);
    packed.data_start = p.file.size;
    for (char *line; (line = next_line(&at)); free(line))
        if (strcmp(line, "#BEGIN_TB") == 0) put_cta(&p, &at);
    packed.index_start = p.file.size;
    put_number(&p.file, p.ctas, 4);
    ws_buffer_put(&p.file, p.index.data, p.index.size);
    put_number(&p.file, packed.index_start, 8);
    packed.data = p.file.data;
    packed.size = p.file.size;
    ws_buffer_free(&p.index);
    ws_buffer_free(&p.dictionary);
    return packed;
}
