#include "replay/coalesce.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "base/pair.h"
#include "warpsweep/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { WORD_SHIFT = 2, ROOM_MAX = WS_LANES_MAX * ((255 + 30) / 32 + 1), LINE_MAX_B = 256 };

/* Bits first .. last set. */
static uint64_t ones(unsigned first, unsigned last) {
    return ((UINT64_C(2) << (last - first)) - 1) << first;
}

ws_coalescer ws_coalescer_of(unsigned line_B, unsigned sector_B) {
    unsigned words_per_sector = sector_B >> WORD_SHIFT;
    return (ws_coalescer){
        .line_shift = (unsigned)__builtin_ctz(line_B),
        .words_per_sector = words_per_sector,
        .sector_heads = UINT64_MAX / ones(0, words_per_sector - 1),
    };
}

/* ---- accesses as pieces of lines */

/* The part of one lane access that lies in one line. */
typedef struct piece {
    uint64_t line;
    unsigned first, last; /* bytes of the line */
} piece;

/* The next piece of an access that begins at *address and ends with byte `end`; moves *address behind it. */
static piece next_piece(unsigned line_shift, uint64_t *address, uint64_t end) {
    uint64_t line = *address >> line_shift, line_mask = (UINT64_C(1) << line_shift) - 1;
    piece p = {line, (unsigned)(*address & line_mask), (unsigned)line_mask};
    if (end >> line_shift == line) p.last = (unsigned)(end & line_mask);
    *address = (line + 1) << line_shift;
    return p;
}

/* ---- the requests of an instruction, ascending */

/* Returns the index of `line` among the requests, and inserts it if it is missing. `hint`: the likely index. */
static inline unsigned find_or_insert(ws_coalesced *out, unsigned *count, unsigned hint, uint64_t line) {
    if (hint < *count && out[hint].line == line) return hint;
    unsigned at = *count;
    while (at > 0 && out[at - 1].line > line) at--;
    if (at > 0 && out[at - 1].line == line) return at - 1;
    if (at < *count) memmove(out + at + 1, out + at, (*count - at) * sizeof *out);
    out[at] = (ws_coalesced){.line = line};
    ++*count;
    return at;
}

static unsigned coalesce_lines(unsigned line_shift, const uint64_t *addresses, unsigned lanes, unsigned width,
                               ws_coalesced *out) {
    /* Starts at the end with the lower address, so that constant strides of either sign only append. */
    bool descending = addresses[0] > addresses[lanes - 1];
    unsigned count = 0, at = 0;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t address = addresses[descending ? lanes - 1 - i : i], end = ws_last_byte(address, width);
        piece p;
        do {
            p = next_piece(line_shift, &address, end);
            at = find_or_insert(out, &count, at, p.line);
            out[at].words |= ones(p.first >> WORD_SHIFT, p.last >> WORD_SHIFT);
        } while (p.line != end >> line_shift);
    }
    return count;
}

/* The widest access that lies in one line, however short, if it is aligned to its width. */
enum { ALIGNED_MAX_B = 16 };

static bool are_aligned(const ws_survey *s, unsigned width) {
    return width <= ALIGNED_MAX_B && (width & (width - 1)) == 0 && (s->any & (width - 1)) == 0;
}

/* Coalesces accesses that are aligned. What lanes touch of a line is gathered until another line comes, which is mostly
 * behind all others. */
static unsigned coalesce_aligned(unsigned line_shift, const uint64_t *addresses, unsigned lanes,
                                 unsigned width, ws_coalesced *out) {
    bool descending = addresses[0] > addresses[lanes - 1];
    const uint64_t *next = descending ? addresses + lanes - 1 : addresses;
    ptrdiff_t step = descending ? -1 : 1;
    uint64_t word_mask = (UINT64_C(1) << (line_shift - WORD_SHIFT)) - 1, line = *next >> line_shift,
             each = ones(0, (width - 1) >> WORD_SHIFT), words = 0;
    ws_coalesced *at = out, *last = out;
    *at = (ws_coalesced){.line = line};
    for (const uint64_t *end = next + step * (ptrdiff_t)lanes; next != end; next += step) {
        uint64_t address = *next;
        if (address >> line_shift != line) {
            at->words |= words;
            words = 0;
            line = address >> line_shift;
            if (last->line < line) {
                at = ++last;
                *at = (ws_coalesced){.line = line};
            } else {
                unsigned count = (unsigned)(last - out) + 1;
                at = out + find_or_insert(out, &count, (unsigned)(at - out), line);
                last = out + count - 1;
            }
        }
        words |= each << (address >> WORD_SHIFT & word_mask);
    }
    at->words |= words;
    return (unsigned)(last - out) + 1;
}

/* ---- bytes and sectors */

/* Counts the bytes of accesses that touch parts of words, by marking each byte. */
static void count_bytes(unsigned line_shift, const uint64_t *addresses, unsigned lanes, unsigned width,
                        ws_coalesced *out, unsigned count) {
    uint64_t touched[ROOM_MAX][LINE_MAX_B / 64];
    memset(touched, 0, count * sizeof touched[0]);
    unsigned at = 0;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t address = addresses[i], end = ws_last_byte(address, width);
        piece p;
        do {
            p = next_piece(line_shift, &address, end);
            at = find_or_insert(out, &count, at, p.line);
            for (unsigned byte = p.first; byte <= p.last; byte++)
                touched[at][byte / 64] |= UINT64_C(1) << byte % 64;
        } while (p.line != end >> line_shift);
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < LINE_MAX_B / 64; k++)
            out[i].bytes = (uint16_t)(out[i].bytes + ws_count_bits(touched[i][k]));
}

static inline uint8_t sectors_of(const ws_coalescer *coalescer, uint64_t words) {
    if (coalescer->words_per_sector == 8) return (uint8_t)ws_count_bits(ws_bytes_used(words));
    for (unsigned step = 1; step < coalescer->words_per_sector; step <<= 1) words |= words >> step;
    return (uint8_t)ws_count_bits(words & coalescer->sector_heads);
}

/* ---- frequent cases */

ws_survey ws_survey_of(const uint64_t *addresses, unsigned lanes, unsigned width) {
    uint64_t first = addresses[0];
    ws_pair firsts = {first, first}, expected = {first, first + width}, step = {2 * width, 2 * width};
    ws_pair differs = {0}, breaks = {0};
    const uint64_t *next = addresses, *end = addresses + lanes;
    for (const uint64_t *last = end - lanes % 2; next != last; next += 2, expected += step) {
        ws_pair a = *(const ws_pair_in *)next;
        differs |= a ^ firsts;
        breaks |= a ^ expected;
    }
    uint64_t differs_1 = differs[0] | differs[1], breaks_1 = breaks[0] | breaks[1];
    if (next != end) {
        differs_1 |= *next ^ first;
        breaks_1 |= *next ^ expected[0];
    }
    return (ws_survey){.one_address = differs_1 == 0, .contiguous = breaks_1 == 0, .any = first | differs_1};
}

/* Makes the requests for one contiguous stretch of `size` bytes. */
static unsigned coalesce_stretch(unsigned line_shift, uint64_t address, uint64_t size, ws_coalesced *out) {
    uint64_t end = address + size - 1;
    unsigned count = 0;
    piece p;
    do {
        p = next_piece(line_shift, &address, end);
        out[count++] = (ws_coalesced){.line = p.line,
                                      .words = ones(p.first >> WORD_SHIFT, p.last >> WORD_SHIFT),
                                      .bytes = (uint16_t)(p.last - p.first + 1)};
    } while (p.line != end >> line_shift);
    return count;
}

/* Returns the length of the stretch of memory that the lanes touch all of; 0 if there is none. */
static uint64_t stretch_of(const ws_survey *s, uint64_t first, unsigned lanes, unsigned width) {
    uint64_t size = s->one_address ? width : (uint64_t)lanes * width;
    return (s->one_address || s->contiguous) && first <= UINT64_MAX - size ? size : 0;
}

/* Finds the lines and their words. */
static inline unsigned find_words(unsigned line_shift, const ws_survey *s, const uint64_t *addresses,
                                  unsigned lanes, unsigned width, ws_coalesced *out) {
    uint64_t stretch = stretch_of(s, addresses[0], lanes, width);
    if (stretch) return coalesce_stretch(line_shift, addresses[0], stretch, out);
    if (are_aligned(s, width)) return coalesce_aligned(line_shift, addresses, lanes, width, out);
    return coalesce_lines(line_shift, addresses, lanes, width, out);
}

unsigned ws_coalesce_words(unsigned line_shift, const uint64_t *addresses, unsigned lanes, unsigned width,
                           ws_coalesced *out) {
    if (lanes == 0) return 0;
    ws_survey s = ws_survey_of(addresses, lanes, width);
    return find_words(line_shift, &s, addresses, lanes, width, out);
}

unsigned ws_coalesce(const ws_coalescer *coalescer, const uint64_t *addresses, unsigned lanes, unsigned width,
                     ws_coalesced *out) {
    if (lanes == 0) return 0;
    ws_survey s = ws_survey_of(addresses, lanes, width);
    unsigned line_shift = coalescer->line_shift,
             count = find_words(line_shift, &s, addresses, lanes, width, out);
    if (((s.any | width) & ((1 << WORD_SHIFT) - 1)) == 0)
        for (unsigned i = 0; i < count; i++)
            out[i].bytes = (uint16_t)(ws_count_bits(out[i].words) << WORD_SHIFT);
    else if (!stretch_of(&s, addresses[0], lanes, width))
        count_bytes(line_shift, addresses, lanes, width, out, count);
    for (unsigned i = 0; i < count; i++) out[i].sectors = sectors_of(coalescer, out[i].words);
    return count;
}
