/* What the costs of mechanisms assume. */
#ifndef WS_MECHANISM_PARTS_COST_H
#define WS_MECHANISM_PARTS_COST_H

enum {
    WS_COST_LANES = 32
}; /* of a warp, and of a vector register: as in the papers, whatever the trace has */

#endif
