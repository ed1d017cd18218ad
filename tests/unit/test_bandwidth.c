/* How much of the DRAM bandwidth given by their sources the presets in sweeps/gpus reach: by arithmetic, with two
 * channels under full load, and on the whole GPU, where other parts may limit it. */
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "base/array.h"
#include "warpsweep/analysis.h"
#include "warpsweep/preset.h"
#include "warpsweep/timed.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char folder[] = "sweeps/gpus";

typedef struct gpu {
    const char *name;
    double core_MHz;
    double source_GB_s; /* bandwidth of the whole GPU's memory */
    bool halves;        /* a sector of 32 B takes a burst of 64 B, so half of the bandwidth is usable */
    /* percentage of the usable bandwidth that a stream on the whole GPU reaches; measured */
    double whole_percent;
} gpu;

/* The sources are those of the presets' parameters. GPGPU-Sim's GTX 480 has 6 channels of 64 B per two cycles of 924
 * MHz, its QV100 32 of 32 B per cycle of 850 MHz, its RTX 3070 16 of 32 B per four cycles of 3500.5 MHz. WP and MRPB
 * give no bandwidth; the values here are those of the cards, for MRPB at 750 MHz.
 *
 * Why some reach less: in ICC's GPU a slice has MSHR entries for 32 lines only, and its port needs three cycles for
 * a line and waits for clusters. In XI's GPUs at 325 MHz the latency is hundreds of long cycles, and the L1s have
 * MSHR entries for half of the lines that the full bandwidth would need; WP's, 32 in each of 15 L1s, are three
 * quarters of what it would need. On RTX 3070 and QV100 loads share operand collectors with all other instructions,
 * which costs the RTX 3070 11 % of its stream. */
static const gpu gpus[] = {
    {"accelsim-gtx480", 700, 177.4, true, 99},
    {"accelsim-gtx480s", 700, 177.4 * 2 / 6, true, 100},
    {"accelsim-gtx480v", 700, 177.4, true, 99},
    {"accelsim-gtx480vs", 700, 177.4 * 2 / 6, true, 100},
    {"accelsim-qv100", 1132, 870.4, false, 93},
    {"accelsim-qv100s", 1132, 870.4 * 2 / 32, false, 98},
    {"accelsim-qv100u", 1132, 870.4, false, 93},
    {"accelsim-qv100us", 1132, 870.4 * 2 / 32, false, 98},
    {"accelsim-rtx2060", 1365, 336.0, false, 97},
    {"accelsim-rtx3070", 1132, 448.1, false, 82},
    {"accelsim-rtx3070s", 1132, 448.1 * 2 / 16, false, 99},
    {"c2050-16k", 1150, 144, false, 94},
    {"c2050-48k", 1150, 144, false, 94},
    {"clustered-60sm", 1400, 720, false, 34}, /* ICC tab. 2 */
    {"gtx280-ilp", 325, 200, false, 49},      /* XI tab. 6 */
    {"gtx285", 1300, 200, false, 98},         /* XI tab. 1 */
    {"gtx480-coarse", 1400, 200, false, 97},  /* XI tab. 8 */
    {"gtx480-warpman", 1400, 173, false, 97}, /* XI tab. 4 */
    {"gtx480-wp", 700, 177.4, false, 77},
    {"gtx480", 700, 177.4, true, 97},
    {"gtx980", 1270, 224, false, 93}, /* IRU tab. 2 */
    {"rtx2060", 1365, 336.0, false, 97},
    {"rtx3070", 1132, 448.1, false, 82},
    {"v100", 1132, 870.4, false, 93},
    {"xi-gpu-h", 325, 300, false, 48}, /* XI 4.5: half as much again as tab. 6 */
    {"xi-gpu-h30", 325, 200, false, 50},
    {"xi-gpu-i", 325, 300, false, 36},
    {"xi-gpu-i30", 325, 200, false, 49},
    {"xi-gpu-t", 325, 300, false, 49},
};
enum { GPUS = WS_COUNT(gpus) };

static double usable_GB_s(const gpu *g) {
    return g->halves ? g->source_GB_s / 2 : g->source_GB_s;
}

static ws_config *load(const gpu *g) {
    ws_error err = WS_NO_ERROR;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.json", folder, g->name);
    size_t all;
    const ws_component *const *timed = ws_fidelity_components(WS_FIDELITY_TIMED, &all);
    ws_config *config = ws_config_new(timed, all);
    if (!ws_preset_apply(config, path, NULL, &err)) fail_msg("%s: %s", g->name, err.text);
    return config;
}

static void set(ws_config *config, const char *name, int64_t value) {
    ws_error err = WS_NO_ERROR;
    json_t *json = json_integer(value);
    if (!ws_config_set(config, name, json, name, &err)) fail_msg("%s", err.text);
    json_decref(json);
}

static void each_preset_has_its_row(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_preset_info *presets;
    size_t count;
    if (!ws_presets(folder, &presets, &count, &err)) fail_msg("%s", err.text);
    for (size_t i = 0; i < count; i++)
        if (i >= GPUS || strcmp(presets[i].name, gpus[i].name) != 0)
            fail_msg("expected a row of %s next, with the bandwidth that its source gives, found %s",
                     presets[i].name, i < GPUS ? gpus[i].name : "none");
    assert_int_equal(count, GPUS);
    ws_presets_free(presets, count);
}

/* The time that the channels' buses need for consecutive sectors gives the bandwidth of the source, within 3 %. */
static void bus_is_as_wide_as_its_source(void **state) {
    (void)state;
    for (size_t i = 0; i < GPUS; i++) {
        ws_config *config = load(&gpus[i]);
        const ws_dram_params *d = ws_config_get(config, &ws_dram_component);
        int64_t bursts = (32 + d->atom_B - 1) / d->atom_B;
        double cycles = (double)(bursts * d->ccd) / d->clock_ratio; /* core cycles per sector */
        double GB_s = (double)d->channels * 32 / cycles * gpus[i].core_MHz / 1000;
        double ratio = GB_s / usable_GB_s(&gpus[i]);
        if (ratio < 0.97 || ratio > 1.03)
            fail_msg("%s: %.1f GB/s of %.1f", gpus[i].name, GB_s, usable_GB_s(&gpus[i]));
        ws_config_free(config);
    }
}

/* ---- streams */

enum { CTAS = 301, WARPS = 8, LOADS = 16 };

/* Both streams read each line of memory once: consecutive lines belong to the warps of the whole grid (by_grid), or
 * to those of one CTA (by_cta). */
static uint64_t by_grid(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x10000000) + 128 * (((uint64_t)inst * CTAS + cta) * WARPS + warp) + 4 * (uint64_t)lane;
}
static uint64_t by_cta(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x10000000) + 128 * (((uint64_t)cta * LOADS + inst) * WARPS + warp) + 4 * (uint64_t)lane;
}

static double GB_s_of(const gpu *g, const ws_config *config, const ws_trace *trace) {
    ws_error err = WS_NO_ERROR;
    ws_timed_counters c;
    ws_timed *timed = ws_timed_new(trace, config, &err);
    if (!timed || !ws_timed_run(timed, 1, &c, &err)) fail_msg("%s: %s", g->name, err.text);
    /* besides the four sectors of each load only a line of code is read */
    assert_true(c.dram_requests - 4 * c.warp_instructions <= 4);
    ws_timed_free(timed);
    return 32 * (double)c.dram_requests / (double)c.cycles * g->core_MHz / 1000;
}

/* The share of their usable bandwidth that two channels deliver to 20 SMs with enough MSHR entries and L2 slices. */
static double share_of_channels(const gpu *g, const ws_trace *trace) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = load(g);
    double channels = (double)((const ws_dram_params *)ws_config_get(config, &ws_dram_component))->channels;
    static const struct {
        const char *name;
        int64_t value;
    } settings[] = {{"core.launch_cycles", 0}, {"dram.channels", 2},    {"l2.slices_per_channel", 8},
                    {"gpu.clusters", 20},      {"limit.ctas", 120},     {"gpu.sms_per_cluster", 1},
                    {"l1.mshr_entries", 256},  {"l2.mshr_entries", 512}};
    for (size_t i = 0; i < WS_COUNT(settings); i++) set(config, settings[i].name, settings[i].value);
    if (!ws_config_validate(config, &err)) fail_msg("%s: %s", g->name, err.text);
    double GB_s = GB_s_of(g, config, trace);
    ws_config_free(config);
    return GB_s / (usable_GB_s(g) * 2 / channels);
}

static double share_of_whole(const gpu *g, const ws_trace *trace) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = load(g);
    set(config, "core.launch_cycles", 0);
    if (!ws_config_validate(config, &err)) fail_msg("%s: %s", g->name, err.text);
    double GB_s = GB_s_of(g, config, trace);
    ws_config_free(config);
    return GB_s / usable_GB_s(g);
}

static void streams_reach_it(void **state) {
    (void)state;
    generate_plan plans[] = {generate_loads(CTAS, WARPS, LOADS, by_grid),
                             generate_loads(CTAS, WARPS, LOADS, by_cta)};
    ws_trace *grid = generate_planned(&plans[0]), *cta = generate_planned(&plans[1]);
    for (size_t i = 0; i < GPUS; i += EVERY) {
        const gpu *g = &gpus[i];
        double channels = share_of_channels(g, grid);
        if (channels < 0.80) channels = share_of_channels(g, cta);
        if (channels < 0.80 || channels > 1.03)
            fail_msg("%s: two channels give %.1f %%", g->name, 100 * channels);
        double whole = 100 * share_of_whole(g, grid);
        if (whole < g->whole_percent - 3 || whole > g->whole_percent + 3)
            fail_msg("%s: a stream reaches %.1f %%", g->name, whole);
    }
    ws_trace_close(grid);
    ws_trace_close(cta);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_preset_has_its_row),
        cmocka_unit_test(bus_is_as_wide_as_its_source),
        cmocka_unit_test(streams_reach_it),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
