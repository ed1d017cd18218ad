/* Which axes and kernels effects are found of: axes that vary of their own, and kernels that have all combinations of
 * their values or, for a surface, many. */
#include "report/effects/effects.h"
#include "report/effects/implied.h"

/* ---- axes */

/* Counts the combinations of values that the points have in `first`, a column or a constant, and in the axes but for
 * one, unless that is f->count. */
static bool count_distinct(effects *f, const char *first, unsigned without, int64_t *combinations,
                           ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendf(sql, "SELECT count(*) FROM (SELECT DISTINCT %s", first);
    for (unsigned i = 0; i < f->count; i++)
        if (i != without) sqlite3_str_appendf(sql, ", v%u", f->axes[i].column);
    sqlite3_str_appendall(sql, " FROM effect_point)");
    return ws_effects_number(f, sqlite3_str_finish(sql), combinations, err);
}

static bool count_combinations(effects *f, unsigned without, int64_t *combinations, ws_error *err) {
    return count_distinct(f, "1", without, combinations, err);
}

/* Counts the pairs of values that the points have on axes `i` and `j`; the values of one axis if they are the same. */
static bool count_pairs(effects *f, unsigned i, unsigned j, int64_t *pairs, ws_error *err) {
    return ws_effects_number(
        f,
        sqlite3_mprintf("SELECT count(*) FROM (SELECT DISTINCT v%u, v%u FROM effect_point)",
                        f->axes[i].column, f->axes[j].column),
        pairs, err);
}

static void drop_axis(effects *f, unsigned which, bool constant) {
    ws_effects_axis axis = f->axes[which];
    axis.constant = constant;
    f->count--;
    for (unsigned i = which; i < f->count; i++) f->axes[i] = f->axes[i + 1];
    f->axes[f->count] = axis;
}

/* Drops axes that the others determine (zipped and derived parameters), or that have one value: they have no effect of
 * their own. */
static bool drop_determined(effects *f, ws_error *err) {
    int64_t all, without, own;
    if (!count_combinations(f, f->count, &all, err)) return false;
    for (unsigned i = f->count; i-- > 0 && all > 1;) {
        if (!count_combinations(f, i, &without, err) || !count_pairs(f, i, i, &own, err)) return false;
        if (without == all) drop_axis(f, i, own == 1);
    }
    return all > 1 || ws_fail(err, WS_ERROR_USAGE, "view %s: expected axes that vary, found one combination",
                              f->query->view);
}

/* What the sweep's last specification tells; false where there is none that can be read. Frees `question`, SQL that
 * asks `spec.text`. */
static bool ask_specification(effects *f, char *question, int64_t *told, ws_error *err) {
    static const char last[] =
        "SELECT %s FROM (SELECT (SELECT iif(json_valid(r.spec), r.spec, NULL) "
        "FROM sweep_view v JOIN sweep s ON s.id = v.sweep JOIN run r ON r.sweep = s.name "
        "WHERE v.name = %Q ORDER BY r.started DESC, r.id DESC LIMIT 1) AS text) spec";
    if (!question) return ws_no_memory(err);
    bool ok = ws_effects_number(f, sqlite3_mprintf(last, question, f->query->view), told, err);
    sqlite3_free(question);
    return ok;
}

static bool is_derived(effects *f, unsigned i, int64_t *derived, ws_error *err) {
    return ask_specification(
        f, sqlite3_mprintf("%Q IN (SELECT key FROM json_each(spec.text, '$.derived'))", f->axes[i].name),
        derived, err);
}

static bool are_zipped(effects *f, unsigned i, unsigned j, int64_t *zipped, ws_error *err) {
    return ask_specification(f,
                             sqlite3_mprintf("EXISTS (SELECT 1 FROM json_tree(spec.text, '$.axes.zip') WHERE "
                                             "key IN (%Q, %Q) GROUP BY parent HAVING count(*) = 2)",
                                             f->axes[i].name, f->axes[j].name),
                             zipped, err);
}

/* Whether axis `i` is a function of axis `j`, and not just by chance: values of `j`, of `all` combinations, occur twice
 * or more on average, or the two are zipped. */
static bool follows_from(effects *f, unsigned i, unsigned j, int64_t all, bool *follows, ws_error *err) {
    int64_t other, pairs, zipped = 0;
    if (!count_pairs(f, j, j, &other, err) || !count_pairs(f, i, j, &pairs, err)) return false;
    *follows = pairs == other && all >= 2 * other;
    if (pairs != other || *follows) return true;
    if (!are_zipped(f, i, j, &zipped, err)) return false;
    *follows = zipped;
    return true;
}

/* The same for a sample, in which a few axes may tell all combinations apart by chance. So an axis is dropped if it has
 * one value, if the specification derives it, or if it follows from a single other one. */
static bool drop_determined_in_sample(effects *f, ws_error *err) {
    int64_t all, own, derived;
    if (!count_combinations(f, f->count, &all, err)) return false;
    for (unsigned i = f->count; i-- > 0;) {
        if (!count_pairs(f, i, i, &own, err) || !is_derived(f, i, &derived, err)) return false;
        bool follows = own == 1 || derived;
        for (unsigned j = 0; !follows && j < f->count; j++)
            if (i != j && !follows_from(f, i, j, all, &follows, err)) return false;
        if (follows) drop_axis(f, i, own == 1);
    }
    return f->count > 0 ||
           ws_fail(err, WS_ERROR_USAGE, "view %s: expected axes that vary, found none", f->query->view);
}

/* Each pair of axes is a term. */
static bool check_axes(const effects *f, ws_error *err) {
    return f->count <= WS_EFFECTS_AXES_MAX ||
           ws_fail(
               err, WS_ERROR_USAGE,
               "view %s: expected at most %d axes that vary and do not follow from others, found %u: choose "
               "a part in which fewer vary with a condition (--where)",
               f->query->view, WS_EFFECTS_AXES_MAX, f->count);
}

static bool check_rows(effects *f, ws_error *err) {
    int64_t rows, distinct;
    if (!ws_effects_number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point"), &rows, err) ||
        !count_distinct(f, "k", f->count, &distinct, err))
        return false;
    return rows == distinct ||
           ws_fail(err, WS_ERROR_USAGE,
                   "view %s: expected a row for each kernel and combination of the axes, found %lld "
                   "more: choose one of them with a condition (--where)",
                   f->query->view, (long long)(rows - distinct));
}

static bool count_levels(effects *f, ws_error *err) {
    f->combinations = 1;
    for (unsigned i = 0; i < f->count; i++) {
        int64_t levels;
        if (!count_pairs(f, i, i, &levels, err)) return false;
        f->combinations = levels > INT64_MAX / f->combinations ? INT64_MAX : f->combinations * levels;
    }
    return true;
}

/* Counts the kernels that lack some combination. */
static bool count_incomplete(effects *f, int64_t *count, ws_error *err) {
    return ws_effects_number(
        f,
        sqlite3_mprintf("SELECT count(*) FROM (SELECT 1 FROM effect_point GROUP BY k HAVING "
                        "count(*) < %lld)",
                        (long long)f->combinations),
        count, err);
}

static bool fill_holes(effects *f, ws_error *err) {
    int64_t incomplete;
    return count_incomplete(f, &incomplete, err) && (!incomplete || ws_effects_imply(f, err));
}

/* ---- kernels */

/* Drops the kernels for which `which` holds, an aggregate over their points. `*count`: their number. Frees `which`. */
static bool drop_kernels(effects *f, char *which, int64_t *count, ws_error *err) {
    static const char having[] = "SELECT k FROM effect_point GROUP BY k HAVING";
    bool ok =
        (which || ws_no_memory(err)) &&
        ws_effects_number(f, sqlite3_mprintf("SELECT count(*) FROM (%s %s)", having, which), count, err) &&
        ws_effects_run(f, sqlite3_mprintf("DELETE FROM effect_point WHERE k IN (%s %s)", having, which), err);
    sqlite3_free(which);
    return ok;
}

/* Lists dropped axes in the order of the sweep; they were dropped from the last on. */
static void tell_axes(const effects *f, bool constant, const char *which) {
    const char *before = which;
    for (unsigned i = f->count; f->log && i < f->total; i++)
        if (f->axes[i].constant == constant) fprintf(f->log, "%s%s", before, f->axes[i].name), before = ", ";
    if (before != which) fputc('\n', f->log);
}

void ws_effects_tell_dropped(const effects *f) {
    tell_axes(f, true, "left out, axes of one value: ");
    tell_axes(f, false, "left out, axes that follow from others: ");
}

static void tell_kernels(effects *f, const char *which, int64_t count) {
    if (f->log && count) fprintf(f->log, "left out, kernels %s: %lld\n", which, (long long)count);
}

static bool no_complete_kernel(const effects *f, const char *lacking, ws_error *err) {
    return ws_fail(err, WS_ERROR_USAGE,
                   "view %s: expected kernels with all %lld combinations of the axes' values, found none; "
                   "samples, conditions, parameters that are zipped, and points that failed or are still to "
                   "be computed leave holes: fit a surface to the others (--surface), or choose a part "
                   "without them with a condition (--where); %s",
                   f->query->view, (long long)f->combinations, lacking);
}

/* Drops kernels that lack some combinations; `lacking` says which one of them lacks. */
static bool drop_incomplete_kernels(effects *f, const char *lacking, ws_error *err) {
    int64_t incomplete, left;
    if (!drop_kernels(f, sqlite3_mprintf("count(*) < %lld", (long long)f->combinations), &incomplete, err) ||
        !ws_effects_number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point"), &left, err))
        return false;
    if (!left) return no_complete_kernel(f, lacking, err); /* axes may only seem to follow from others */
    ws_effects_tell_dropped(f), ws_effects_tell_implied(f);
    if (f->log && incomplete)
        fprintf(f->log, "left out, kernels that lack some of the %lld combinations: %lld (%s)\n",
                (long long)f->combinations, (long long)incomplete, lacking);
    return true;
}

static bool keep_complete_kernels(effects *f, ws_error *err) {
    char *lacking = NULL;
    bool ok = count_levels(f, err) && fill_holes(f, err) && ws_effects_lacking(f, &lacking, err) &&
              drop_incomplete_kernels(f, lacking ? lacking : "", err);
    sqlite3_free(lacking);
    return ok;
}

/* Drops kernels that lack many points. Failed points leave holes, too, and kernels with little else should not decide
 * which terms a surface can have. */
static bool keep_sampled_kernels(effects *f, ws_error *err) {
    int64_t poor;
    bool ok = drop_kernels(f,
                           sqlite3_mprintf("2 * count(*) < (SELECT max(n) FROM (SELECT count(*) AS n FROM "
                                           "effect_point GROUP BY k))"),
                           &poor, err);
    if (ok) tell_kernels(f, "with less than half of the points of others", poor);
    return ok;
}

static bool keep_varying_kernels(effects *f, ws_error *err) {
    int64_t constant, left;
    char which[200];
    if (!drop_kernels(f, sqlite3_mprintf("min(y) = max(y)"), &constant, err) ||
        !ws_effects_number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point"), &left, err))
        return false;
    if (!left) return ws_fail(err, WS_ERROR_USAGE, "%s does not vary in any kernel", f->query->metric);
    snprintf(which, sizeof which, "in which %s does not vary", f->query->metric);
    tell_kernels(f, which, constant);
    return true;
}

bool ws_effects_keep_grid(effects *f, ws_error *err) {
    return drop_determined(f, err) && check_axes(f, err) && check_rows(f, err) &&
           keep_complete_kernels(f, err) && keep_varying_kernels(f, err);
}

/* In the kernels that are kept, more axes may have one value only, or follow from others. */
bool ws_effects_keep_sample(effects *f, ws_error *err) {
    return drop_determined_in_sample(f, err) && check_axes(f, err) && check_rows(f, err) &&
           keep_sampled_kernels(f, err) && keep_varying_kernels(f, err) && drop_determined_in_sample(f, err);
}

bool ws_effects_fill_sample(effects *f, bool *complete, ws_error *err) {
    int64_t last, incomplete;
    if (!count_levels(f, err) ||
        !ws_effects_number(f, sqlite3_mprintf("SELECT max(rowid) FROM effect_point"), &last, err) ||
        !ws_effects_imply(f, err) || !count_incomplete(f, &incomplete, err))
        return false;
    *complete = f->implied && !incomplete;
    return *complete ||
           ws_effects_run(f, sqlite3_mprintf("DELETE FROM effect_point WHERE rowid > %lld", (long long)last),
                          err);
}
