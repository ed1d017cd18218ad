#include "trace/wst/value.h"
#include "base/room.h"
#include "trace/wst/block.h"

#include <stdlib.h>

static void free_operands(wst_operands *known) {
    free(known->operands);
    free(known->first_of);
    *known = (wst_operands){0};
}

/* Forgets everything, for a new block. */
static void forget(wst_operands *known) {
    if (known->first_room) memset(known->first_of, 0, known->first_room * sizeof *known->first_of);
    known->count = 0;
    known->warp = 0;
    known->recent_count = 0;
}

void wst_operands_begin_warp(wst_operands *known) {
    known->warp++;
    known->recent_count = 0;
}

/* Index of the first of a static instruction's `count` operands, which are added at its first use in the block; 0 when
 * memory ran out. */
static uint32_t operands_of(wst_operands *known, uint32_t static_id, uint32_t count) {
    if (static_id < known->first_room && known->first_of[static_id]) return known->first_of[static_id];
    if (known->count == 0) known->count = 1; /* operand 0 stands for none */
    if (!WS_ZEROED_ROOM_FOR(known->first_of, known->first_room, static_id + 1) ||
        !WS_ZEROED_ROOM_FOR(known->operands, known->room, known->count + count))
        return 0;
    memset(known->operands + known->count, 0, count * sizeof *known->operands);
    known->first_of[static_id] = known->count;
    known->count += count;
    return known->first_of[static_id];
}

/* ---- prediction */

/* The operands of one execution, predicted or actual. */
typedef struct wst_execution {
    uint32_t uniform;
    uint64_t value[WS_OPERANDS_MAX]; /* by operand; meaningless where it is not uniform */
} wst_execution;

/* The operand's origin if that has been met in this warp, else NULL. */
static inline const wst_operand *origin_of(const wst_operands *known, const wst_operand *operand) {
    const wst_operand *origin = &known->operands[operand->origin];
    return operand->origin != WST_ORIGIN_NONE && origin->warp == known->warp ? origin : NULL;
}

static void predict(const wst_operands *known, uint32_t first, uint32_t count, wst_execution *predicted) {
    predicted->uniform = 0;
    for (uint32_t i = 0; i < count; i++) {
        const wst_operand *operand = &known->operands[first + i];
        const wst_operand *origin = operand->trust > 0 ? origin_of(known, operand) : NULL;
        predicted->uniform |= (uint32_t)(origin ? origin->uniform : operand->uniform) << i;
        predicted->value[i] = origin ? origin->value : wst_course_predict(&operand->course, known->warp);
    }
}

/* The most recent result of this warp that had the same value; WST_ORIGIN_NONE if there is none. */
static uint32_t find_origin(const wst_operands *known, uint64_t value) {
    uint32_t oldest = known->recent_count > WST_RECENT ? known->recent_count - WST_RECENT : 0;
    for (uint32_t r = known->recent_count; r > oldest; r--) {
        uint32_t candidate = known->recent[(r - 1) % WST_RECENT];
        const wst_operand *operand = &known->operands[candidate];
        if (operand->uniform && operand->value == value) return candidate;
    }
    return WST_ORIGIN_NONE;
}

/* Updates the trust in origin and course by which of them was right; if neither was, looks for a new origin. */
static void learn(wst_operands *known, wst_operand *operand, bool uniform, uint64_t value) {
    const wst_operand *origin = origin_of(known, operand);
    const bool by_origin = origin && origin->uniform == uniform && (!uniform || origin->value == value);
    const bool by_course = operand->uniform == uniform &&
                           (!uniform || wst_course_predict(&operand->course, known->warp) == value);
    if (by_origin && !by_course && operand->trust < WST_TRUST_MAX) operand->trust++;
    if (by_course && !by_origin && operand->trust > -WST_TRUST_MAX) operand->trust--;
    if (uniform && !by_origin && !by_course) {
        operand->origin = find_origin(known, value);
        if (operand->trust == 0) operand->trust = 1;
    }
}

/* Learns from the actual operands; the first `results` of them are results, which may become origins. */
static void learn_all(wst_operands *known, uint32_t first, uint32_t results, uint32_t count,
                      const wst_execution *actual) {
    for (uint32_t i = 0; i < count; i++)
        learn(known, &known->operands[first + i], actual->uniform >> i & 1, actual->value[i]);
    for (uint32_t i = 0; i < count; i++) {
        wst_operand *operand = &known->operands[first + i];
        operand->warp = known->warp;
        operand->uniform = actual->uniform >> i & 1;
        if (!operand->uniform) continue;
        operand->value = actual->value[i];
        wst_course_update(&operand->course, known->warp, actual->value[i]);
    }
    for (uint32_t i = 0; i < results; i++) known->recent[known->recent_count++ % WST_RECENT] = first + i;
}

/* ---- writing */

void wst_value_encoder_free(wst_value_encoder *e) {
    free_operands(&e->known);
    *e = (wst_value_encoder){0};
}

void wst_value_encoder_reset(wst_value_encoder *e) {
    forget(&e->known);
    e->run = 0;
}

static wst_execution spread(uint32_t uniform, const uint64_t *values, uint32_t count) {
    wst_execution actual = {.uniform = uniform};
    for (uint32_t i = 0; i < count; i++)
        if (uniform >> i & 1) actual.value[i] = *values++;
    return actual;
}

/* Mask of the operands that are not as predicted. */
static uint32_t differences(const wst_execution *predicted, const wst_execution *actual, uint32_t count) {
    uint32_t wrong = predicted->uniform ^ actual->uniform;
    for (uint32_t i = 0; i < count; i++)
        if (actual->uniform >> i & 1 && actual->value[i] != predicted->value[i]) wrong |= UINT32_C(1) << i;
    return wrong;
}

static unsigned varint_size(uint64_t value) {
    return (70 - (unsigned)__builtin_clzll(value | 1)) / 7;
}

/* The value with its bytes reversed, as a literal; false where it does not fit one. */
static bool reverse(uint64_t value, uint64_t *literal) {
    const uint64_t reversed = __builtin_bswap64(value);
    *literal = value >> 32 ? reversed << 1 | 1 : reversed >> 32 << 1;
    return value >> 32 == 0 || reversed >> 63 == 0;
}

static uint64_t unreverse(uint64_t literal) {
    return __builtin_bswap64(literal & 1 ? literal >> 1 : literal >> 1 << 32);
}

/* Puts the shorter form of a literal; true if that is the reversed one. */
static bool put_literal(ws_buffer *column, uint64_t value, uint64_t course) {
    const uint64_t difference = ws_zigzag((int64_t)(value - course));
    uint64_t reversed;
    const bool is_shorter = reverse(value, &reversed) && varint_size(reversed) < varint_size(difference);
    ws_buffer_put_varint(column, is_shorter ? reversed : difference);
    return is_shorter;
}

static void put_differences(wst_value_encoder *e, ws_buffer *columns, uint32_t first, uint32_t count,
                            uint32_t wrong, uint32_t turned, const wst_execution *actual) {
    uint64_t reversed = 0;
    for (uint32_t rest = wrong & actual->uniform; rest; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        const uint64_t course = wst_course_predict(&e->known.operands[first + i].course, e->known.warp);
        if (put_literal(&columns[WST_COLUMN_LITERAL], actual->value[i], course)) reversed |= UINT64_C(1) << i;
    }
    ws_buffer_put_varint(&columns[WST_COLUMN_VALUE_RUN], e->run);
    ws_buffer_put_varint(&columns[WST_COLUMN_VALUE], wrong | (turned | reversed << count) << count);
    e->run = 0;
}

void wst_value_encoder_inst(wst_value_encoder *e, ws_buffer *columns, uint32_t static_id, const ws_static *s,
                            uint32_t uniform, const uint64_t *values) {
    const uint32_t count = wst_operand_count(s), first = operands_of(&e->known, static_id, count);
    if (!first) {
        e->failed = true;
        return;
    }
    wst_execution predicted, actual = spread(uniform, values, count);
    predict(&e->known, first, count, &predicted);
    const uint32_t wrong = differences(&predicted, &actual, count);
    if (wrong)
        put_differences(e, columns, first, count, wrong, predicted.uniform ^ uniform, &actual);
    else
        e->run++;
    learn_all(&e->known, first, s->result_values, count, &actual);
}

/* ---- reading */

void wst_value_decoder_init(wst_value_decoder *d, const ws_buffer *columns) {
    *d = (wst_value_decoder){
        .run = wst_run_over(&columns[WST_COLUMN_VALUE_RUN]),
        .code = ws_cursor_over(columns[WST_COLUMN_VALUE].data, columns[WST_COLUMN_VALUE].size),
        .literal = ws_cursor_over(columns[WST_COLUMN_LITERAL].data, columns[WST_COLUMN_LITERAL].size),
    };
}

void wst_value_decoder_free(wst_value_decoder *d) {
    free_operands(&d->known);
}

/* Reads the differences of an instruction and corrects the prediction by them; false on damage. */
static bool read_differences(wst_value_decoder *d, uint32_t first, uint32_t count, wst_execution *execution) {
    const uint64_t code = ws_cursor_varint(&d->code), bits = (UINT64_C(1) << count) - 1;
    const uint64_t wrong = code & bits, turned = code >> count & bits, reversed = code >> 2 * count;
    if (!wrong || (turned | reversed) & ~wrong) return false;
    execution->uniform ^= (uint32_t)turned;
    for (uint64_t rest = wrong & execution->uniform; rest; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(rest);
        const uint64_t literal = ws_cursor_varint(&d->literal);
        const uint64_t course = wst_course_predict(&d->known.operands[first + i].course, d->known.warp);
        execution->value[i] =
            reversed >> i & 1 ? unreverse(literal) : course + (uint64_t)ws_unzigzag(literal);
    }
    return !d->code.failed && !d->literal.failed;
}

int wst_value_decoder_inst(wst_value_decoder *d, uint32_t static_id, const ws_static *s, uint16_t *uniform,
                           uint64_t *values) {
    const uint32_t count = wst_operand_count(s), first = operands_of(&d->known, static_id, count);
    if (!first) {
        d->failed = true;
        return -1;
    }
    wst_execution execution;
    predict(&d->known, first, count, &execution);
    if (!wst_run_step(&d->run) && !read_differences(d, first, count, &execution)) return -1;
    learn_all(&d->known, first, s->result_values, count, &execution);
    *uniform = (uint16_t)execution.uniform;
    int given = 0;
    for (uint32_t rest = execution.uniform; rest; rest &= rest - 1)
        values[given++] = execution.value[__builtin_ctz(rest)];
    return given;
}
