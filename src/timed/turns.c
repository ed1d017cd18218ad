#include "timed/turns.h"

#include "timed/memory/channel.h"
#include "timed/memory/slice.h"
#include "timed/network/cluster.h"
#include "timed/network/network.h"
#include "timed/sm/core.h"

static void step_partition(ws_engine *e) {
    ws_wake_partition(e, e->now < e->start ? e->start : e->partition_slot->step(e->partition, e));
}

bool ws_take_turns(ws_engine *e) {
    ws_agenda_turns turns = ws_agenda_turns_now(&e->agenda);
    uint32_t part, first_slice = ws_first_slice_part(e), first_network = ws_first_network_part(e),
                   first_cluster = ws_first_cluster_part(e), first_sm = ws_first_sm_part(e),
                   dispatch = ws_dispatch_part(e);
    while (ws_agenda_take(&turns, &part)) {
        if (part < first_slice)
            ws_channel_step(e, &e->channels[part]);
        else if (part < first_network)
            ws_slice_step(e, &e->slices[part - first_slice]);
        else if (part < first_cluster)
            ws_network_step(e, part == first_network ? &e->requests : &e->replies);
        else if (part < first_sm)
            ws_cluster_step(e, part - first_cluster);
        else if (part < dispatch)
            ws_sm_step(e, &e->sms[e->cluster_parts ? ws_sm_at_place(e, part - first_sm) : part - first_sm]);
        else if (part > dispatch)
            step_partition(e);
        else if (!ws_launches_dispatch(e))
            return false;
    }
    return true;
}
