/* Selections of launches: by number ("1,3-5"), or by a regular expression that the kernel's name or short name
 * matches. */
#include "warpsweep/trace.h"

#include "base/ascii.h"
#include "base/given.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_MAX = 512, REPEATS_MAX = 12, NESTED_MAX = 2 };

typedef struct range {
    uint32_t from, to;
} range;

struct ws_selection {
    bool all, has_pattern;
    regex_t pattern;
    range *ranges;
    size_t range_count;
};

/* True for a text such as "1,3-5": digits, commas, dashes and spaces only. */
static bool is_list(const char *text) {
    return *text && text[strspn(text, "0123456789,- ")] == '\0';
}

static bool parse_number(const char **at, uint32_t *value) {
    while (**at == ' ') ++*at;
    if (!ws_is_digit(**at)) return false;
    char *end;
    unsigned long long number = strtoull(*at, &end, 10);
    *at = end;
    while (**at == ' ') ++*at;
    *value = (uint32_t)number;
    return number >= 1 && number <= UINT32_MAX;
}

static bool parse_list(ws_selection *s, const char *text, const char *where, ws_error *err) {
    s->ranges = calloc(strlen(text) / 2 + 1, sizeof *s->ranges);
    if (!s->ranges) return ws_no_memory(err);
    for (const char *at = text;; at++) {
        range *r = &s->ranges[s->range_count++];
        bool ok = parse_number(&at, &r->from);
        r->to = r->from;
        if (ok && *at == '-') {
            at++;
            ok = parse_number(&at, &r->to) && r->to >= r->from;
        }
        if (!ok || (*at != ',' && *at != '\0'))
            return ws_fail(err, WS_ERROR_USAGE,
                           "%s: expected launch numbers such as 1,3-5 (from 1, ranges ascending), found '%s'",
                           where, text);
        if (*at == '\0') return true;
    }
}

/* True if regcomp() can be trusted with the text. It copies what a '+' or an interval repeats, and expands repeats
 * within repeats each time, so that a short text, "((a+)+)+ .." or "a****+++", can ask for any amount of memory or
 * time. */
static bool is_moderate(const char *text) {
    unsigned within[PATTERN_MAX + 1] = {0}; /* per open group: how deep repeats nest in it */
    unsigned open = 0, last = 0;            /* last: how deep they nest in the item before */
    size_t repeats = 0;
    if (strlen(text) > PATTERN_MAX || strchr(text, '{')) return false;
    for (const char *at = text; *at; at++) {
        if (*at == '(') {
            within[++open] = last = 0;
        } else if (*at == ')' && open) {
            last = within[open--];
        } else if (strchr("+*?", *at)) {
            repeats++, last++;
        } else {
            last = 0;
            at += *at == '\\' && at[1];
        }
        if (last > within[open]) within[open] = last;
        if (last > NESTED_MAX) return false;
    }
    return repeats <= REPEATS_MAX;
}

static bool parse_pattern(ws_selection *s, const char *text, const char *where, ws_error *err) {
    if (!*text || !is_moderate(text))
        return ws_fail(err, WS_ERROR_USAGE,
                       "%s: expected launch numbers such as 1,3-5, or a regular expression of 1 to %d bytes "
                       "with at most %d of + * ?, not more than %d within each other, and without "
                       "{}, found '%.60s'",
                       where, PATTERN_MAX, REPEATS_MAX, NESTED_MAX, text);
    int code = regcomp(&s->pattern, text, REG_EXTENDED | REG_NOSUB);
    if (code) {
        char reason[128];
        regerror(code, &s->pattern, reason, sizeof reason);
        return ws_fail(err, WS_ERROR_USAGE,
                       "%s: expected launch numbers or a regular expression, found '%s': %s", where, text,
                       reason);
    }
    s->has_pattern = true;
    return true;
}

ws_selection *ws_selection_new(const char *text, const char *where, ws_error *err) {
    if (!WS_GIVEN(where, "the origin of the text", err)) return NULL;
    ws_selection *s = calloc(1, sizeof *s);
    if (!s) {
        ws_no_memory(err);
        return NULL;
    }
    bool ok = true;
    if (!text || strcmp(text, "*") == 0)
        s->all = true;
    else if (is_list(text))
        ok = parse_list(s, text, where, err);
    else
        ok = parse_pattern(s, text, where, err);
    if (ok) return s;
    ws_selection_free(s);
    return NULL;
}

void ws_selection_free(ws_selection *s) {
    if (!s) return;
    if (s->has_pattern) regfree(&s->pattern);
    free(s->ranges);
    free(s);
}

bool ws_selection_may_have(const ws_selection *s, uint32_t index) {
    if (s->all || s->has_pattern) return true;
    for (size_t i = 0; i < s->range_count; i++)
        if (index >= s->ranges[i].from && index <= s->ranges[i].to) return true;
    return false;
}

uint32_t ws_selection_last(const ws_selection *s) {
    uint32_t last = 0;
    for (size_t i = 0; i < s->range_count; i++)
        if (s->ranges[i].to > last) last = s->ranges[i].to;
    return last;
}

/* A name that is NULL matches no pattern. */
static bool matches(const ws_selection *s, const char *name) {
    return name && regexec(&s->pattern, name, 0, NULL, 0) == 0;
}

bool ws_selection_has(const ws_selection *s, uint32_t index, const char *name, const char *short_name) {
    if (s->has_pattern) return matches(s, name) || matches(s, short_name);
    return ws_selection_may_have(s, index);
}
