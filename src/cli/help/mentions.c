#include "cli/help/mentions.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/buffer.h"
#include "cli/usage.h"
#include "sweep/plan/record.h"
#include "warpsweep/analysis.h"
#include "warpsweep/mechanism.h"
#include "warpsweep/store.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LISTED_MAX = 20, NAME_COLUMNS = 28 };

/* Words of others, and the words for them here. */
static const struct {
    const char *theirs, *ours;
} other_words[] = {
    {"bank conflict", "banks"},
    {"compute unit", "SM"},
    {"cooperative thread array", "CTA"},
    {"row buffer", "row"},
    {"scratchpad", "shared"},
    {"thrashing", "contention"},
    {"thread block", "CTA"},
    {"threadblock", "CTA"},
    {"work group", "CTA"},
    {"workgroup", "CTA"},
    {"working set", "stack_distance"},
};

typedef struct entry {
    const char *name, *help;
} entry;

typedef struct mentions {
    const char *term;
    ws_buffer found; /* of entries */
} mentions;

/* Whether the word, of `length` bytes, stands somewhere in the text. */
static bool has(const char *text, const char *word, size_t length) {
    for (; *text; text++)
        if (strncasecmp(text, word, length) == 0) return true;
    return false;
}

static bool has_all(const entry *e, const char *term) {
    for (size_t length; *(term += strspn(term, " ")); term += length) {
        length = strcspn(term, " ");
        if (!has(e->name, term, length) && !has(e->help, term, length)) return false;
    }
    return true;
}

static void offer(mentions *m, const char *name, const char *help) {
    const entry e = {name, help};
    if (has_all(&e, m->term)) ws_buffer_put(&m->found, &e, sizeof e);
}

/* ---- what has an explanation */

static void offer_component(mentions *m, const ws_component *component) {
    for (size_t i = 0; component && i < component->param_count; i++)
        offer(m, component->params[i].name, component->params[i].help);
}

static void offer_table(mentions *m, const ws_table *table) {
    for (size_t i = 0; table && i < table->column_count; i++)
        offer(m, table->columns[i].name, table->columns[i].help);
    for (size_t i = 0; table && i < table->ratio_count; i++)
        offer(m, table->ratios[i].name, table->ratios[i].help);
}

static void offer_analyses(mentions *m) {
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        offer(m, (*a)->name, (*a)->summary);
        offer_component(m, (*a)->component);
        for (const ws_table *const *t = (*a)->tables; *t; t++) offer_table(m, *t);
        offer_table(m, (*a)->comparison);
    }
}

static void offer_mechanisms(mentions *m) {
    for (const ws_mechanism *const *x = ws_mechanisms(); *x; x++) offer(m, (*x)->name, (*x)->summary);
}

static void offer_replays(mentions *m) {
    for (int f = 0; f < 2; f++) {
        size_t count;
        const ws_component *const *components =
            ws_fidelity_components(f ? WS_FIDELITY_TIMED : WS_FIDELITY_ORDER, &count);
        for (size_t i = 0; i < count; i++) offer_component(m, components[i]);
    }
}

/* ---- the list */

static int compare(const void *a, const void *b) {
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* Keeps one of each name: 'help' shows all that bear it. Returns their number. */
static size_t drop_same(entry *entries, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare(&entries[kept - 1], &entries[i]) != 0) entries[kept++] = entries[i];
    return kept;
}

/* Length of the first sentence. A number behind a full stop goes on with it: "Fig. 3". */
static size_t sentence_length(const char *text) {
    const char *end = text;
    while ((end = strstr(end, ". ")) && ws_is_digit(end[2])) end++;
    return end ? (size_t)(end + 1 - text) : strlen(text);
}

/* Prints the first sentence of the explanation. */
static void print_entry(const entry *e, FILE *out) {
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)sentence_length(e->help), e->help);
    cli_print_named(e->name, text, NAME_COLUMNS, out);
}

/* `word`: our word for the term, or the term itself. */
static void print_all(const char *term, const char *word, const entry *entries, size_t count, FILE *out) {
    if (count && word == term)
        fprintf(out, "Nothing is called '%s'; it is in the explanation of:\n\n", term);
    else if (count)
        fprintf(out, "Nothing is called '%s'; look for '%s', which is in the explanation of:\n\n", term,
                word);
    for (size_t i = 0; i < count && i < LISTED_MAX; i++) print_entry(&entries[i], out);
    if (count > LISTED_MAX) fprintf(out, "  .. and %zu more\n", count - LISTED_MAX);
    if (count) fputc('\n', out);
}

static void offer_everything(mentions *m) {
    offer_analyses(m);
    offer_mechanisms(m);
    offer_replays(m);
    offer_table(m, &ws_energy_table);
    offer_table(m, &ws_front_table);
    offer_table(m, &ws_kernel_counters);
}

/* Returns our word for a term that nothing here uses, singular or plural; the term itself if there is none. */
static const char *our_word(const char *term) {
    for (size_t i = 0; i < WS_COUNT(other_words); i++) {
        size_t length = strlen(other_words[i].theirs);
        const char *rest = term + length;
        if (strncasecmp(term, other_words[i].theirs, length) == 0 && (!*rest || strcasecmp(rest, "s") == 0))
            return other_words[i].ours;
    }
    return term;
}

bool cli_print_mentions(const char *term, FILE *out) {
    mentions m = {.term = term};
    offer_everything(&m);
    if (!m.found.size) {
        m.term = our_word(term);
        if (m.term != term) offer_everything(&m);
    }
    entry *entries = (entry *)(void *)m.found.data;
    size_t count = m.found.failed ? 0 : m.found.size / sizeof *entries;
    if (count) qsort(entries, count, sizeof *entries, compare);
    print_all(term, m.term, entries, drop_same(entries, count), out);
    ws_buffer_free(&m.found);
    return count > 0;
}
