#include "gpgpusim/draft.h"

#include "base/real.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the option is set ("SM7_QV100/gpgpusim.config:12"), or that it has its default. */
static const char *place_of(ws_gs_draft *d, const char *option) {
    const ws_gs_option *o = ws_gs_find(d->options, option);
    return o ? o->place : "GPGPU-Sim's default";
}

void ws_gs_fail(ws_gs_draft *d, const char *option, const char *expected) {
    if (d->failed) return;
    const char *found = ws_gs_text(d, option);
    d->failed = true;
    ws_fail(d->err, WS_ERROR_SPEC, "%s: -%s: expected %s, found \"%.200s\"", place_of(d, option), option,
            expected, found);
}

const char *ws_gs_text(ws_gs_draft *d, const char *option) {
    const ws_gs_option *o = ws_gs_find(d->options, option);
    const char *value = o ? o->value : ws_gs_default(option);
    if (value) return value;
    if (!d->failed)
        ws_fail(
            d->err, WS_ERROR_SPEC,
            "-%s: expected in one of the files, found in none: give gpgpusim.config first, then trace.config",
            option);
    d->failed = true;
    return "";
}

/* ---- numbers */

/* The text after the first `index` separators; NULL if there are fewer. */
static const char *part_of(const char *text, char separator, int index) {
    for (; text && index > 0; index--) {
        text = strchr(text, separator);
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* Reads a whole number up to the separator (0: there is none) or the end of the text. */
static int64_t whole_at(ws_gs_draft *d, const char *option, const char *text, char separator,
                        const char *expected) {
    char *end;
    errno = 0;
    long value = text ? strtol(text, &end, 10) : 0;
    bool good =
        text && end != text && !errno && (!*end || *end == separator) && value >= 0 && value <= INT32_MAX;
    if (!good) ws_gs_fail(d, option, expected);
    return good ? value : 0;
}

int64_t ws_gs_whole(ws_gs_draft *d, const char *option) {
    return whole_at(d, option, ws_gs_text(d, option), 0, "a whole number");
}

bool ws_gs_is_on(ws_gs_draft *d, const char *option) {
    return ws_gs_whole(d, option) != 0;
}

int64_t ws_gs_part(ws_gs_draft *d, const char *option, char separator, int index) {
    char expected[64];
    snprintf(expected, sizeof expected, "at least %d whole numbers with '%c' between them", index + 1,
             separator);
    return whole_at(d, option, part_of(ws_gs_text(d, option), separator, index), separator, expected);
}

int64_t ws_gs_keyed(ws_gs_draft *d, const char *option, const char *key) {
    const char *text = ws_gs_text(d, option);
    size_t length = strlen(key);
    while (text && (strncmp(text, key, length) != 0 || text[length] != '=')) text = part_of(text, ':', 1);
    char expected[64];
    snprintf(expected, sizeof expected, "%s=NUMBER among what ':' is between", key);
    return whole_at(d, option, text ? text + length + 1 : NULL, ':', expected);
}

double ws_gs_part_real(ws_gs_draft *d, const char *option, char separator, int index) {
    const char *text = part_of(ws_gs_text(d, option), separator, index);
    char *end, expected[64];
    double value = text ? ws_read_real(text, &end) : 0;
    if (text && end != text && (!*end || *end == separator) && value > 0 && value < 1e6) return value;
    snprintf(expected, sizeof expected, "at least %d positive numbers with '%c' between them", index + 1,
             separator);
    ws_gs_fail(d, option, expected);
    return 1;
}

/* ---- parameters and notes */

/* The end of a place with the last folder ("SM7_QV100/gpgpusim.config:12"): a preset goes elsewhere, and the name of
 * the file alone says little. */
static const char *short_place(const char *place) {
    const char *end = strrchr(place, '/');
    while (end && end > place && end[-1] == '/') end--; /* "SM7_QV100//gpgpusim.config" */
    while (end && end > place && end[-1] != '/') end--;
    return end ? end : place;
}

void ws_gs_put(ws_gs_draft *d, const char *parameter, json_t *value, const char *option, const char *why) {
    char source[1024];
    snprintf(source, sizeof source, "%s: %s%s%.300s%s%s",
             option ? short_place(place_of(d, option)) : "GPGPU-Sim", option ? option : "", option ? " " : "",
             option ? ws_gs_text(d, option) : "", option && why ? ": " : "", why ? why : "");
    json_t *entry = json_pack("{s:o, s:s}", "value", value, "source", source);
    if (json_object_set_new(d->parameters, parameter, entry) == 0 || d->failed) return;
    d->failed = true;
    ws_fail(d->err, WS_ERROR_MEMORY, "%s: out of memory, or its option is no UTF-8", parameter);
}

void ws_gs_tell(ws_gs_draft *d, const char *option, const char *instead) {
    if (!d->note || d->failed) return;
    char text[1024];
    snprintf(text, sizeof text, "%s: -%s %.300s is not modelled: %s", place_of(d, option), option,
             ws_gs_text(d, option), instead);
    d->note(d->context, text);
}

void ws_gs_tell_fixed(ws_gs_draft *d, const ws_gs_fixed *fixed, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(ws_gs_text(d, fixed[i].option), fixed[i].modelled) != 0)
            ws_gs_tell(d, fixed[i].option, fixed[i].instead);
}
