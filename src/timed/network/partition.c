/* What passes between the owner of the partition slot and the rest of the GPU. */
#include "timed/memory/slice.h"
#include "timed/network/cluster.h"
#include "timed/network/crossbar.h"
#include "timed/turns.h"

/* An SM's requests go to all slices in turn. */
bool ws_sm_ask_partition(ws_engine *e, ws_sm *s, const ws_memory_inst *m) {
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.load = m->load,
                                    .slice = (uint16_t)((s->index + s->asked) % e->slice_count),
                                    .sm = (uint16_t)s->index,
                                    .kind = WS_PACKET_READ,
                                    .bypasses = true,
                                    .special = true,
                                    .warp = m->warp & 63};
    if (!ws_sm_send(e, s, id)) {
        ws_packet_free(&e->packets, id);
        return false;
    }
    s->asked++;
    s->counters.bypasses++;
    return true;
}

bool ws_partition_read(ws_engine *e, uint64_t line, uint8_t sectors, uint32_t note) {
    uint32_t slice = ws_slice_of(&e->map, line);
    ws_queue *in = &e->requests.out[slice].queue;
    ws_slice_let_in(e, &e->slices[slice]);
    if (ws_network_room_at(&e->requests, slice, 1) > e->now) return false;
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = line,
                                    .load = note,
                                    .slice = (uint16_t)slice,
                                    .sm = WS_NO_SM,
                                    .sectors = sectors,
                                    .kind = WS_PACKET_READ,
                                    .special = true};
    /* as if it came from the network, as one flit */
    ws_network_output *out = &e->requests.out[slice];
    uint64_t when = e->now;
    if (e->requests.boundary && !ws_queue_push(&out->coming, 0, 1, when)) {
        e->failed = true;
        return true;
    }
    if (e->requests.boundary && !in->count) when = ws_network_last_crosses_in(out) + 1;
    if (!ws_queue_push(in, id, 1, when)) e->failed = true;
    ws_wake_slice(e, slice, when + (uint64_t)e->l2->latency + 1);
    return true;
}

bool ws_partition_can_answer(const ws_engine *e, uint32_t slice) {
    return e->replies.in[slice].queue.weight < e->replies.in_limit;
}

void ws_partition_answer(ws_engine *e, uint32_t id, uint32_t slice, uint32_t replies, uint32_t sectors,
                         ws_timed_warp *tail, uint64_t when) {
    ws_packet *p = &e->packets.at[id];
    ws_sm *s = &e->sms[p->sm];
    s->warps[p->warp].tail = tail;
    p->special = false;
    p->sectors = (uint8_t)((1u << sectors) - 1);
    s->loads[p->load].left = (uint16_t)(replies * ws_packet_values(p));
    for (uint32_t i = 1; i < replies; i++)
        ws_network_put(e, &e->replies, slice, ws_packet_copy(&e->packets, id), when);
    ws_network_put(e, &e->replies, slice, id, when);
}
