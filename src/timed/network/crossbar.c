/* A crossbar. In each cycle each output takes one packet from the inputs that ask for it, in round-robin order, and
 * each input gives one packet or, with noc.input_speedup, one to each of several outputs, from the lowest up. A packet
 * of several flits holds its output for as many cycles and, without input speedup, its input, too.
 *
 * With noc.crossbar_speedup or noc.injection_queue it is a router (Booksim's iq_router): a cycle may have several
 * steps; in one step an output is allocated to a packet, whether it has room or not, and in each of the next ones a
 * flit of it may pass, if it has entered the input (entry.h) and the output has room for it. Flits enter an input and
 * leave an output one per cycle.
 *
 * A turn looks only at ports that have something to do: a wheel holds for each of the next steps the inputs whose first
 * packet may go from then on, and the outputs that somebody wants and that are free again. */
#include "timed/network/crossbar.h"

#include "base/inline.h"
#include "timed/l1/lsu.h"
#include "timed/memory/slice.h"
#include "timed/network/cluster.h"
#include "timed/network/entry.h"
#include "timed/turns.h"

/* A step that is taken. The sets nearly always have one word, and the crossbar is nearly always a plain one: the
 * functions below are inlined into take_step(), which is compiled for the constants `words` 1 and `plain`, too, and for
 * each direction. */
typedef struct taken {
    ws_engine *e;
    ws_network *n;
    uint64_t step;
    uint32_t words;
    bool plain, to_memory;
} taken;

/* The cycle that a step belongs to. A crossbar nearly always has one step per cycle, and divisions are slow. */
static inline uint64_t cycle_of(const ws_network *n, uint64_t step) {
    return n->speedup == 1 ? step : step / n->speedup;
}

/* ---- sets of ports, and the wheel */

/* Adds a member to a set, if `is` says so. Without a branch, as the host could not predict it. */
WS_INLINE void add_if(taken t, uint64_t *set, uint32_t member, bool is) {
    set[t.words == 1 ? 0 : member / 64] |= (uint64_t)is << member % 64;
}
WS_INLINE void drop(taken t, uint64_t *set, uint32_t member) {
    set[t.words == 1 ? 0 : member / 64] &= ~(UINT64_C(1) << member % 64);
}

/* The sets of inputs and of outputs that the wheel holds for a step. */
WS_INLINE uint64_t *inputs_at(taken t, uint64_t step) {
    return &t.n->wheel[step % WS_NETWORK_STEPS * 2 * t.words];
}
WS_INLINE uint64_t *outputs_at(taken t, uint64_t step) {
    return inputs_at(t, step) + t.words;
}

/* The step that stands for step `when` on the wheel. */
WS_INLINE uint64_t place_of(taken t, uint64_t when) {
    return when - t.step < WS_NETWORK_STEPS ? when : t.step + WS_NETWORK_STEPS - 1;
}

/* Notes when the input's first packet may go. Returns the step that notes it. */
WS_INLINE uint64_t plan_input(taken t, uint32_t input) {
    uint64_t at = place_of(t, t.n->in[input].when);
    add_if(t, inputs_at(t, at), input, true);
    t.n->planned |= UINT64_C(1) << at % WS_NETWORK_STEPS;
    return at;
}

/* Notes, if the output is wanted, that it can take a packet from step `when` on. A plain crossbar's ports are never
 * busy for as long as the wheel. */
WS_INLINE void plan_output(taken t, uint32_t output, uint64_t when, bool wanted) {
    uint64_t at = t.plain ? when : place_of(t, when);
    add_if(t, outputs_at(t, at), output, wanted);
    t.n->planned |= (uint64_t)wanted << at % WS_NETWORK_STEPS;
}

/* Returns the first step after this one for which something is planned, or WS_NEVER. */
WS_INLINE uint64_t next_planned(taken t) {
    uint32_t first = (uint32_t)(t.step + 1) % WS_NETWORK_STEPS;
    uint64_t after = t.n->planned >> first | t.n->planned << -first % WS_NETWORK_STEPS;
    return after ? t.step + 1 + (uint64_t)__builtin_ctzll(after) : WS_NEVER;
}

/* ---- inputs */

/* To be called when another packet has become the first of an input. */
WS_INLINE void note_head(taken t, ws_network_input *in) {
    const ws_queued *head = ws_queue_first(&in->queue);
    uint64_t from = in->queue.when;
    if (!t.plain) {
        if (t.n->router) from = ws_entry_next(t.n, in);
        from *= t.n->speedup;
        in->flits = head->weight;
    }
    in->when = from > in->busy ? from : in->busy;
    in->output = head->where;
}

void ws_crossbar_lead(ws_engine *e, ws_network *n, uint32_t input) {
    const ws_agenda *agenda = n->to_memory ? &e->sm_agenda : &e->memory_agenda;
    taken t = {.n = n,
               .step = agenda->now * n->speedup,
               .words = n->words,
               .plain = n->plain,
               .to_memory = n->to_memory};
    note_head(t, &n->in[input]);
    ws_wake_network(n, cycle_of(n, plan_input(t, input)));
}

/* The input wants its first packet's output, whose next turn is in step `turn`. */
WS_INLINE void ask_output(taken t, uint32_t input, uint64_t turn) {
    uint32_t output = t.n->in[input].output;
    uint64_t busy = t.n->out[output].busy;
    add_if(t, &t.n->wanting[output * t.words], input, true);
    plan_output(t, output, busy > turn ? busy : turn, true);
}

/* Lets first packets that may go from now on ask for their outputs. */
WS_INLINE void ask(taken t) {
    uint64_t *due = inputs_at(t, t.step);
    for (uint32_t w = 0; w < t.words; w++) {
        for (uint64_t rest = due[w]; rest; rest &= rest - 1) {
            uint32_t input = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (t.n->in[input].when > t.step)
                plan_input(t, input);
            else
                ask_output(t, input, t.step);
        }
        due[w] = 0;
    }
}

/* Looks at the input's next packet, now its first. With input speedup it may go at once, to an output whose turn in
 * this step is still to come, and in the next step to others. */
WS_INLINE void go_on(taken t, uint32_t input, uint32_t output) {
    ws_network_input *in = &t.n->in[input];
    note_head(t, in);
    uint64_t turn = t.step + (in->output <= output);
    if (t.n->input_speedup && in->when <= turn)
        ask_output(t, input, turn);
    else
        plan_input(t, input);
}

/* ---- outputs */

/* To be called when a packet has come to an empty output port. A slice that is still serving other requests looks at
 * its port by itself when it has done so. */
static __attribute__((noinline)) void tell_output(ws_engine *e, const ws_network *n, uint32_t output,
                                                  uint64_t when) {
    if (!n->to_memory)
        ws_cluster_wake_for_reply(e, output, when + 1);
    else if (!e->slices[output].in.count)
        ws_wake_slice(e, output, when + (uint64_t)e->l2->latency + 1);
}

/* Returns the first input behind the output's last one that wants the output. */
WS_INLINE uint32_t choose(taken t, uint32_t output) {
    const uint64_t *wanting = &t.n->wanting[output * t.words];
    uint32_t last = t.n->out[output].last, w = t.words == 1 ? 0 : last / 64;
    uint64_t rest = wanting[w] & ~UINT64_C(1) << last % 64;
    if (t.words == 1) return (uint32_t)__builtin_ctzll(rest ? rest : *wanting);
    while (!rest) {
        if (++w == t.words) w = 0;
        rest = wanting[w];
    }
    return w * 64 + (uint32_t)__builtin_ctzll(rest);
}

/* Removes the input from those that want the output. Returns whether others want it. */
WS_INLINE bool leave(taken t, uint32_t input, uint32_t output) {
    uint64_t *wanting = &t.n->wanting[output * t.words], left = 0;
    drop(t, wanting, input);
    for (uint32_t w = 0; w < t.words; w++) left |= wanting[w];
    return left;
}

/* A packet of `flits` flits comes to the output in cycle `when`. */
WS_INLINE void arrive(taken t, uint32_t output, uint32_t id, uint32_t flits, uint64_t when) {
    ws_queue *out = &t.n->out[output].queue;
    if (t.to_memory ? !out->count && ws_slice_foresees(t.e, &t.e->slices[output], id, when)
                    : ws_sm_foresees(t.e, output, id, when + 1))
        return;
    bool crosses = !t.plain && t.n->boundary;
    if (crosses && !out->count) when = ws_network_last_crosses_in(&t.n->out[output]) + 1;
    if (!ws_queue_push(out, id, crosses ? flits : 1, when)) t.e->failed = true;
    if (out->count == 1)
        tell_output(t.e, t.n, output, when);
    else if (!t.to_memory && ws_network_fills(t.n, output))
        t.e->reply_port_fills = true;
}

/* To be called when a flit or a packet has left the input, for whoever waits for room there. */
WS_INLINE void tell_of_room(taken t, uint32_t input) {
    const ws_network_input *in = &t.n->in[input];
    uint32_t level = !t.plain && t.n->injection_queue ? 0 : in->queue.weight;
    if ((int32_t)level <= in->told) ws_network_tell_input(t.e, t.n, input);
}

/* To be called when the input's first packet has gone: it arrives at the output in cycle `when`, and both ports are
 * free from step `busy` on. */
WS_INLINE void end(taken t, uint32_t input, uint32_t output, uint64_t busy, uint64_t when) {
    ws_network_input *in = &t.n->in[input];
    ws_network_output *out = &t.n->out[output];
    uint32_t flits = in->flits, id = ws_queue_pop(&in->queue);
    in->entry.packet -= !t.plain && t.n->router;
    out->busy = busy;
    out->last = input;
    plan_output(t, output, busy, leave(t, input, output));
    in->busy = t.n->input_speedup ? t.step : busy;
    if (in->queue.count) go_on(t, input, output);
    tell_of_room(t, input);
    arrive(t, output, id, flits, when);
}

/* Returns the step from which the output has room for a packet of `flits` flits; WS_NEVER: whoever
 * takes a packet from it says so (ws_network_take). */
WS_INLINE uint64_t room_from(taken t, uint32_t output, uint32_t flits) {
    if (t.plain && t.n->out[output].queue.count < t.n->out_limit) return t.step;
    uint64_t room = ws_network_room_at(t.n, output, flits);
    if (room > t.e->now && t.to_memory) room = ws_slice_room_from(t.e, &t.e->slices[output], flits);
    if (t.plain && !t.to_memory) room = ws_cluster_room_from(t.e, output); /* GPGPU-Sim's own crossbar */
    if (room <= t.e->now) return t.step;
    return room == WS_NEVER ? WS_NEVER : room * t.n->speedup;
}

/* The following functions return the step from which the output has room; this step: it has, or needs none. */

/* The input's first packet goes to the output as a whole, if there is room. */
WS_INLINE uint64_t move(taken t, uint32_t input, uint32_t output) {
    ws_network_input *in = &t.n->in[input];
    ws_network_output *out = &t.n->out[output];
    uint32_t flits = ws_queue_first(&in->queue)->weight;
    uint64_t from = room_from(t, output, flits), busy = t.step + flits, gone = busy;
    if (from > t.step) return from;
    if (!t.plain) {
        for (uint32_t i = 0; i < flits; i++) ws_network_send_flit(t.e, t.n, out, t.e->now + 1);
        for (uint32_t i = 0; t.n->credit_latency && i < flits; i++) ws_network_give_credit(t.e, t.n, in);
        gone = out->gone;
    }
    end(t, input, output, busy, gone + t.n->latency);
    return t.step;
}

/* Of a router: the input's first packet gets hold of the output. */
WS_INLINE void hold(taken t, uint32_t input, uint32_t output) {
    ws_network_output *out = &t.n->out[output];
    out->held = true;
    out->holder = input;
    out->busy = t.step + 1;
    plan_output(t, output, out->busy, true);
}

/* The next flit of the packet that holds the output goes there, if it has entered the input's buffer and there is
 * room. */
WS_INLINE uint64_t pass_flit(taken t, uint32_t output) {
    ws_network_output *out = &t.n->out[output];
    ws_network_input *in = &t.n->in[out->holder];
    uint64_t entered = ws_entry_next(t.n, in) * t.n->speedup;
    if (entered > t.step) {
        plan_output(t, output, entered, true);
        return t.step;
    }
    uint64_t from = room_from(t, output, 1);
    if (from > t.step) return from;
    ws_network_send_flit(t.e, t.n, out, cycle_of(t.n, t.step + 1));
    ws_entry_leave(t.n, in, t.e->now);
    if (t.n->credit_latency && !t.n->injection_queue) ws_network_give_credit(t.e, t.n, in);
    ws_queue_lighten(&in->queue);
    if (++out->came == in->flits) {
        out->held = false;
        out->came = 0;
        end(t, out->holder, output, t.step + 1, out->gone + t.n->latency);
        return t.step;
    }
    tell_of_room(t, out->holder);
    out->busy = t.step + 1;
    plan_output(t, output, out->busy, true);
    return t.step;
}

/* An output that is wanted takes a packet or a flit. */
WS_INLINE uint64_t serve(taken t, uint32_t output) {
    if (!t.plain && t.n->out[output].held) return pass_flit(t, output);
    uint32_t input = choose(t, output);
    if (t.plain || !t.n->router) return move(t, input, output);
    hold(t, input, output);
    return t.step;
}

/* Outputs without room are looked at again in each turn. */
WS_INLINE void try_blocked(taken t, uint64_t *due) {
    for (uint32_t w = 0; w < t.words; w++) {
        due[w] |= t.n->blocked[w];
        t.n->blocked[w] = 0;
    }
    t.n->watches = t.n->boundary;
}

/* Takes a step. Returns the next one in which an output that has no room now may have some. */
WS_INLINE uint64_t take_step(taken t) {
    uint64_t next = WS_NEVER, *due = outputs_at(t, t.step);
    ask(t);
    if (t.n->watches) try_blocked(t, due);
    for (uint32_t w = 0; w < t.words; w++) {
        for (uint64_t later = ~UINT64_C(0), rest; (rest = due[w] & later) != 0;) {
            uint32_t output = w * 64 + (uint32_t)__builtin_ctzll(rest);
            later = ~UINT64_C(1) << output % 64;
            if (!t.plain && t.n->out[output].busy > t.step) { /* it was too far ahead for the wheel */
                plan_output(t, output, t.n->out[output].busy, true);
                continue;
            }
            uint64_t room = serve(t, output);
            if (room == t.step) continue;
            add_if(t, t.n->blocked, output, true);
            t.n->watches = true;
            next = ws_earlier(next, room);
        }
        due[w] = 0;
    }
    t.n->planned &= ~(UINT64_C(1) << t.step % WS_NETWORK_STEPS);
    return next;
}

/* ---- the turn */

/* Takes the turn in the present cycle. */
WS_INLINE void take_turn(taken t) {
    uint32_t steps = t.plain ? 1 : t.n->speedup;
    t.n->next_turn = WS_NEVER;
    t.step = t.e->now * steps;
    for (uint32_t left = steps - 1; left; left--, t.step++) take_step(t);
    uint64_t next = take_step(t);
    next = ws_earlier(next, next_planned(t));
    ws_wake_network(t.n, t.plain || next == WS_NEVER ? next : cycle_of(t.n, next));
}

/* Whether the network to memory may take its next turn right after this one, as no other part has one before: the turns
 * of the other side would be before it, those of other parts of its own side behind it. */
static inline bool may_go_on(const ws_engine *e) {
    const ws_agenda *side = &e->sm_agenda;
    uint64_t next = e->requests.next_turn;
    bool waits = next >= ws_next_of_memory(e) || next > side->next || next > ws_patience(e);
    return e->sms_go_ahead && !waits && (e->now > side->now || !ws_agenda_has_turns(side));
}

WS_INLINE void take_turns(ws_engine *e, ws_network *n, uint32_t words, bool plain, bool to_memory) {
    taken t = {.e = e, .n = n, .words = words, .plain = plain, .to_memory = to_memory};
    uint64_t now = e->now;
    for (;; e->now = n->next_turn) {
        take_turn(t);
        if (!to_memory || !may_go_on(e)) break;
    }
    e->now = now;
}

/* Not inlined, so that the turn of nearly all networks is not surrounded by those of others. */
static __attribute__((noinline)) void take_other_turns(ws_engine *e, ws_network *n) {
    if (n->plain)
        take_turns(e, n, n->words, true, n->to_memory);
    else if (n->words == 1)
        take_turns(e, n, 1, false, n->to_memory);
    else
        take_turns(e, n, n->words, false, n->to_memory);
}

/* Nor are these two inlined into each other. */
static __attribute__((noinline)) void take_turns_to_memory(ws_engine *e, ws_network *n) {
    take_turns(e, n, 1, true, true);
}
static __attribute__((noinline)) void take_turns_back(ws_engine *e, ws_network *n) {
    take_turns(e, n, 1, true, false);
}

void ws_network_step(ws_engine *e, ws_network *n) {
    if (!n->plain || n->words > 1)
        take_other_turns(e, n);
    else if (n->to_memory)
        take_turns_to_memory(e, n);
    else
        take_turns_back(e, n);
}
