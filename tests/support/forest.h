/* A little experiment for tests of the database: two tables, three parameters. */
#ifndef WS_TESTS_FOREST_H
#define WS_TESTS_FOREST_H

#include "store/schema.h"
#include "store/sqlite.h"

extern const ws_component *const forest_components[];
extern const ws_table *const forest_tables[];
/* The same experiment in two versions: young_forest has fewer parameters, columns and tables. */
extern const ws_experiment forest, young_forest;

/* The error of the last call that failed, in these functions or in the tests that use them. */
extern ws_error forest_err;
/* Fails the test with the text of forest_err unless `ok`. */
void forest_must(bool ok);

/* Opens a database in the test's folder. */
ws_store *forest_open(const char *name);
/* Stores a trace of two launches of one kernel, and a configuration for each height, 1 and 2. */
void forest_describe(ws_store *store, const ws_experiment *experiment);
/* Point (launch, height) has the id 1000 * launch + height. */
ws_point_row forest_point(int64_t launch, int64_t height);
void forest_put_leaf(ws_rows *rows, uint32_t point, int64_t leaves, double longest, int64_t fallen);
void forest_put_ring(ws_rows *rows, uint32_t point, int64_t year, double width);
bool forest_store_rows(ws_store *store, const ws_point_row *points, size_t count, const ws_rows *rows);
/* Stores the rows of both launches at both heights. */
void forest_fill(ws_store *store);
/* Stores a sweep of these four points over the height; false if it is refused (forest_err). */
bool forest_sweep(ws_store *store, const char *name);

#endif
