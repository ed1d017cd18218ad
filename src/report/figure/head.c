#include "report/figure/head.h"

#include "base/array.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

const ws_figure_setting ws_figure_settings[WS_FIGURE_SETTINGS] = {
    [WS_FIGURE_AXIS] = {"axis", "axis_name", {NULL}},
    [WS_FIGURE_X] = {"x", "scale_x", {"linear", "log"}},
    [WS_FIGURE_Y] = {"y", "scale_y", {"shared", "free"}},
    [WS_FIGURE_STYLE] = {"style", "curve_style", {"lines", "points"}},
};

/* The comment that is next, past blank lines; NULL if the query is. */
static const char *next_comment(const char *sql) {
    sql += strspn(sql, " \t\r\n");
    return strncmp(sql, "--", 2) == 0 ? sql : NULL;
}

static const char *title_line(const char *sql) {
    return next_comment(sql + ws_utf8_mark(sql, strlen(sql)));
}

/* The text of a comment, up to its line's end. */
static const char *text_of(const char *line) {
    return line + strspn(line, "- \t");
}

static size_t length_of(const char *text) {
    size_t length = strcspn(text, "\r\n");
    while (length && strchr(" \t", text[length - 1])) length--;
    return length;
}

/* The value that a comment gives, and which setting it is of; NULL if it sets nothing. */
static const char *value_of(const char *line, size_t *setting) {
    const char *text = text_of(line);
    for (*setting = 0; *setting < WS_FIGURE_SETTINGS; ++*setting) {
        const char *key = ws_figure_settings[*setting].key;
        const size_t length = strlen(key);
        if (strncmp(text, key, length) != 0 || text[length] != ':') continue;
        text += length + 1;
        return text + strspn(text, " \t");
    }
    return NULL;
}

char *ws_figure_title(const char *sql) {
    const char *line = title_line(sql);
    return line ? strndup(text_of(line), strcspn(text_of(line), "\r\n")) : strdup("");
}

static bool may_be(const ws_figure_setting *s, const char *value) {
    if (!s->values[0]) return true;
    for (size_t i = 0; i < WS_COUNT(s->values); i++)
        if (strcmp(value, s->values[i]) == 0) return true;
    return false;
}

bool ws_figure_head_read(const char *sql, ws_figure_head *head, ws_error *err) {
    *head = (ws_figure_head){{NULL}};
    const char *line = title_line(sql);
    while (line && (line = next_comment(line + strcspn(line, "\n")))) {
        size_t i;
        const char *value = value_of(line, &i);
        if (!value) continue;
        free(head->values[i]);
        head->values[i] = strndup(value, length_of(value));
        if (!head->values[i]) return ws_no_memory(err);
        const ws_figure_setting *s = &ws_figure_settings[i];
        if (!may_be(s, head->values[i]))
            return ws_fail(err, WS_ERROR_USAGE, "expected '-- %s: %s' or '-- %s: %s', found '%.80s' there",
                           s->key, s->values[0], s->key, s->values[1], head->values[i]);
    }
    return true;
}

void ws_figure_head_free(ws_figure_head *head) {
    for (size_t i = 0; i < WS_FIGURE_SETTINGS; i++) free(head->values[i]);
}
