#include "cli/inputs/kernels.h"
#include "cli/output.h"
#include "trace/sass.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KERNELS };

/* Prints a text as one word: blanks, control characters and \ become \xNN. */
static void print_word(const char *text) {
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c <= ' ' || c == 0x7f || c == '\\')
            printf("\\x%02x", c);
        else
            fputc(c, stdout);
    }
}

static void print_register(uint16_t number, bool has_kinds) {
    char name[WS_SASS_REGISTER_SIZE];
    if (has_kinds || number == WS_REGISTER_ZERO) {
        ws_sass_register_name(number, name);
        fputs(name, stdout);
    } else {
        printf("R%u", number);
    }
}

static void print_registers(const uint16_t *registers, uint8_t count, bool has_kinds) {
    fputc(' ', stdout);
    if (count == 0) fputc('-', stdout);
    for (uint8_t i = 0; i < count; i++) {
        if (i) fputc(',', stdout);
        print_register(registers[i], has_kinds);
    }
}

static void print_addresses(const uint64_t *addresses, uint32_t count) {
    if (count == 0) fputs(" -", stdout);
    for (uint32_t i = 0; i < count; i++) printf("%c%" PRIx64, i ? ',' : ' ', addresses[i]);
}

static void print_access(const ws_static *s) {
    printf(" %s.%s:%u", ws_space_name(s->space), ws_memory_op_name(s->op), s->width_B);
    for (uint8_t i = 0; i < s->index_count; i++) printf("@%04x", s->index_pc[i]);
}

/* Prints operands `from` to `to` - 1 of an instruction. `*value` points to the next uniform value, and is advanced. */
static void print_values(uint16_t uniform, unsigned from, unsigned to, const uint64_t **value) {
    fputc(' ', stdout);
    if (from == to) fputc('-', stdout);
    for (unsigned o = from; o < to; o++) {
        if (o > from) fputc(',', stdout);
        if (uniform >> o & 1)
            printf("%" PRIx64, *(*value)++);
        else
            fputc('*', stdout);
    }
}

/* True if the numbers of registers are those of SASS; a CSV file's are its own. */
static bool has_register_kinds(const ws_trace_info *info) {
    return strcmp(info->isa, "sass") == 0 && strcmp(info->tracer, "csv") != 0;
}

static void print_instruction(const ws_trace *trace, const ws_warp *warp, uint32_t i) {
    const ws_static *s = &ws_trace_statics(trace)[warp->static_id[i]];
    printf(" %04x %08" PRIx64 " ", s->pc, warp->mask[i]);
    print_word(ws_trace_opcode(trace, s->opcode));
    printf(" %s", ws_class_name(s->class_));
    const bool has_kinds = has_register_kinds(ws_trace_get_info(trace));
    print_registers(s->dst, s->dst_count, has_kinds);
    print_registers(s->src, s->src_count, has_kinds);
    if (s->op == WS_MEMORY_NONE)
        fputs(" -", stdout);
    else
        print_access(s);
    print_addresses(warp->addresses + warp->address_at[i], warp->address_at[i + 1] - warp->address_at[i]);
    if (warp->value_at) {
        const uint64_t *value = warp->values + warp->value_at[i];
        print_values(warp->uniform[i], 0, s->result_values, &value);
        print_values(warp->uniform[i], s->result_values, s->result_values + s->source_values, &value);
    }
    fputc('\n', stdout);
}

static bool dump_cta(const ws_trace *trace, ws_reader *reader, const ws_kernel *kernel, uint32_t ordinal,
                     ws_error *err) {
    ws_cta cta;
    if (!ws_reader_cta(reader, kernel->index, ordinal, &cta, err)) return false;
    for (uint32_t w = 0; w < cta.warp_count; w++) {
        const ws_warp *warp = &cta.warps[w];
        for (uint32_t i = 0; i < warp->inst_count; i++) {
            printf("%u %u,%u,%u %u", kernel->index, cta.id.x, cta.id.y, cta.id.z, warp->id);
            print_instruction(trace, warp, i);
        }
    }
    return cli_flush_output(err);
}

static bool dump_kernel(const ws_trace *trace, ws_reader *reader, const ws_kernel *k, ws_error *err) {
    printf("# launch %u ", k->index);
    print_word(k->name);
    printf(" grid %u,%u,%u block %u,%u,%u registers %u shared %u\n", k->grid.x, k->grid.y, k->grid.z,
           k->block.x, k->block.y, k->block.z, k->registers_per_thread, k->shared_B);
    for (uint32_t i = 0; i < k->counters.ctas; i++)
        if (!dump_cta(trace, reader, k, i, err)) return false;
    return true;
}

static bool dump(const ws_trace *trace, const ws_selection *kernels, ws_error *err) {
    ws_reader *reader = ws_reader_new(trace, err);
    if (!reader) return false;
    const ws_trace_info *info = ws_trace_get_info(trace);
    const bool with_values = info->features & WS_FEATURE_VALUES;
    bool done = !with_values || ws_reader_with_values(reader, err);
    printf(
        "# isa %s warp_size %u digest %s\n# launch cta warp pc mask opcode class destinations sources access "
        "addresses%s\n",
        info->isa, info->warp_size, info->digest, with_values ? " results operands" : "");
    for (uint32_t i = 1; i <= info->kernel_count && done; i++) {
        const ws_kernel *k = ws_trace_kernel(trace, i);
        if (cli_kernels_has(kernels, k)) done = dump_kernel(trace, reader, k, err);
    }
    ws_reader_free(reader);
    return done;
}

static int run(const cli_args *args, ws_error *err) {
    ws_trace *trace = ws_trace_open(args->argument[0], err);
    ws_selection *kernels = trace ? cli_kernels(args, KERNELS, trace, err) : NULL;
    if (kernels) dump(trace, kernels, err);
    ws_selection_free(kernels);
    ws_trace_close(trace);
    return 0;
}

const cli_command cli_dump = {
    .name = "dump",
    .summary = "print a trace as text, one line per warp instruction",
    .arguments = {{.name = "FILE.wst", .help = "a native trace"}},
    .options = {[KERNELS] = CLI_KERNELS_OPTION},
    .details =
        "Lines that begin with '#' describe the trace and each launch. All others have eleven fields,\n"
        "separated by single blanks, '-' where one does not apply:\n"
        "\n"
        "  launch, from 1                     class: int, fp, sfu, tensor, mem, branch, barrier, ..\n"
        "  CTA as x,y,z                       destination registers, comma-separated\n"
        "  warp within the CTA                source registers\n"
        "  pc, hexadecimal                    access as SPACE.OP:BYTES, e.g. global.load:4\n"
        "  active mask, hexadecimal           addresses of active lanes, hexadecimal\n"
        "  opcode\n"
        "\n"
        "Registers, addresses and values are in order; addresses begin with that of the lowest lane. An\n"
        "access whose address is computed from loaded values has @PC after it for each such load.\n"
        "In a trace with operand values, two more fields follow: values of the results and of the sources,\n"
        "hexadecimal, comma-separated, '*' where the lanes differ.\n"
        "In opcodes and names of kernels, a blank is \\x20; control characters and \\ are written likewise.\n"
        "\n"
        "Equal traces give equal text, so two dumps can be compared line by line.\n",
    .run = run,
};
