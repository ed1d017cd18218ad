#include "accelsim_twin.h"

#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(bool condition, const char *what, const char *line) {
    if (condition) return;
    fprintf(stderr, "twin: %s: %s\n", what, line);
    abort();
}

/* ---- files */

static char *load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    need(file != NULL, "cannot open", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    need(bytes && fread(bytes, 1, *size, file) == *size, "cannot read", path);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static char *unpack(char *packed, size_t size, const char *path) {
    for (size_t room = 1 << 20;; room *= 2) {
        uint8_t *out = malloc(room + 1);
        uint64_t memory = UINT64_MAX;
        size_t in = 0, length = 0;
        lzma_ret code =
            lzma_stream_buffer_decode(&memory, 0, NULL, (uint8_t *)packed, &in, size, out, &length, room);
        if (code == LZMA_OK) {
            out[length] = '\0';
            free(packed);
            return (char *)out;
        }
        need(code == LZMA_BUF_ERROR, "damaged", path);
        free(out);
    }
}

/* ---- lines */

/* The optional columns of a file's lines: CTA and warp (raw files, and versions below 3), source line (from version 4
 * on, where the header says so), immediate (from version 5 on). */
typedef struct layout {
    bool position, line, immediate;
} layout;

enum { WORDS_MAX = 128 };

/* Mode 0: an address for each active lane; 1: the first lane's, and the stride from each active lane to the next; 2:
 * the first lane's, and the difference for each further active lane. */
static void parse_addresses(twin_inst *inst, char **words, int *w) {
    int mode = atoi(words[(*w)++]), first = -1;
    long long stride = 0;
    uint64_t last = 0;
    if (mode != 0) last = strtoull(words[(*w)++], NULL, 16);
    if (mode == 1) stride = atoll(words[(*w)++]);
    for (int lane = 0; lane < 32; lane++) {
        if (!(inst->mask >> lane & 1)) continue;
        if (mode == 0)
            last = strtoull(words[(*w)++], NULL, 16);
        else if (first >= 0)
            last += (uint64_t)(mode == 1 ? stride : atoll(words[(*w)++]));
        first = lane;
        inst->address[lane] = last;
    }
}

static void parse_inst(char *line, layout columns, twin_inst *inst) {
    char *words[WORDS_MAX + 1] = {0}, *rest = line;
    int count = 0, w = 0;
    for (char *word; count < WORDS_MAX && (word = strtok_r(rest, " ", &rest)) != NULL;) words[count++] = word;
    need(count >= 6, "too few words", line);
    if (columns.position) {
        inst->x = (unsigned)atoi(words[w++]);
        inst->y = (unsigned)atoi(words[w++]);
        inst->z = (unsigned)atoi(words[w++]);
        inst->warp = (unsigned)atoi(words[w++]);
    }
    inst->source_line = columns.line ? (unsigned)atoi(words[w++]) : 0;
    inst->pc = (unsigned)strtoul(words[w++], NULL, 16);
    inst->mask = (unsigned)strtoul(words[w++], NULL, 16);
    inst->dst_count = atoi(words[w++]);
    for (int i = 0; i < inst->dst_count; i++) inst->dst[i] = atoi(words[w++] + 1);
    snprintf(inst->opcode, sizeof inst->opcode, "%s", words[w++]);
    inst->src_count = atoi(words[w++]);
    for (int i = 0; i < inst->src_count; i++) inst->src[i] = atoi(words[w++] + 1);
    inst->width = (unsigned)atoi(words[w++]);
    if (inst->width) parse_addresses(inst, words, &w);
    inst->immediate = columns.immediate ? atoi(words[w++]) : 0;
    need(w == count, "words left over", inst->opcode);
}

void twin_read(const char *path, bool raw, twin_visitor *visit, void *context) {
    size_t size;
    char *text = load(path, &size);
    if (strstr(path, ".xz")) text = unpack(text, size, path);
    int version = 0, line_info = 0;
    unsigned left = 0;
    bool in_body = false;
    twin_inst inst = {0};
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        sscanf(line, "-accelsim tracer version = %d", &version);
        sscanf(line, "-enable lineinfo = %d", &line_info);
        layout columns = {raw || version < 3, version >= 4 && line_info, version >= 5};
        if (left > 0 || (raw && in_body && *line)) {
            parse_inst(line, columns, &inst);
            visit(context, &inst);
            left -= !raw;
        } else {
            in_body |= strncmp(line, "#traces format", 14) == 0;
            sscanf(line, "thread block = %u,%u,%u", &inst.x, &inst.y, &inst.z);
            sscanf(line, "warp = %u", &inst.warp);
            sscanf(line, "insts = %u", &left);
        }
    }
    free(text);
}
