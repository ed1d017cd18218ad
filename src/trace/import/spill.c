/* Records of one key are chained in an arena. When the arena is full, the chains are written out by ascending keys (a
 * *run*), in pieces of bounded size; at the end the runs are merged. All runs lie in one file. */
#include "trace/import/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    PIECE_B = 32 << 10,  /* most bytes of records in a piece */
    CURSOR_B = 64 << 10, /* bytes of a run that are buffered */
    ARENA_FIRST_B = 4 << 10,
    SLOTS_FIRST = 64,
};

typedef struct slot {
    uint64_t place;
    uint32_t launch;
    uint32_t head, tail; /* of the chain: offsets + 1 in the arena; head 0 for a free slot */
} slot;

/* Header of a record in the arena, and in a piece (where `next` means nothing); its bytes follow. */
typedef struct record {
    uint32_t next; /* in the chain: offset + 1; 0 at its end */
    uint32_t size;
} record;

/* Header of a piece of a run: the key of its records, and their bytes, which follow. */
typedef struct piece {
    uint64_t place;
    uint32_t launch, size;
} piece;

struct ws_spill {
    const ws_spill_options *options;
    uint8_t *arena;
    size_t arena_size, arena_room;
    slot *slots;
    size_t slot_count, slots_used;
    FILE *file;
    uint64_t *run_ends; /* where in the file each run ends */
    size_t run_count;
};

/* The folder of the temporary file. */
static const char *folder_of(const ws_spill_options *options) {
    if (options && options->folder) return options->folder;
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static uint64_t memory_of(const ws_spill_options *options) {
    static const uint64_t most = UINT64_C(2) << 30;
    uint64_t memory_B = options && options->memory_B ? options->memory_B : WS_SPILL_MEMORY_B;
    return memory_B < most ? memory_B : most;
}

enum { PACKED_MOST = 100 }; /* assumed ratio of unpacked to packed size, which few texts exceed */

void ws_spill_announce(const ws_spill_options *spill, const char *path, uint64_t file_B, bool is_packed,
                       const ws_import_options *options) {
    const char *folder = folder_of(spill);
    char text[WS_NOTICE_SIZE];
    struct statvfs room;
    if (!options->notice || file_B <= memory_of(spill) / (is_packed ? 2 * PACKED_MOST : 2)) return;
    unsigned long long free_B = statvfs(folder, &room) == 0
                                    ? (unsigned long long)room.f_bavail * room.f_frsize
                                    : 0,
                       file_MiB = file_B >> 20;
    if (is_packed)
        snprintf(text, sizeof text,
                 "%s: packed, to be grouped by warp: that may need some 10 times its %llu MiB in %s "
                 "(--tmpdir), where %llu MiB are free",
                 path, file_MiB, folder, free_B >> 20);
    else
        snprintf(
            text, sizeof text,
            "%s: to be grouped by warp: that needs up to %llu MiB in %s (--tmpdir), where %llu MiB are free",
            path, file_MiB, folder, free_B >> 20);
    options->notice(options->notice_context, text);
}

ws_spill *ws_spill_new(const ws_spill_options *options, ws_error *err) {
    ws_spill *spill = calloc(1, sizeof *spill);
    if (!spill) {
        ws_no_memory(err);
        return NULL;
    }
    spill->options = options;
    return spill;
}

void ws_spill_free(ws_spill *spill) {
    if (!spill) return;
    if (spill->file) fclose(spill->file);
    free(spill->arena);
    free(spill->slots);
    free(spill->run_ends);
    free(spill);
}

static int compare_keys(uint32_t launch_a, uint64_t place_a, uint32_t launch_b, uint64_t place_b) {
    if (launch_a != launch_b) return launch_a < launch_b ? -1 : 1;
    return (place_a > place_b) - (place_a < place_b);
}

static bool is_interrupted(const ws_spill *spill, ws_error *err) {
    const volatile bool *interrupted = spill->options ? spill->options->interrupted : NULL;
    return interrupted && *interrupted && !ws_fail(err, WS_ERROR_INTERRUPTED, "interrupted while grouping");
}

/* ---- the file */

static bool file_error(const ws_spill *spill, const char *what, ws_error *err) {
    int reason = errno;
    return ws_fail(err, WS_ERROR_IO,
                   "%s: %s of a temporary file failed: %s; another folder (--tmpdir) may have room",
                   folder_of(spill->options), what, strerror(reason));
}

static int open_nameless(const char *folder) {
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (fd >= 0) return fd;
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/warpsweep-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkstemp(path);
    if (fd >= 0) unlink(path);
    return fd;
}

static bool open_file(ws_spill *spill, ws_error *err) {
    int fd = open_nameless(folder_of(spill->options));
    if (fd >= 0) spill->file = fdopen(fd, "w+b");
    if (spill->file) return true;
    file_error(spill, "opening", err);
    if (fd >= 0) close(fd);
    return false;
}

/* ---- runs */

static int compare_slots(const void *a, const void *b) {
    const slot *one = a, *other = b;
    return compare_keys(one->launch, one->place, other->launch, other->place);
}

/* Moves the slots in use to the front, sorted by key; the array is not a hash table any more afterwards. */
static void sort_slots(ws_spill *spill) {
    size_t used = 0;
    for (size_t i = 0; i < spill->slot_count; i++)
        if (spill->slots[i].head) spill->slots[used++] = spill->slots[i];
    if (used > 1) qsort(spill->slots, used, sizeof *spill->slots, compare_slots);
}

static record record_at(const ws_spill *spill, uint32_t offset) {
    record r;
    memcpy(&r, spill->arena + offset - 1, sizeof r);
    return r;
}

/* Writes one chain, in pieces. */
static bool write_chain(ws_spill *spill, const slot *s) {
    uint32_t at = s->head;
    while (at) {
        piece header = {s->place, s->launch, 0};
        uint32_t first = at;
        for (uint32_t size; at && header.size < PIECE_B - WS_SPILL_RECORD_MAX; header.size += size) {
            record r = record_at(spill, at);
            size = (uint32_t)sizeof r + r.size;
            at = r.next;
        }
        if (fwrite(&header, sizeof header, 1, spill->file) != 1) return false;
        for (uint32_t i = first; i != at;) {
            record r = record_at(spill, i);
            if (fwrite(spill->arena + i - 1, sizeof r + r.size, 1, spill->file) != 1) return false;
            i = r.next;
        }
    }
    return true;
}

/* Writes all that is in memory as a run, and empties it. */
static bool write_run(ws_spill *spill, ws_error *err) {
    if (is_interrupted(spill, err) || (!spill->file && !open_file(spill, err))) return false;
    uint64_t *ends = realloc(spill->run_ends, (spill->run_count + 1) * sizeof *ends);
    if (!ends) return ws_no_memory(err);
    spill->run_ends = ends;
    sort_slots(spill);
    for (size_t i = 0; i < spill->slots_used; i++)
        if (!write_chain(spill, &spill->slots[i])) return file_error(spill, "writing", err);
    off_t end = ftello(spill->file);
    if (fflush(spill->file) != 0 || end < 0) return file_error(spill, "writing", err);
    spill->run_ends[spill->run_count++] = (uint64_t)end;
    spill->arena_size = spill->slots_used = 0;
    memset(spill->slots, 0, spill->slot_count * sizeof *spill->slots);
    return true;
}

/* ---- adding */

static slot *find_slot(slot *slots, size_t count, ws_spill_key key) {
    uint64_t hash = (key.place ^ (uint64_t)key.launch << 40) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = hash >> 32 & (count - 1);; i = (i + 1) & (count - 1))
        if (!slots[i].head || (slots[i].place == key.place && slots[i].launch == key.launch))
            return &slots[i];
}

static bool grow_slots(ws_spill *spill) {
    size_t count = spill->slot_count ? spill->slot_count * 2 : SLOTS_FIRST;
    slot *slots = calloc(count, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < spill->slot_count; i++) {
        const slot *s = &spill->slots[i];
        if (s->head) *find_slot(slots, count, (ws_spill_key){s->launch, s->place}) = *s;
    }
    free(spill->slots);
    spill->slots = slots;
    spill->slot_count = count;
    return true;
}

static bool grow_arena(ws_spill *spill, size_t need, size_t bound) {
    size_t room = spill->arena_room ? spill->arena_room : ARENA_FIRST_B;
    while (room < need) room *= 2;
    if (room > bound && need <= bound) room = bound;
    uint8_t *arena = realloc(spill->arena, room);
    if (!arena) return false;
    spill->arena = arena;
    spill->arena_room = room;
    return true;
}

/* True if memory has no room for a record of `size` bytes. Three quarters of it are for records, one for the table. */
static bool is_full(const ws_spill *spill, size_t size) {
    uint64_t memory_B = memory_of(spill->options);
    bool table_full = spill->slots_used * 2 >= spill->slot_count &&
                      spill->slot_count * 3 * sizeof *spill->slots > memory_B / 4;
    return spill->arena_size > 0 && (spill->arena_size + size > memory_B / 4 * 3 || table_full);
}

bool ws_spill_add(ws_spill *spill, ws_spill_key key, const void *bytes, size_t size, ws_error *err) {
    size_t need = sizeof(record) + size;
    if (size > WS_SPILL_RECORD_MAX) return ws_fail(err, WS_ERROR_INTERNAL, "a record of %zu bytes", size);
    if (is_full(spill, need) && !write_run(spill, err)) return false;
    bool good = spill->slots_used * 2 < spill->slot_count || grow_slots(spill);
    if (good && spill->arena_size + need > spill->arena_room)
        good = grow_arena(spill, spill->arena_size + need, memory_of(spill->options) / 4 * 3);
    if (!good) return ws_no_memory(err);

    uint32_t at = (uint32_t)spill->arena_size + 1;
    record r = {0, (uint32_t)size};
    memcpy(spill->arena + spill->arena_size, &r, sizeof r);
    memcpy(spill->arena + spill->arena_size + sizeof r, bytes, size);
    spill->arena_size += need;
    slot *s = find_slot(spill->slots, spill->slot_count, key);
    if (s->head) {
        memcpy(spill->arena + s->tail - 1 + offsetof(record, next), &at, sizeof at);
    } else {
        *s = (slot){.place = key.place, .launch = key.launch, .head = at};
        spill->slots_used++;
    }
    s->tail = at;
    return true;
}

/* ---- reading */

static bool visit_memory(ws_spill *spill, ws_spill_visit *visit, void *context, ws_error *err) {
    sort_slots(spill);
    for (size_t i = 0; i < spill->slots_used; i++) {
        const slot *s = &spill->slots[i];
        ws_spill_key key = {s->launch, s->place};
        if (is_interrupted(spill, err)) return false;
        for (uint32_t at = s->head; at;) {
            record r = record_at(spill, at);
            if (!visit(context, key, spill->arena + at - 1 + sizeof r, r.size, err)) return false;
            at = r.next;
        }
    }
    return true;
}

/* Reads a run, piece by piece. */
typedef struct cursor {
    uint64_t offset, end; /* in the file, of what has not been read yet */
    size_t at, filled;    /* in the buffer; the piece's records begin at `at` */
    piece piece;
    size_t run;
    uint8_t *buffer;
} cursor;

/* Makes sure that `size` bytes are in the buffer from `at` on. */
static bool cursor_need(ws_spill *spill, cursor *c, size_t size, ws_error *err) {
    if (c->filled - c->at >= size) return true;
    memmove(c->buffer, c->buffer + c->at, c->filled - c->at);
    c->filled -= c->at;
    c->at = 0;
    while (c->filled < size) {
        size_t wanted = CURSOR_B - c->filled;
        if (wanted > c->end - c->offset) wanted = c->end - c->offset;
        ssize_t n = pread(fileno(spill->file), c->buffer + c->filled, wanted, (off_t)c->offset);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = EIO;
        if (n <= 0) return file_error(spill, "reading", err);
        c->filled += (size_t)n;
        c->offset += (uint64_t)n;
    }
    return true;
}

/* Loads the next piece; `*more` is cleared at the run's end. */
static bool cursor_next(ws_spill *spill, cursor *c, bool *more, ws_error *err) {
    *more = c->filled > c->at || c->offset < c->end;
    if (!*more) return true;
    if (!cursor_need(spill, c, sizeof c->piece, err)) return false;
    memcpy(&c->piece, c->buffer + c->at, sizeof c->piece);
    c->at += sizeof c->piece;
    return cursor_need(spill, c, c->piece.size, err);
}

static bool cursor_visit(cursor *c, ws_spill_visit *visit, void *context, ws_error *err) {
    ws_spill_key key = {c->piece.launch, c->piece.place};
    size_t end = c->at + c->piece.size;
    while (c->at < end) {
        record r;
        memcpy(&r, c->buffer + c->at, sizeof r);
        c->at += sizeof r;
        if (!visit(context, key, c->buffer + c->at, r.size, err)) return false;
        c->at += r.size;
    }
    return true;
}

/* The order of the merge: by key, and for equal keys earlier runs first, since they hold what was added earlier. */
static bool is_before(const cursor *a, const cursor *b) {
    int order = compare_keys(a->piece.launch, a->piece.place, b->piece.launch, b->piece.place);
    return order < 0 || (order == 0 && a->run < b->run);
}

static void sift_down(cursor **heap, size_t count, size_t at) {
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (is_before(heap[child], heap[least])) least = child;
        if (least == at) return;
        cursor *moved = heap[at];
        heap[at] = heap[least];
        heap[least] = moved;
        at = least;
    }
}

static bool merge(ws_spill *spill, cursor *cursors, cursor **heap, ws_spill_visit *visit, void *context,
                  ws_error *err) {
    size_t count = 0;
    bool more;
    for (size_t i = 0; i < spill->run_count; i++) {
        cursors[i].run = i;
        cursors[i].offset = i ? spill->run_ends[i - 1] : 0;
        cursors[i].end = spill->run_ends[i];
        cursors[i].buffer = malloc(CURSOR_B);
        if (!cursors[i].buffer) return ws_no_memory(err);
        if (!cursor_next(spill, &cursors[i], &more, err)) return false;
        if (more) heap[count++] = &cursors[i];
    }
    for (size_t i = count; i-- > 0;) sift_down(heap, count, i);
    while (count > 0) {
        if (is_interrupted(spill, err) || !cursor_visit(heap[0], visit, context, err) ||
            !cursor_next(spill, heap[0], &more, err))
            return false;
        if (!more) heap[0] = heap[--count];
        sift_down(heap, count, 0);
    }
    return true;
}

/* Frees the arena and the table, which are not needed any more, to make room for the cursors. */
static void release_memory(ws_spill *spill) {
    free(spill->arena);
    free(spill->slots);
    spill->arena = NULL;
    spill->slots = NULL;
    spill->arena_room = spill->slot_count = 0;
}

bool ws_spill_read(ws_spill *spill, ws_spill_visit *visit, void *context, ws_error *err) {
    if (spill->run_count == 0) return visit_memory(spill, visit, context, err);
    if (spill->slots_used > 0 && !write_run(spill, err)) return false;
    release_memory(spill);
    cursor *cursors = calloc(spill->run_count, sizeof *cursors);
    cursor **heap = calloc(spill->run_count, sizeof *heap);
    bool good = (cursors && heap) || ws_no_memory(err);
    good = good && merge(spill, cursors, heap, visit, context, err);
    for (size_t i = 0; cursors && i < spill->run_count; i++) free(cursors[i].buffer);
    free(cursors);
    free(heap);
    return good;
}
