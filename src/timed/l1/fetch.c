/* Lines that an L1 fetches without having been asked for them: those around a line that is read, as far as the owner of
 * the slot `fetch` wants them.
 *
 * Lines of a group that lie in one L2 slice are one request: one packet on the way there, served by the slice's tags
 * side by side. Their data come back like those of any other read. If the cluster slot has an owner, which sees packets
 * of single lines, each line is a request of its own. */
#include "timed/l1/l1.h"

static uint64_t first_of_group(uint64_t line) {
    return line & ~(uint64_t)(WS_GROUP_LINES - 1);
}

/* ---- an SM asks */

/* The packets that go to memory for one read. */
typedef struct requests {
    uint32_t count, at[WS_GROUP_LINES];
} requests;

/* Returns the packet that can take a line of that slice along, or WS_NO_PACKET. */
static uint32_t find_request(const ws_engine *e, const ws_sm *s, const requests *r, uint32_t slice) {
    for (uint32_t i = 0; i < r->count && !e->cluster_slot; i++) {
        const ws_packet *p = &e->packets.at[r->at[i]];
        if (p->slice == slice && p->sectors == s->line_sectors) return r->at[i];
    }
    return WS_NO_PACKET;
}

static void send_request(ws_engine *e, ws_sm *s, requests *r, uint64_t line, uint32_t slice, bool local) {
    uint32_t id = r->at[r->count++] = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = line,
                                    .entry = WS_NO_ENTRY,
                                    .sm = (uint16_t)s->index,
                                    .slice = (uint16_t)slice,
                                    .kind = WS_PACKET_READ,
                                    .local = local,
                                    .sectors = s->line_sectors};
    if (!ws_queue_push(&s->miss_queue, id, 1, e->now + 1)) e->failed = true;
}

/* Whether the line is present or on its way, of which the tags may not know. A line that is present counts as accessed:
 * a group's lines age together, so that a read finds both or none (XI 5.4). */
static bool find_line(ws_sm *s, uint64_t line) {
    uint32_t way = ws_cache_find(&s->l1, line);
    if (way == WS_NO_WAY) return ws_mshr_find(&s->mshr, line, s->line_sectors) != WS_MSHR_NONE;
    ws_cache_touch(&s->l1, way);
    return true;
}

/* Fetches a line. Returns whether there was room for it. */
static bool fetch_line(ws_engine *e, ws_sm *s, requests *r, uint64_t line, bool local) {
    bool on_miss = e->l1->allocation == WS_ALLOCATE_ON_MISS;
    uint32_t way = on_miss ? ws_cache_victim(&s->l1, line) : WS_NO_WAY, slice = ws_slice_of(&e->map, line);
    if ((on_miss && way == WS_NO_WAY) || ws_mshr_is_full(&s->mshr)) return false;
    uint32_t request = find_request(e, s, r, slice);
    bool alone = request == WS_NO_PACKET,
         writes_back = on_miss && e->l1->write == WS_WRITE_EVICT && s->l1.lines[way].dirty;
    if ((alone || writes_back) && !ws_l1_miss_queue_has_room(e, s, alone + writes_back)) return false;
    if (alone)
        send_request(e, s, r, line, slice, local);
    else
        e->packets.at[request].also |= (uint8_t)(1u << (line - first_of_group(line)));
    if (on_miss) ws_l1_place_on_miss(e, s, way, line, s->line_sectors, WS_NO_SLOT);
    ws_mshr_entry *m = &s->mshr.entry[ws_mshr_take(&s->mshr, line, s->line_sectors, way, 1)];
    m->load = WS_NO_LOAD;
    m->count = 0;
    e->fetching++;
    return true;
}

void ws_fetch_around(ws_engine *e, ws_sm *s, const ws_l1_read *read, uint32_t request) {
    requests r = {.count = request != WS_NO_PACKET, .at = {request}};
    uint64_t first = first_of_group(read->line);
    uint32_t others = ((1u << WS_GROUP_LINES) - 1) & ~(1u << (read->line - first)),
             wanted = e->fetch_slot->wants(s->fetch, e, s, read) & others;
    for (; wanted; wanted &= wanted - 1) {
        uint64_t line = first + (uint32_t)__builtin_ctz(wanted);
        if (!find_line(s, line)) e->fetch_slot->fetched(s->fetch, fetch_line(e, s, &r, line, read->local));
    }
}

void ws_fetch_arrived(ws_engine *e, ws_sm *s, const ws_mshr_entry *m, uint32_t way) {
    bool fetched = m->load == WS_NO_LOAD;
    e->fetching -= fetched;
    e->fetch_slot->arrived(s->fetch, m->line, way, fetched, !fetched || m->count);
}

/* ---- a slice answers */

uint32_t ws_fetch_rest(ws_engine *e, const ws_packet *p) {
    uint32_t id = ws_packet_new(&e->packets);
    ws_packet *rest = &e->packets.at[id];
    *rest = *p;
    rest->entry = WS_NO_ENTRY;
    rest->line = first_of_group(p->line) + (uint32_t)__builtin_ctz(p->also);
    rest->also &= (uint8_t)(p->also - 1);
    /* all of the line, as `p` may have lost sectors of the first line that went ahead */
    rest->sectors = (uint8_t)((1u << e->l1->line_B / WS_TIMED_SECTOR_B) - 1);
    return id;
}
