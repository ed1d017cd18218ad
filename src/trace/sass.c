/* Classes follow the groups of the instruction set reference in NVIDIA's "CUDA Binary Utilities" (Kepler to
 * Blackwell). Our choices where those groups are too coarse:
 *   int      integer, logic, predicate, move and shuffle instructions
 *   fp       arithmetic in any floating-point format outside the tensor cores, packing included
 *   sfu      MUFU, its helpers, and conversions between integer and floating point, which share its pipe
 *   mem      everything that goes to a memory pipe, also fences, cache control and constant loads
 *   branch   control flow and convergence; EXIT and KILL are `exit`
 *   barrier  waits for other warps (BAR); waits for one's own results (DEPBAR, LDGDEPBAR) are `other`
 * RED and ATOM may name any space (the reference calls them operations on generic memory). */
#include "trace/sass.h"

#include "base/array.h"
#include "trace/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MNEMONIC_MAX = 15 };

typedef struct mnemonic {
    char name[MNEMONIC_MAX + 1];
    uint8_t class_, op, space;
} mnemonic;

#define PLAIN(name, class_)                                                                                  \
    { name, WS_CLASS_##class_, WS_MEMORY_NONE, WS_SPACE_NONE }
#define MEMORY(name, op, space)                                                                              \
    { name, WS_CLASS_MEM, WS_MEMORY_##op, WS_SPACE_##space }

/* Sorted by name (strcmp). */
static const mnemonic mnemonics[] = {
    PLAIN("ACQBULK", OTHER),
    PLAIN("ACQSHMINIT", OTHER),
    PLAIN("ARRIVES", MEM),
    MEMORY("ATOM", ATOMIC, GENERIC),
    MEMORY("ATOMG", ATOMIC, GLOBAL),
    MEMORY("ATOMS", ATOMIC, SHARED),
    PLAIN("B2R", OTHER),
    PLAIN("BAR", BARRIER),
    PLAIN("BFE", INT),
    PLAIN("BFI", INT),
    PLAIN("BGMMA", TENSOR),
    PLAIN("BMMA", TENSOR),
    PLAIN("BMOV", BRANCH),
    PLAIN("BMSK", INT),
    PLAIN("BPT", OTHER),
    PLAIN("BRA", BRANCH),
    PLAIN("BREAK", BRANCH),
    PLAIN("BREV", INT),
    PLAIN("BRK", BRANCH),
    PLAIN("BRX", BRANCH),
    PLAIN("BRXU", BRANCH),
    PLAIN("BSSY", BRANCH),
    PLAIN("BSYNC", BRANCH),
    PLAIN("CAL", BRANCH),
    PLAIN("CALL", BRANCH),
    PLAIN("CCTL", MEM),
    PLAIN("CCTLL", MEM),
    PLAIN("CCTLT", MEM),
    PLAIN("CGAERRBAR", MEM),
    PLAIN("CONT", BRANCH),
    PLAIN("CREDUX", INT),
    PLAIN("CS2R", INT),
    PLAIN("CS2UR", INT),
    PLAIN("CSET", INT),
    PLAIN("CSETP", INT),
    PLAIN("CSMTEST", OTHER),
    PLAIN("DADD", FP),
    PLAIN("DEPBAR", OTHER),
    PLAIN("DFMA", FP),
    PLAIN("DMMA", TENSOR),
    PLAIN("DMNMX", FP),
    PLAIN("DMUL", FP),
    PLAIN("DSET", FP),
    PLAIN("DSETP", FP),
    PLAIN("ELECT", INT),
    PLAIN("ENDCOLLECTIVE", BRANCH),
    PLAIN("ERRBAR", MEM),
    PLAIN("EXIT", EXIT),
    PLAIN("F2F", SFU),
    PLAIN("F2FP", FP),
    PLAIN("F2I", SFU),
    PLAIN("F2IP", FP),
    PLAIN("FADD", FP),
    PLAIN("FADD2", FP),
    PLAIN("FADD32I", FP),
    PLAIN("FCHK", FP),
    PLAIN("FCMP", FP),
    PLAIN("FENCE", MEM),
    PLAIN("FFMA", FP),
    PLAIN("FFMA2", FP),
    PLAIN("FFMA32I", FP),
    PLAIN("FHADD", FP),
    PLAIN("FHFMA", FP),
    PLAIN("FLO", INT),
    PLAIN("FMNMX", FP),
    PLAIN("FMNMX3", FP),
    PLAIN("FMUL", FP),
    PLAIN("FMUL2", FP),
    PLAIN("FMUL32I", FP),
    PLAIN("FRND", SFU),
    PLAIN("FSEL", FP),
    PLAIN("FSET", FP),
    PLAIN("FSETP", FP),
    PLAIN("FSWZ", FP),
    PLAIN("FSWZADD", FP),
    PLAIN("GETLMEMBASE", OTHER),
    PLAIN("HADD2", FP),
    PLAIN("HADD2_32I", FP),
    PLAIN("HFMA2", FP),
    PLAIN("HFMA2_32I", FP),
    PLAIN("HGMMA", TENSOR),
    PLAIN("HMMA", TENSOR),
    PLAIN("HMNMX2", FP),
    PLAIN("HMUL2", FP),
    PLAIN("HMUL2_32I", FP),
    PLAIN("HSET2", FP),
    PLAIN("HSETP2", FP),
    PLAIN("I2F", SFU),
    PLAIN("I2FP", FP),
    PLAIN("I2I", INT),
    PLAIN("I2IP", INT),
    PLAIN("IABS", INT),
    PLAIN("IADD", INT),
    PLAIN("IADD3", INT),
    PLAIN("IADD32I", INT),
    PLAIN("ICMP", INT),
    PLAIN("IDP", INT),
    PLAIN("IDP4A", INT),
    PLAIN("IGMMA", TENSOR),
    PLAIN("IMAD", INT),
    PLAIN("IMAD32I", INT),
    PLAIN("IMADSP", INT),
    PLAIN("IMMA", TENSOR),
    PLAIN("IMNMX", INT),
    PLAIN("IMUL", INT),
    PLAIN("IMUL32I", INT),
    PLAIN("IPA", SFU),
    PLAIN("ISAD", INT),
    PLAIN("ISCADD", INT),
    PLAIN("ISCADD32I", INT),
    PLAIN("ISET", INT),
    PLAIN("ISETP", INT),
    PLAIN("JCAL", BRANCH),
    PLAIN("JMP", BRANCH),
    PLAIN("JMX", BRANCH),
    PLAIN("JMXU", BRANCH),
    PLAIN("KIL", EXIT),
    PLAIN("KILL", EXIT),
    MEMORY("LD", LOAD, GENERIC),
    MEMORY("LDC", LOAD, CONSTANT),
    PLAIN("LDCU", MEM),
    MEMORY("LDG", LOAD, GLOBAL),
    PLAIN("LDGDEPBAR", OTHER),
    MEMORY("LDGMC", LOAD, GLOBAL),
    MEMORY("LDGSTS", LOAD, GLOBAL),
    MEMORY("LDL", LOAD, LOCAL),
    MEMORY("LDLK", LOAD, GENERIC),
    MEMORY("LDS", LOAD, SHARED),
    MEMORY("LDSLK", LOAD, SHARED),
    MEMORY("LDSM", LOAD, SHARED),
    PLAIN("LDT", MEM),
    PLAIN("LDTM", MEM),
    MEMORY("LDU", LOAD, GENERIC),
    PLAIN("LEA", INT),
    PLAIN("LEPC", OTHER),
    PLAIN("LOP", INT),
    PLAIN("LOP3", INT),
    PLAIN("LOP32I", INT),
    PLAIN("MATCH", INT),
    PLAIN("MEMBAR", MEM),
    PLAIN("MOV", INT),
    PLAIN("MOV32I", INT),
    PLAIN("MOVM", INT),
    PLAIN("MUFU", SFU),
    PLAIN("NANOSLEEP", OTHER),
    PLAIN("NOP", OTHER),
    PLAIN("OMMA", TENSOR),
    PLAIN("P2R", INT),
    PLAIN("P2UR", INT),
    PLAIN("PBK", BRANCH),
    PLAIN("PCNT", BRANCH),
    PLAIN("PLOP3", INT),
    PLAIN("PMTRIG", OTHER),
    PLAIN("POPC", INT),
    PLAIN("PREEXIT", OTHER),
    PLAIN("PRET", BRANCH),
    PLAIN("PRMT", INT),
    PLAIN("PSET", INT),
    PLAIN("PSETP", INT),
    PLAIN("QGMMA", TENSOR),
    PLAIN("QMMA", TENSOR),
    PLAIN("QSPC", INT),
    PLAIN("R2B", OTHER),
    PLAIN("R2P", INT),
    PLAIN("R2UR", INT),
    MEMORY("RED", REDUCTION, GENERIC),
    MEMORY("REDAS", REDUCTION, SHARED),
    MEMORY("REDG", REDUCTION, GLOBAL),
    PLAIN("REDUX", INT),
    PLAIN("RET", BRANCH),
    PLAIN("RPCMOV", BRANCH),
    PLAIN("RRO", SFU),
    PLAIN("RTT", BRANCH),
    PLAIN("S2R", INT),
    PLAIN("S2UR", INT),
    PLAIN("SEL", INT),
    PLAIN("SETCTAID", OTHER),
    PLAIN("SETLMEMBASE", OTHER),
    PLAIN("SGXT", INT),
    PLAIN("SHF", INT),
    PLAIN("SHFL", INT),
    PLAIN("SHL", INT),
    PLAIN("SHR", INT),
    PLAIN("SSY", BRANCH),
    MEMORY("ST", STORE, GENERIC),
    MEMORY("STAS", STORE, SHARED),
    MEMORY("STG", STORE, GLOBAL),
    MEMORY("STL", STORE, LOCAL),
    MEMORY("STS", STORE, SHARED),
    MEMORY("STSCUL", STORE, SHARED),
    MEMORY("STSM", STORE, SHARED),
    MEMORY("STSUL", STORE, SHARED),
    PLAIN("STT", MEM),
    PLAIN("STTM", MEM),
    MEMORY("SUATOM", ATOMIC, TEXTURE),
    PLAIN("SUBFM", INT),
    PLAIN("SUCLAMP", INT),
    PLAIN("SUEAU", INT),
    MEMORY("SULD", LOAD, TEXTURE),
    MEMORY("SULDGA", LOAD, TEXTURE),
    PLAIN("SUQ", MEM),
    MEMORY("SURED", REDUCTION, TEXTURE),
    MEMORY("SUST", STORE, TEXTURE),
    MEMORY("SUSTGA", STORE, TEXTURE),
    PLAIN("SYNC", BRANCH),
    PLAIN("SYNCS", MEM),
    MEMORY("TEX", LOAD, TEXTURE),
    PLAIN("TEXDEPBAR", OTHER),
    MEMORY("TEXS", LOAD, TEXTURE),
    MEMORY("TLD", LOAD, TEXTURE),
    MEMORY("TLD4", LOAD, TEXTURE),
    MEMORY("TLD4S", LOAD, TEXTURE),
    MEMORY("TLDS", LOAD, TEXTURE),
    PLAIN("TMML", MEM),
    MEMORY("TXD", LOAD, TEXTURE),
    PLAIN("TXQ", MEM),
    PLAIN("UBLKCP", MEM),
    PLAIN("UBLKPF", MEM),
    PLAIN("UBLKRED", MEM),
    PLAIN("UCGABAR_ARV", BARRIER),
    PLAIN("UCGABAR_WAIT", BARRIER),
    PLAIN("UCLEA", INT),
    PLAIN("UMEMSETS", MEM),
    PLAIN("UP2UR", INT),
    PLAIN("UR2UP", INT),
    PLAIN("UREDGR", MEM),
    PLAIN("USETMAXREG", OTHER),
    PLAIN("USTGR", MEM),
    PLAIN("UTCATOMSWS", MEM),
    PLAIN("UTCBAR", OTHER),
    PLAIN("UTCCP", MEM),
    PLAIN("UTCHMMA", TENSOR),
    PLAIN("UTCIMMA", TENSOR),
    PLAIN("UTCOMMA", TENSOR),
    PLAIN("UTCQMMA", TENSOR),
    PLAIN("UTCSHIFT", MEM),
    PLAIN("UTMACCTL", MEM),
    PLAIN("UTMACMDFLUSH", MEM),
    PLAIN("UTMALDG", MEM),
    PLAIN("UTMALST", MEM),
    PLAIN("UTMAPF", MEM),
    PLAIN("UTMAREDG", MEM),
    PLAIN("UTMASTG", MEM),
    PLAIN("VABSDIFF", INT),
    PLAIN("VABSDIFF4", INT),
    PLAIN("VADD", INT),
    PLAIN("VADD2", INT),
    PLAIN("VADD4", INT),
    PLAIN("VHMNMX", FP),
    PLAIN("VIADD", INT),
    PLAIN("VIADDMNMX", INT),
    PLAIN("VIMNMX", INT),
    PLAIN("VIMNMX3", INT),
    PLAIN("VMAD", INT),
    PLAIN("VMNMX", INT),
    PLAIN("VOTE", INT),
    PLAIN("VOTEU", INT),
    PLAIN("VOTE_VTG", INT),
    PLAIN("VSET", INT),
    PLAIN("VSETP", INT),
    PLAIN("VSHL", INT),
    PLAIN("VSHR", INT),
    PLAIN("WARPGROUP", OTHER),
    PLAIN("WARPGROUPSET", OTHER),
    PLAIN("WARPSYNC", BRANCH),
    PLAIN("XMAD", INT),
    PLAIN("YIELD", BRANCH),
};

static int compare(const void *key, const void *entry) {
    return strcmp(key, ((const mnemonic *)entry)->name);
}

static const mnemonic *find(const char *name) {
    return bsearch(name, mnemonics, WS_COUNT(mnemonics), sizeof *mnemonics, compare);
}

static bool is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Width in bytes of a type token ("64", "U16", "F64", "F16x2", "BF16_V2"); 0 if it is none. */
static uint8_t token_width(const char *token, size_t length) {
    static const struct {
        char token[8];
        uint8_t width_B;
    } widths[] = {{"8", 1},      {"U8", 1},      {"S8", 1},      {"16", 2},    {"U16", 2},  {"S16", 2},
                  {"F16", 2},    {"BF16", 2},    {"32", 4},      {"U32", 4},   {"S32", 4},  {"F32", 4},
                  {"F16x2", 4},  {"BF16x2", 4},  {"BF16_V2", 4}, {"64", 8},    {"U64", 8},  {"S64", 8},
                  {"F64", 8},    {"F16x4", 8},   {"BF16x4", 8},  {"F32x2", 8}, {"128", 16}, {"F16x8", 16},
                  {"F32x4", 16}, {"BF16x8", 16}, {"256", 32}};
    for (size_t i = 0; i < WS_COUNT(widths); i++)
        if (is(token, length, widths[i].token)) return widths[i].width_B;
    return 0;
}

/* LDSM and STSM address rows of 16 bytes; "16", "M88" and the count of matrices do not change that: a count
 * below 4 only means that fewer lanes' rows are distinct. */
static uint8_t access_width(const char *name, const char *opcode, const char *end) {
    if (strcmp(name, "LDSM") == 0 || strcmp(name, "STSM") == 0) return 16;
    const char *at = memchr(opcode, '.', (size_t)(end - opcode));
    while (at) {
        const char *token = at + 1, *dot = memchr(token, '.', (size_t)(end - token));
        uint8_t width_B = token_width(token, (size_t)((dot ? dot : end) - token));
        if (width_B) return width_B;
        at = dot;
    }
    return 0;
}

ws_sass ws_sass_decode(const char *opcode, size_t length) {
    const ws_sass unknown = {WS_CLASS_OTHER, WS_MEMORY_NONE, WS_SPACE_NONE, 0};
    const char *dot = memchr(opcode, '.', length);
    size_t name_length = dot ? (size_t)(dot - opcode) : length;
    char name[MNEMONIC_MAX + 1] = "";
    if (name_length > MNEMONIC_MAX) return unknown;
    memcpy(name, opcode, name_length);

    const mnemonic *known = find(name);
    /* Instructions of the uniform datapath are named after their vector counterparts: ULDC, UIADD3, USHF. */
    if (!known && name[0] == 'U' && (known = find(name + 1)))
        return (ws_sass){known->class_, WS_MEMORY_NONE, WS_SPACE_NONE, 0};
    if (!known) return unknown;
    uint8_t width_B = known->op == WS_MEMORY_NONE ? 0 : access_width(name, opcode, opcode + length);
    return (ws_sass){known->class_, known->op, known->space, width_B};
}

ws_space ws_sass_space(const char *opcode) {
    const ws_sass sass = ws_sass_decode(opcode, strlen(opcode));
    bool uniform_load = strncmp(opcode, "ULDC", 4) == 0 || strncmp(opcode, "LDCU", 4) == 0;
    return uniform_load ? WS_SPACE_CONSTANT : (ws_space)sass.space;
}

/* ---- registers */

static const struct register_kind {
    const char *prefix;
    uint16_t first, constant; /* number in a trace of the kind's register 0; the kind's constant register */
} register_kinds[] = {{"R", 0, 255}, {"UR", 256, 63}, {"P", 512, 7}, {"UP", 520, 7}};

bool ws_sass_parse_register(const char **at, uint16_t *number) {
    for (size_t i = 0; i < WS_COUNT(register_kinds); i++) {
        const struct register_kind *kind = &register_kinds[i];
        size_t length = strlen(kind->prefix);
        const char *p = *at + length;
        uint32_t value;
        if (strncmp(*at, kind->prefix, length) != 0 || !ws_parse_decimal(&p, &value)) continue;
        if (value >= (uint32_t)WS_REGISTER_ZERO - kind->first) return false;
        *number = value == kind->constant ? WS_REGISTER_ZERO : (uint16_t)(kind->first + value);
        *at = p;
        return true;
    }
    return false;
}

void ws_sass_register_name(uint16_t number, char *out) {
    size_t i = WS_COUNT(register_kinds) - 1;
    while (register_kinds[i].first > number) i--;
    if (number == WS_REGISTER_ZERO)
        snprintf(out, WS_SASS_REGISTER_SIZE, "RZ");
    else
        snprintf(out, WS_SASS_REGISTER_SIZE, "%s%u", register_kinds[i].prefix,
                 (unsigned)(number - register_kinds[i].first));
}
