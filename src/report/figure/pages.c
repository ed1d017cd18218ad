/* Spreads panels and series over the pages of a figure. */
#include "report/figure/figure.h"

/* How many of `count` things each of as few pages as possible holds, `most` at most, if all hold about as many. */
static size_t evenly(size_t count, size_t most) {
    size_t pages = (count + most - 1) / most;
    return pages ? (count + pages - 1) / pages : 0;
}

static size_t pages_of(size_t count, size_t each) {
    return each ? (count + each - 1) / each : 0;
}

/* ---- bars: each panel goes on over further pages */

static bool spread_bars(const ws_figure_data *data, ws_figure_spread *s) {
    s->panels = evenly(data->panel_count, WS_FIGURE_PANELS_MAX);
    s->series = evenly(data->series_count, WS_FIGURE_BARS_MAX);
    s->count = pages_of(data->panel_count, s->panels) * pages_of(data->series_count, s->series);
    return true;
}

/* ---- curves: each panel is whole, and a page has the series of its panels */

static bool some_panel_has(const ws_figure_data *data, size_t from, size_t to, size_t series) {
    for (size_t i = from; i < to; i++)
        if (ws_figure_points(data->panels[i], series)) return true;
    return false;
}

static size_t series_between(const ws_figure_data *data, size_t from, size_t to) {
    size_t count = 0;
    for (size_t s = 0; s < data->series_count; s++) count += some_panel_has(data, from, to, s);
    return count;
}

/* Whether no page of `each` panels has more series than a legend can name. */
static bool legends_fit(const ws_figure_data *data, size_t each) {
    for (size_t from = 0; from < data->panel_count; from += each) {
        size_t to = from + each < data->panel_count ? from + each : data->panel_count;
        if (series_between(data, from, to) > WS_FIGURE_CURVES_MAX) return false;
    }
    return true;
}

static bool too_many(const ws_figure_data *data, ws_error *err) {
    size_t panel = 0, series;
    while ((series = series_between(data, panel, panel + 1)) <= WS_FIGURE_CURVES_MAX) panel++;
    return ws_fail(err, WS_ERROR_USAGE,
                   "expected at most %d series in a panel, found %zu in panel '%.200s': choose some with "
                   "WHERE, or spread them over more panels by the column panel",
                   WS_FIGURE_CURVES_MAX, series, data->panels[panel]->name);
}

static bool spread_curves(const ws_figure_data *data, ws_figure_spread *s, ws_error *err) {
    s->panels = evenly(data->panel_count, WS_FIGURE_PANELS_MAX);
    s->series = data->series_count;
    if (data->series_count >
        WS_FIGURE_CURVES_MAX) { /* all pages have all series if they can: in one colour each */
        while (s->panels > 1 && !legends_fit(data, s->panels))
            s->panels = evenly(data->panel_count, s->panels - 1);
        if (!legends_fit(data, s->panels)) return too_many(data, err);
    }
    s->count = pages_of(data->panel_count, s->panels);
    return true;
}

bool ws_figure_spread_of(const ws_figure_data *data, bool bars, ws_figure_spread *s, ws_error *err) {
    *s = (ws_figure_spread){.bars = bars};
    return bars ? spread_bars(data, s) : spread_curves(data, s, err);
}

/* ---- one page */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

void ws_figure_part_of(const ws_figure_data *data, const ws_figure_spread *s, size_t page,
                       ws_figure_part *part) {
    size_t slices = pages_of(data->series_count, s->series), first = page % slices * s->series;
    size_t end = least(first + s->series, data->series_count);
    bool all = s->bars || data->series_count <= WS_FIGURE_CURVES_MAX;
    part->first_panel = page / slices * s->panels;
    part->panels = least(s->panels, data->panel_count - part->first_panel);
    part->series_count = 0;
    for (size_t i = first; i < end; i++)
        if (all || some_panel_has(data, part->first_panel, part->first_panel + part->panels, i))
            part->series[part->series_count++] = i;
}
