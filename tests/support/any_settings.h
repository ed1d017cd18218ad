/* Random settings of the timed replay. */
#ifndef WS_TESTS_ANY_SETTINGS_H
#define WS_TESTS_ANY_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes any bytes as the choice of a trace (random instructions, asynchronous copies, two programs), a GPU and up to
 * (size - 4) / 3 settings. Where these fit together, replays the trace twice, the second time with turns of all parts
 * in every cycle. Fails the test if a launch does not end or a counter differs. Returns false for settings that are
 * refused, at once or when they run. */
bool any_settings_agree(const uint8_t *bytes, size_t size);

/* Takes bytes likewise, and replays the trace a second time with other values of parameters that have no effect with
 * these settings (ws_param_matters): fails the test if a counter differs, or if they are refused though
 * ws_config_validate() and ws_mechanisms_of() accept them, as a sweep's grid does. Returns false for settings that are
 * refused, or with which all parameters matter. */
bool any_settings_idle_agree(const uint8_t *bytes, size_t size);

#endif
