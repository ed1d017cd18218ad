/* Parameters and result columns: each is declared once, in a table, and everything else is derived from it:
 * JSON validation, defaults, help texts, the columns of the database, the resume key, the reference
 * documentation.
 *
 * A *component* is a group of parameters that share a prefix: `window.size` belongs to component `window`;
 * its column is `window_size`. A component binds its parameters to the fields of a plain struct, so the code
 * that uses them reads `params->size`. A *configuration* holds one such struct per component. */
#ifndef WARPSWEEP_PARAM_H
#define WARPSWEEP_PARAM_H

#include "warpsweep/error.h"

#include <jansson.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ws_type {
    WS_TYPE_INT,    /* field: int64_t */
    WS_TYPE_REAL,   /* field: double */
    WS_TYPE_BOOL,   /* field: bool */
    WS_TYPE_CHOICE, /* field: int, index into `choices`; a string in JSON and in the database */
    WS_TYPE_TEXT,   /* result columns only */
} ws_type;

typedef struct ws_param {
    const char *name; /* "window.size" */
    ws_type type;
    const char *unit;           /* "B", "cycles", "requests", ..; "" for none */
    size_t offset;              /* of the field in the component's struct */
    double def, min, max;       /* inclusive; exact for integers up to 2^53. Choices and bools: def only */
    const char *const *choices; /* NULL-terminated; for WS_TYPE_CHOICE */
    const char *help;
} ws_param;

/* Offset of a field, which must be of that type: in C any other does not compile. */
#ifdef __cplusplus
#define WS_FIELD(struct_, field_, type_) offsetof(struct_, field_)
#else
#define WS_FIELD(struct_, field_, type_) _Generic(((struct_ *)0)->field_, type_ : offsetof(struct_, field_))
#endif

#define WS_INT(struct_, field_, name_, unit_, def_, min_, max_, help_)                                       \
    { name_, WS_TYPE_INT, unit_, WS_FIELD(struct_, field_, int64_t), def_, min_, max_, NULL, help_ }
#define WS_REAL(struct_, field_, name_, unit_, def_, min_, max_, help_)                                      \
    { name_, WS_TYPE_REAL, unit_, WS_FIELD(struct_, field_, double), def_, min_, max_, NULL, help_ }
#define WS_BOOL(struct_, field_, name_, def_, help_)                                                         \
    { name_, WS_TYPE_BOOL, "", WS_FIELD(struct_, field_, bool), def_, 0, 1, NULL, help_ }
#define WS_CHOICE(struct_, field_, name_, def_, choices_, help_)                                             \
    { name_, WS_TYPE_CHOICE, "", WS_FIELD(struct_, field_, int), def_, 0, 0, choices_, help_ }

/* A condition for a parameter to have an effect: that another parameter, of any component, has a value (or, with
 * `other_than`, any value but that one). */
typedef struct ws_need {
    const char *param; /* "core.swl_warps" */
    const char *of,
        *value; /* "sm.scheduler", "swl"; the value as text. NULL: no parameter meets the condition */
    bool other_than;
    bool or_programs;      /* running two programs at the same time meets it, too */
    const char *otherwise; /* what the parameter does if it is not met; NULL: "changes nothing" */
    const char *or_of;     /* another parameter that meets it with the same value; NULL: none */
    const char *instead;   /* a component that counts instead, where the configuration has it; NULL: none */
} ws_need;

typedef struct ws_component {
    const char *name;    /* the prefix of its parameters */
    const char *summary; /* one line */
    const char *source;  /* document and section of the definition, "" for our own */
    const ws_param *params;
    size_t param_count;
    size_t struct_size;
    const ws_need *needs; /* conditions of its parameters; a parameter may have several */
    size_t need_count;
    /* Checks rules that span parameters; each value is within its own bounds already. NULL: there are none. The error
     * text names the parameters and what to change. */
    bool (*validate)(const void *params, ws_error *err);
} ws_component;

/* ---- configurations */

/* The values of a list of components. Owned by the caller; free accepts NULL. Functions without a ws_error that return
 * a new object return NULL when out of memory. */
typedef struct ws_config ws_config;

/* All defaults. `components` (the array and what it points to) must outlive the configuration. */
ws_config *ws_config_new(const ws_component *const *components, size_t count);
ws_config *ws_config_copy(const ws_config *config);
void ws_config_free(ws_config *config);

/* The struct of one component; NULL when the configuration does not have it. */
const void *ws_config_get(const ws_config *config, const ws_component *component);
/* Whether the configuration has all these components; WS_ERROR_INTERNAL names the first that it lacks. */
bool ws_config_has(const ws_config *config, const ws_component *const *components, size_t count,
                   ws_error *err);

/* Sets one parameter from JSON. `path` is the JSON path for messages ("$.axes['window.size'][3]"). Unknown
 * names are errors that give the nearest known name; nothing is clamped. */
bool ws_config_set(ws_config *config, const char *name, const json_t *value, const char *path, ws_error *err);

/* Runs each component's own `validate`. What replays with a configuration does so first. */
bool ws_config_validate(const ws_config *config, ws_error *err);

/* Whether a parameter has this value. */
bool ws_config_is(const ws_config *config, const char *name, const json_t *value);

/* One parameter as a new JSON value (caller decrefs); NULL when there is no such parameter. */
json_t *ws_config_value(const ws_config *config, const char *name);

/* All parameters with their values, in table order: the full effective configuration (caller decrefs). */
json_t *ws_config_json(const ws_config *config);

/* Canonical text of the parameters that differ from their defaults, sorted by name: "a.b=1;c.d=fifo". Equal
 * texts mean equal configurations, and a new parameter with a neutral default keeps old texts valid. Heap
 * string. `skip` (may be NULL) names parameters to leave out, NULL-terminated; `only` (may be NULL) restricts
 * to those components. */
char *ws_config_key(const ws_config *config, const char *const *skip, const ws_component *const *only,
                    size_t only_count);

/* Declaration of a parameter; NULL when unknown. */
const ws_param *ws_config_param(const ws_config *config, const char *name);

/* The first condition that a parameter needs to have an effect and that this configuration does not meet; NULL: it
 * meets all. `two_programs`: whether two programs run at the same time. */
const ws_need *ws_config_unmet(const ws_config *config, const char *name, bool two_programs);

/* "window.size" -> "window_size". `out` has `size` bytes. */
void ws_param_column(const char *name, char *out, size_t size);

/* ---- result tables */

typedef enum ws_adds {
    WS_ADDS_SUM,  /* a count: shards and launches add up */
    WS_ADDS_MAX,  /* the largest value counts */
    WS_ADDS_SAME, /* the common value if all agree (a limit, a shape), else unknown */
    WS_ADDS_KEY,  /* part of the row's identity (a histogram's bin, a pc) */
    WS_ADDS_NOT,  /* has no meaning across rows */
} ws_adds;

typedef struct ws_column {
    const char *name; /* [a-zA-Z][a-zA-Z0-9_]*, and no word of SQL that needs quotes */
    ws_type type;     /* INT, REAL or TEXT */
    const char *unit;
    ws_adds adds;
    const char *help; /* with the source of the definition */
} ws_column;

/* A ratio of columns: never stored, computed by the views, so that partial results add up exactly. */
typedef struct ws_ratio {
    const char *name, *unit;
    const char *sql; /* expression over the columns of the same table; yields NULL where undefined */
    const char *help;
} ws_ratio;

/* An array and the number of its elements, which are initialisers beside each other: of columns, ratios, parameters. A
 * count by hand that is too high would be read past the array. Not for pointers. */
#define WS_ARRAY(array_) array_, sizeof(array_) / sizeof *(array_)

typedef struct ws_table {
    const char *name; /* of the table in the database */
    const char *summary;
    const ws_column *columns;
    size_t column_count;
    const ws_ratio *ratios;
    size_t ratio_count;
} ws_table;

/* Whether a point may have several rows in the table, which its key columns tell apart. Without them it has one at
 * most. */
bool ws_table_has_keys(const ws_table *table);

/* Two columns of a comparison to weigh against each other: the view S_NAME marks the settings that no other beats in
 * both. */
typedef struct ws_front {
    const char *name;    /* of the view: S_NAME */
    const char *group;   /* column: kernels with the same value are looked at together */
    const char *benefit; /* column: the higher the better, above 0 */
    const char *cost;    /* column: the lower the better */
} ws_front;

/* ---- rows */

/* Result rows on their way from a worker to the database: a flat byte buffer. A row belongs to a point of the
 * pass and to a table; its cells follow in column order. A cell is a number, a text, or unknown with a reason. */
typedef struct ws_rows ws_rows;

ws_rows *ws_rows_new(void);
void ws_rows_free(ws_rows *rows);
void ws_rows_clear(ws_rows *rows);
/* Starts a row; `table` is an index into the analysis' list of tables. */
void ws_rows_begin(ws_rows *rows, uint32_t point, uint32_t table);
void ws_rows_int(ws_rows *rows, int64_t value);
void ws_rows_count(ws_rows *rows, uint64_t value);   /* below 2^63; others are unknown */
void ws_rows_real(ws_rows *rows, double value);      /* finite; others are unknown */
void ws_rows_text(ws_rows *rows, const char *value); /* NULL is unknown */
void ws_rows_unknown(ws_rows *rows, const char *reason);

/* Marks a point whose replay was cut by limits: appends a row without cells, of table WS_ROWS_TRUNCATED. */
enum { WS_ROWS_TRUNCATED = INT32_MAX };
void ws_rows_truncated(ws_rows *rows, uint32_t point);

/* The encoded bytes (owned by `rows`); false if an allocation failed before, or a cell came before any row. */
bool ws_rows_bytes(const ws_rows *rows, const void **bytes, size_t *size);

typedef enum ws_cell_kind { WS_CELL_INT, WS_CELL_REAL, WS_CELL_TEXT, WS_CELL_UNKNOWN } ws_cell_kind;
typedef struct ws_cell {
    ws_cell_kind kind;
    int64_t integer;
    double real;
    const char *text; /* text, or the reason; not owned, valid while the bytes are */
} ws_cell;

/* Reads the next row of encoded bytes: its point, its table, its cells and their number. `*at` starts at 0. `cells` has
 * room for `room` cells: as many as the widest of the tables has columns. False at the end, on damage, or if a row has
 * more cells (`*at` equals `size` only at a clean end). */
bool ws_rows_next(const void *bytes, size_t size, size_t *at, uint32_t *point, uint32_t *table,
                  ws_cell *cells, size_t room, size_t *count);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
