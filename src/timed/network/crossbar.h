/* What the two files of a network share: network.c, which has its ports as those see them who fill and empty them, and
 * crossbar.c, which moves packets from one to the other. */
#ifndef WS_TIMED_NETWORK_CROSSBAR_H
#define WS_TIMED_NETWORK_CROSSBAR_H

#include "timed/engine.h"

/* To be called when a packet has come to an empty input. The turn of one that is not the first comes once those before
 * it have gone. */
void ws_crossbar_lead(ws_engine *engine, ws_network *net, uint32_t input);

/* Sends back the credit of a flit that leaves the input now. */
void ws_network_give_credit(ws_engine *engine, const ws_network *net, ws_network_input *in);
/* Tells whoever waits for room at an input port that there is some, or will be. */
void ws_network_tell_input(ws_engine *engine, ws_network *net, uint32_t input);
/* Another flit leaves the output: in the cycle after the one before it, or in cycle `sent` if that is later. */
void ws_network_send_flit(ws_engine *engine, const ws_network *net, ws_network_output *out, uint64_t sent);
/* Returns the cycle in which the last flit that has come crosses to the boundary buffer, if there is room. */
uint64_t ws_network_last_crosses_in(const ws_network_output *out);

#endif
