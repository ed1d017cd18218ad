/* The list of mechanisms, by the slot that names them. Adding one is its file in this folder, which defines
 * ws_mechanism_NAME, and its name here. */
#ifndef WS_MECHANISM_MECHANISMS_H
#define WS_MECHANISM_MECHANISMS_H

#include "warpsweep/mechanism.h"

#define WS_FRONT_MECHANISMS(X)   X(mrpb)
#define WS_CLUSTER_MECHANISMS(X) X(icc)

#define WS_MECHANISMS(X)                                                                                     \
    WS_FRONT_MECHANISMS(X)                                                                                   \
    WS_CLUSTER_MECHANISMS(X)

#define X(name)                                                                                              \
    extern const ws_mechanism ws_mechanism_##name;                                                           \
    extern const ws_component ws_##name##_component;
WS_MECHANISMS(X)
#undef X

#endif
