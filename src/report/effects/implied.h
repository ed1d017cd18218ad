/* Points that a sweep left out as others have the same results: those differ from them only in axes that change nothing
 * there, such as parameters of a mechanism that is off (mechanism/matters.h). */
#ifndef WS_REPORT_EFFECTS_IMPLIED_H
#define WS_REPORT_EFFECTS_IMPLIED_H

#include "report/effects/effects.h"

enum { WS_IMPLIED_MAX = 1 << 22 }; /* points that a grid may have, with those that are implied */

/* Adds them to effect_point, as far as they are combinations of the axes' values that it has. Sets f->implied, which is
 * 0 also where it cannot be known what has an effect: in a database without the sweep's configurations, or if the grid
 * had more points than WS_IMPLIED_MAX. Needs f->combinations. */
bool ws_effects_imply(effects *f, ws_error *err);

/* After that: says on f->log (may be NULL) which axes have a single value wherever they change nothing. A surface does
 * not know that the others would be the same, and cannot tell such an axis from what turns it off. */
bool ws_effects_tell_fixed(effects *f, ws_error *err);

/* Says on f->log (may be NULL) how many they are, if any, and in which axes they differ from others. */
void ws_effects_tell_implied(const effects *f);

#endif
