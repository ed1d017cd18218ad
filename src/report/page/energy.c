/* The part of a sweep's page about its energies: the settings of least time, energy and energy-delay product. */
#include "report/page/page.h"

/* Whether the table of energies gives areas of components. */
static bool has_areas(const page *p, const sweep *s, int64_t *has) {
    return page_number(p,
                       sqlite3_mprintf("SELECT count(*) FROM pragma_table_info('%q_energy') WHERE name LIKE "
                                       "'%%#_mm2' ESCAPE '#' AND name <> 'area_mm2'",
                                       s->name),
                       has);
}

/* SQL: a table `settings` with a row for each, which puts kernels together as the speedups do. Goes before a query. */
static char *settings_of(const page *p, const sweep *s, const char *baseline, const char *setting,
                         bool areas) {
    char *sql = sqlite3_mprintf(
        "WITH base AS MATERIALIZED (SELECT * FROM \"%w_energy\" WHERE %s), "
        "energies AS (SELECT max(launches) AS launches, energy_ratio, edp_ratio, area_ratio, area_mm2, "
        "%s AS setting FROM \"%w_energy\" WHERE edp_ratio > 0 AND energy_ratio > 0 "
        "GROUP BY trace, kernel, setting), "
        "settings AS MATERIALIZED (SELECT count(*) AS kernels, "
        "round(geomean(edp_ratio / energy_ratio), 4) AS \"time\", round(geomean(energy_ratio), 4) AS energy, "
        "round(geomean(edp_ratio), 4) AS \"energy x time\"%s, "
        "sum(launches) AS launches, setting FROM energies GROUP BY setting)",
        s->name, baseline, setting, s->name,
        areas ? ", round(geomean(area_ratio), 4) AS area, round(max(area_mm2), 3) AS mm2" : "");
    if (!sql) page_no_memory(p);
    return sql;
}

/* As for speedups, settings with fewer kernels or launches come last; of equal ones the baseline comes first. */
#define LEAST(of)                                                                                            \
    "SELECT * FROM settings ORDER BY kernels DESC, launches DESC, \"" of                                     \
    "\", setting <> 'the baseline', setting"
#define LEAST_OF(of) "SELECT '" of "' AS \"least\", * FROM (" LEAST(of) " LIMIT 1)"

static bool put_settings(const page *p, const char *settings) {
    page_head(p, 3,
              "Settings of least time, energy and energy-delay product (geometric means over kernels, "
              "relative to the baseline)");
    if (!page_rows(p, sqlite3_mprintf("%s " LEAST_OF("time") " UNION ALL " LEAST_OF(
                                          "energy") " UNION ALL " LEAST_OF("energy x time"),
                                      settings)))
        return false;
    page_head(p, 3,
              "Energy-delay product relative to the baseline, by setting (first those with most kernels and "
              "launches; the 50 lowest)");
    return page_rows(p, sqlite3_mprintf("%s " LEAST("energy x time") " LIMIT 50", settings));
}

bool page_energy(const page *p, const sweep *s, const char *baseline, const char *setting) {
    int64_t energies, areas = 0;
    if (!page_has_column(p, s->name, "_energy", "edp_ratio", &energies) ||
        (energies && !has_areas(p, s, &areas)))
        return false;
    if (!energies) return true;
    char *settings = settings_of(p, s, baseline, setting, areas > 0);
    bool done = settings && put_settings(p, settings);
    sqlite3_free(settings);
    return done;
}
