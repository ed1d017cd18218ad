#include "cli/help/formats.h"

#include "warpsweep/trace.h"

static void print_accelsim_list(FILE *out) {
    fputs(
        "Accel-Sim's tracer writes a kernelslist, its post-processing a kernelslist.g; a folder that holds\n"
        "one of them will do as SRC. One line per command, in order:\n\n"
        "MemcpyHtoD,0x<address>,<bytes>      a copy to the device\n"
        "kernel-1.traceg.xz                  a launch: its file, relative to the list's folder\n\n"
        "'warpsweep help accelsim' explains the files. Files of launches whose numbers --kernels\n"
        "leaves out are not opened, and may be missing.\n",
        out);
}

static void print_accelsim(FILE *out) {
    fputs("One file per launch, of tracer versions up to 6. A header of '-key = value' lines, of which\n"
          "kernel name, grid dim and block dim must be there, ends with '#traces format ..'. Grouped files\n"
          "(.traceg) then have CTAs and their warps:\n\n"
          "#BEGIN_TB\n"
          "thread block = x,y,z\n"
          "warp = N\n"
          "insts = N\n"
          "  .. as many lines of instructions\n"
          "#END_TB\n\n"
          "Accel-Sim 2.0 packs this text warp by warp (.tracez); messages about such a file name lines of\n"
          "the text that its traceDsm makes. Raw files (.trace) have the lines of all warps in order of\n"
          "arrival, each with 'x y z warp' before it, from version 6 on also seven numbers of its cluster.\n"
          "An instruction is a line\n\n"
          "[line] pc mask ndst {Rd} opcode nsrc {Rs} width [mode addresses] [immediates] [values]\n\n"
          "line       of the source text, if the header has '-enable lineinfo = 1'\n"
          "pc, mask   hexadecimal; the mask has the lanes that execute, predication included\n"
          "ndst, nsrc how many registers follow: R1 ..; R255 is RZ; from version 6 on also UR1 ..\n"
          "opcode     SASS mnemonic: it tells class, operation, space and width\n"
          "width      bytes that each lane accesses; 0 if it accesses no memory\n"
          "mode       0: an address per active lane; 1: the first one and a stride; 2: the first one and\n"
          "           differences, each from the lane before\n"
          "immediates one in version 5, two from version 6 on, of which the first is kept\n"
          "values     STORE_DATA and what a store writes, of tracers that print it; in version 6 NoVal, or\n"
          "           Val and 32 bits of each operand, whatever its size, which are not kept\n\n"
          "Generic accesses (LD, ST ..) to the windows of shared and local memory become accesses to these,\n"
          "at offsets as LDS and LDL have them.\n\n"
          "Widths that the tracer derives wrongly from mnemonics (LDSM, .S8, .F64 ..) are corrected and\n"
          "counted: 'warpsweep info'. Of Hopper's bulk copies (UTMALDG, UBLKCP ..) the instruction is kept,\n"
          "but no access; clusters of CTAs, and what warps wait for at mbarriers (SYNCS.PHASECHK), are not\n"
          "kept. 'import' says so where a trace has them.\n"
          "REPLAY_START and REPLAY_END, around a loop in which a warp waits, are no instructions.\n",
          out);
}

static void print_csv(FILE *out) {
    size_t count;
    const ws_csv_column *columns = ws_csv_columns(&count);
    fputs("The first line names the columns, in any order; 'addresses' or 'address' is enough. A row is a\n"
          "warp instruction ('addresses', or none for one that accesses nothing), or what one lane of it\n"
          "accesses ('address'). Rows may come in any order of CTAs and warps; those of one warp keep their\n"
          "order. Numbers are decimal, or hexadecimal with 0x. Warps have 32 lanes. A branch's mask has the\n"
          "lanes that take it, 0 if none does. Registers are R0 to R65534, and RZ; give those with other\n"
          "names, such as UR5 and P0 of SASS, numbers that no R has. Addresses are below 2^60. Behind a\n"
          "local address, each thread has memory of its own. A CTA has at most 2^24 warp instructions and\n"
          "2^26 addresses: long traces need the column cta. A last row without an end of line is read, but\n"
          "may be cut: 'import' says so.\n\n"
          "column     otherwise                  meaning\n",
          out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%-10s %-26s %s\n", columns[i].name, *columns[i].otherwise ? columns[i].otherwise : "-",
                columns[i].help);
    fputs("\nExamples:\n\n"
          "cta,warp,pc,op,addresses            cta,thread,address\n"
          "0,0,0x10,load,0x1000+4              0,0,0x1000\n"
          "0,0,0x20,store,0x2000 0x2040        0,1,0x1004\n",
          out);
}

static void print_memtrace(FILE *out) {
    fputs("One line per launch, and one per memory instruction of a warp; others are left out:\n\n"
          "MEMTRACE: CTX 0x.. - LAUNCH - Kernel pc 0x.. - Kernel name N - grid launch id N -\n"
          "  grid size x,y,z - block size x,y,z - nregs N - shmem N - cuda stream id N\n"
          "MEMTRACE: CTX 0x.. - grid_launch_id N - CTA x,y,z - warp N - OPCODE - 0x<address> ..\n\n"
          "with 32 addresses, 0 for an inactive lane; or, in a widespread variant,\n\n"
          "  .. - OPCODE - pc N - Size N - MREF per threads(..) : Thread<lane>,0x<data>,0x<address> ..\n\n"
          "An LDGSTS has two lines, its write of shared memory and its read of global memory; the second\n"
          "is kept. An active lane whose address is 0, as the first byte of shared memory is, cannot be\n"
          "told from an inactive one: its access is lost.\n"
          "There are no registers, and nothing but memory instructions; stock lines have no pc. The warps\n"
          "of a CTA are numbered anew from 0, in the order of their numbers: these are places in the SM.\n",
          out);
}

static void print_wst(FILE *out) {
    fputs(
        "A file holds launches in order, each with its CTAs, warps and warp instructions: pc, active mask,\n"
        "opcode, class, registers, accesses with the address of each active lane; source lines and operand\n"
        "values where the source had them; and copies to the device. Blocks of CTAs are packed by column\n"
        "(zstd), each with a checksum; any CTA can be read alone, and has at most 2^24 warp instructions,\n"
        "2^26 addresses and 2^25 operand values. The digest is a hash of the content, and does not depend\n"
        "on the packing: results in a database belong to a digest.\n\n"
        "  warpsweep info FILE.wst     its launches and their counters\n"
        "  warpsweep dump FILE.wst     its instructions as text\n"
        "  warpsweep check FILE.wst    whether it is whole\n\n"
        "Programs in C read and write it with the library: warpsweep/trace.h.\n",
        out);
}

const cli_format cli_formats[] = {
    {"accelsim-list", "the list of a traced application's launches, for 'warpsweep import'",
     print_accelsim_list},
    {"accelsim", "SASS traces of Accel-Sim's NVBit tracer, for 'warpsweep import'", print_accelsim},
    {"csv", "traces that any program can write, for 'warpsweep import'", print_csv},
    {"memtrace", "what NVBit's tool mem_trace prints, for 'warpsweep import'", print_memtrace},
    {"wst", "the native format of traces: what 'warpsweep import' writes and all other commands read",
     print_wst},
    {NULL, NULL, NULL},
};

static void print_head(const cli_format *format, FILE *out) {
    fprintf(out, "%s - %s\n", format->name, format->summary);
}

void cli_print_format(const cli_format *format, FILE *out) {
    print_head(format, out);
    fputc('\n', out);
    format->print(out);
}

void cli_print_formats(FILE *out) {
    for (const cli_format *f = cli_formats; f->name; f++) print_head(f, out);
    fputs("\n'warpsweep help csv' explains one of them.\n", out);
}
