#include "replay/lines.h"

#include "base/room.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_SHIFT = 6, GROUP_LINES = 1 << GROUP_SHIFT, NO_GROUP = 0 };

struct ws_line_group {
    uint64_t key;   /* line >> GROUP_SHIFT */
    uint32_t group; /* index + 1 in `numbers`, NO_GROUP = free slot */
};

void ws_lines_free(ws_lines *lines) {
    free(lines->slots);
    free(lines->numbers);
    *lines = (ws_lines){0};
}

size_t ws_lines_bytes(const ws_lines *lines) {
    return lines->slot_count * sizeof *lines->slots + lines->group_room * sizeof *lines->numbers;
}

/* The slot of `key`, or the free slot where it is to be inserted. */
static ws_line_group *slot_of(ws_line_group *slots, size_t slot_count, uint64_t key) {
    uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(hash >> 32) & (slot_count - 1);
    while (slots[i].group != NO_GROUP && slots[i].key != key) i = (i + 1) & (slot_count - 1);
    return &slots[i];
}

static bool grow_slots(ws_lines *lines) {
    size_t count = lines->slot_count ? lines->slot_count * 2 : 64;
    ws_line_group *slots = calloc(count, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < lines->slot_count; i++)
        if (lines->slots[i].group != NO_GROUP) *slot_of(slots, count, lines->slots[i].key) = lines->slots[i];
    free(lines->slots);
    lines->slots = slots;
    lines->slot_count = count;
    return true;
}

static bool add_group(ws_lines *lines, uint64_t key, uint32_t *group) {
    if (!WS_ROOM_FOR(lines->numbers, lines->group_room, lines->group_count + 1)) return false;
    if (lines->group_count * 2 >= lines->slot_count && !grow_slots(lines)) return false;
    memset(lines->numbers[lines->group_count], 0, sizeof *lines->numbers);
    *group = (uint32_t)lines->group_count++;
    *slot_of(lines->slots, lines->slot_count, key) = (ws_line_group){key, *group + 1};
    return true;
}

static bool find_group(ws_lines *lines, uint64_t key, uint32_t *group) {
    if (lines->count && lines->last_key == key) {
        *group = lines->last_group;
        return true;
    }
    const ws_line_group *slot = lines->slot_count ? slot_of(lines->slots, lines->slot_count, key) : NULL;
    if (slot && slot->group != NO_GROUP)
        *group = slot->group - 1;
    else if (!add_group(lines, key, group))
        return false;
    lines->last_key = key;
    lines->last_group = *group;
    return true;
}

bool ws_lines_number(ws_lines *lines, uint64_t line, uint32_t *number) {
    uint32_t group;
    if (!find_group(lines, line >> GROUP_SHIFT, &group)) return false;
    uint32_t *entry = &lines->numbers[group][line & (GROUP_LINES - 1)];
    if (*entry == 0) {
        if (lines->count == UINT32_MAX) return false;
        *entry = ++lines->count;
    }
    *number = *entry - 1;
    return true;
}
