/* Tells what the views of a sweep no longer show, after another specification has taken its name. */
#include "store/store.h"

/* A sweep that was refused may have left such tables. */
static const char keep[] =
    "DROP TABLE IF EXISTS temp.former_point; DROP TABLE IF EXISTS temp.former_view;"
    "CREATE TEMP TABLE former_point AS SELECT s.point AS point FROM sweep_point s JOIN point p "
    "ON p.id = s.point WHERE s.sweep = %lld AND p.status = 'done';"
    "CREATE TEMP TABLE former_view AS SELECT name FROM sweep_view WHERE sweep = %lld";

bool ws_store_keep_former(ws_store *store, int64_t sweep, ws_error *err) {
    return ws_store_run(store, sqlite3_mprintf(keep, (long long)sweep, (long long)sweep),
                        "noting what the sweep's views show", err);
}

static const char lost_points[] =
    "SELECT printf('its views show %%,lld point%%s now; %%,lld that they showed before %%s stored, "
    "but not shown', now, iif(now = 1, '', 's'), lost, iif(lost = 1, 'is', 'are')) "
    "FROM (SELECT count(*) AS now FROM sweep_point WHERE sweep = %lld), (SELECT count(*) AS lost "
    "FROM former_point WHERE point NOT IN (SELECT point FROM sweep_point WHERE sweep = %lld)) "
    "WHERE lost";

static const char lost_views[] =
    "SELECT iif(count(*) = 1, 'the view ', 'the views ') || group_concat(name, ', ') || "
    "iif(count(*) = 1, ' is', ' are') || ' gone' FROM (SELECT name FROM former_view "
    "WHERE name NOT IN (SELECT name FROM sweep_view WHERE sweep = %lld) ORDER BY name)";

/* What to do, which depends on whether it was another specification. */
static const char remedy[] =
    "SELECT iif((SELECT spec FROM run WHERE id = %lld) = (SELECT spec FROM run WHERE sweep = %Q AND id < "
    "%lld ORDER BY id DESC LIMIT 1), 'of the same specification, but with other --kernels, other traces or "
    "another version of warpsweep', 'run the former specification again, or choose another name')";

bool ws_store_tell_former(ws_store *store, const char *name, int64_t sweep, ws_error *err) {
    static const char what[] = "looking for what the sweep's views showed";
    char *points = NULL, *views = NULL, *hint = NULL;
    bool ok =
        ws_store_text(store, sqlite3_mprintf(lost_points, (long long)sweep, (long long)sweep), what, &points,
                      err) &&
        ws_store_text(store, sqlite3_mprintf(lost_views, (long long)sweep), what, &views, err) &&
        ws_store_text(store, sqlite3_mprintf(remedy, (long long)store->run, name, (long long)store->run),
                      what, &hint, err) &&
        ws_store_exec(store, "DROP TABLE former_point; DROP TABLE former_view", what, err);
    sqlite3_free(store->unshown);
    store->unshown = NULL;
    if (ok && (points || views)) {
        store->unshown = sqlite3_mprintf("%s: %s%s%s (%s)\n", name, points ? points : "",
                                         points && views ? "; " : "", views ? views : "", hint);
        ok = store->unshown || ws_no_memory(err);
    }
    sqlite3_free(points);
    sqlite3_free(views);
    sqlite3_free(hint);
    return ok;
}

const char *ws_store_unshown(const ws_store *store) {
    return store->unshown;
}
