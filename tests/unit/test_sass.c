/* Classes, memory operations and widths of opcodes: the groups of NVIDIA's instruction set reference, and opcodes that
 * real traces hold. */
#include "base/array.h"
#include "trace/sass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_sass decode(const char *opcode) {
    return ws_sass_decode(opcode, strlen(opcode));
}

/* Opcodes of each class, separated by spaces. */
static void classes_are_told_by_the_mnemonic(void **state) {
    (void)state;
    static const struct {
        ws_class class_;
        const char *opcodes;
    } cases[] = {
        {WS_CLASS_FP,
         "FADD FADD32I FADD.FTZ FADD2 FCHK FCMP FFMA FFMA32I FFMA2 FHADD FHFMA FMNMX FMNMX3 FMUL FMUL32I "
         "FMUL2 FMUL.RZ FSEL FSET FSETP.GEU.AND FSWZ FSWZADD HADD2.F32 HADD2_32I HFMA2 HFMA2.MMA "
         "HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 DADD DFMA DMNMX DMUL DSET DSETP F2FP.PACK_AB "
         "F2IP I2FP.F32.S32 VHMNMX UFADD UF2FP"},
        {WS_CLASS_SFU, "MUFU.RCP MUFU.SIN RRO IPA F2F F2I.FTZ.U32.TRUNC.NTZ I2F.U32.RP FRND"},
        {WS_CLASS_TENSOR,
         "HMMA.16816.F32 IMMA BMMA DMMA.884 QMMA OMMA HGMMA IGMMA BGMMA QGMMA UTCHMMA UTCIMMA UTCOMMA "
         "UTCQMMA"},
        {WS_CLASS_INT,
         "BFE BFI BMSK BREV CSET CSETP FLO I2I I2IP IABS IADD IADD.X IADD3.X IADD32I ICMP IDP IDP4A "
         "IMAD.MOV.U32 IMAD32I IMADSP IMNMX IMUL IMUL32I ISAD ISCADD ISCADD32I ISET "
         "ISETP.GE.U32.AND.EX LEA.HI.X.SX32 LOP LOP3.LUT LOP32I POPC SHF.R.S32.HI SHL SHR VABSDIFF "
         "VABSDIFF4 VADD VADD2 VADD4 VIADD VIADDMNMX VIMNMX VIMNMX3 VMAD VMNMX VSET VSETP VSHL VSHR "
         "XMAD.PSL.CBCC MOV MOV32I MOVM PRMT SEL SGXT SHFL.IDX PLOP3.LUT PSET PSETP P2R R2P P2UR R2UR "
         "CS2R CS2UR S2R S2UR "
         "VOTE VOTEU VOTE_VTG MATCH REDUX CREDUX SUBFM SUCLAMP SUEAU QSPC ELECT UIADD3.X UIMAD.WIDE "
         "UISETP.GE.AND.EX ULOP3.LUT "
         "UMOV USHF.L.U32 UPRMT USEL UPLOP3 UPOPC UFLO UBREV UBMSK ULEA UCLEA UP2UR UR2UP USGXT"},
        {WS_CLASS_MEM,
         "LD LDG.E LDGSTS LDGMC LDL LDLK LDS LDSLK LDSM LDU LDC.64 LDCU LDT LDTM ST STG STL STS STAS STSM "
         "STSCUL STSUL STT STTM ATOM ATOMG ATOMS RED REDG REDAS ARRIVES CCTL CCTLL CCTLT ERRBAR "
         "MEMBAR.CTA FENCE SYNCS TEX TEXS TLD TLD4 TLD4S TLDS TMML TXD TXQ SUATOM SULD SULDGA SUQ SURED SUST "
         "SUSTGA CGAERRBAR UMEMSETS UREDGR USTGR "
         "ULDC.64 UBLKCP UBLKPF UBLKRED UTMACCTL UTMACMDFLUSH UTMALDG UTMALST UTMAPF UTMAREDG UTMASTG "
         "UTCCP UTCSHIFT UTCATOMSWS"},
        {WS_CLASS_BRANCH,
         "BMOV.32.CLEAR BRA BREAK BRK BRX BRXU BSSY BSYNC CAL CALL.REL.NOINC CONT ENDCOLLECTIVE JCAL "
         "JMP JMX JMXU PBK PCNT PRET RET.REL.NODEC RPCMOV RTT SSY SYNC WARPSYNC YIELD"},
        {WS_CLASS_BARRIER, "BAR BAR.SYNC BAR.ARV BAR.RED.OR UCGABAR_ARV UCGABAR_WAIT"},
        {WS_CLASS_EXIT, "EXIT EXIT.KEEPREFCOUNT KIL KILL"},
        {WS_CLASS_OTHER,
         "NOP DEPBAR.LE LDGDEPBAR TEXDEPBAR B2R R2B BPT CSMTEST GETLMEMBASE SETLMEMBASE SETCTAID LEPC "
         "NANOSLEEP PMTRIG PREEXIT ACQBULK ACQSHMINIT WARPGROUP.ARRIVE WARPGROUPSET USETMAXREG UTCBAR "
         "NEVERSEEN U ANOPCODEOFMORETHANFIFTEEN .E LD2 LDGX ZZZ AAA"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char *list = strdup(cases[i].opcodes), *rest = list;
        for (char *opcode; (opcode = strtok_r(rest, " ", &rest)) != NULL;) {
            ws_sass sass = decode(opcode);
            if (sass.class_ != cases[i].class_)
                fail_msg("%s: expected %s, found %s", opcode, ws_class_name(cases[i].class_),
                         ws_class_name(sass.class_));
            if (sass.class_ != WS_CLASS_MEM) assert_int_equal(sass.op, WS_MEMORY_NONE);
            assert_int_equal(sass.op == WS_MEMORY_NONE, sass.space == WS_SPACE_NONE);
        }
        free(list);
    }
}

static void memory_operations_have_a_space(void **state) {
    (void)state;
    static const struct {
        const char *opcode;
        ws_memory_op op;
        ws_space space;
    } cases[] = {
        {"LD.E.64", WS_MEMORY_LOAD, WS_SPACE_GENERIC},
        {"ST.E", WS_MEMORY_STORE, WS_SPACE_GENERIC},
        {"LDU.E", WS_MEMORY_LOAD, WS_SPACE_GENERIC},
        {"LDG.E.CI.128", WS_MEMORY_LOAD, WS_SPACE_GLOBAL},
        {"LDGSTS.E.BYPASS.128", WS_MEMORY_LOAD, WS_SPACE_GLOBAL},
        {"STG.E", WS_MEMORY_STORE, WS_SPACE_GLOBAL},
        {"LDS.U.32", WS_MEMORY_LOAD, WS_SPACE_SHARED},
        {"LDSM.16.M88.4", WS_MEMORY_LOAD, WS_SPACE_SHARED},
        {"STS.64", WS_MEMORY_STORE, WS_SPACE_SHARED},
        {"STSM.16.M88.4", WS_MEMORY_STORE, WS_SPACE_SHARED},
        {"LDL.LU", WS_MEMORY_LOAD, WS_SPACE_LOCAL},
        {"STL", WS_MEMORY_STORE, WS_SPACE_LOCAL},
        {"LDC.U8", WS_MEMORY_LOAD, WS_SPACE_CONSTANT},
        {"ATOM.E.ADD", WS_MEMORY_ATOMIC, WS_SPACE_GENERIC},
        {"ATOMG.E.ADD.STRONG.GPU", WS_MEMORY_ATOMIC, WS_SPACE_GLOBAL},
        {"ATOMS.ADD", WS_MEMORY_ATOMIC, WS_SPACE_SHARED},
        {"RED.E.ADD.STRONG.GPU", WS_MEMORY_REDUCTION, WS_SPACE_GENERIC},
        {"REDG.E.ADD", WS_MEMORY_REDUCTION, WS_SPACE_GLOBAL},
        {"TEX.B.LL", WS_MEMORY_LOAD, WS_SPACE_TEXTURE},
        {"SUST.D.BA.2D", WS_MEMORY_STORE, WS_SPACE_TEXTURE},
        {"SULDGA.32", WS_MEMORY_LOAD, WS_SPACE_TEXTURE},
        {"SUSTGA.U8", WS_MEMORY_STORE, WS_SPACE_TEXTURE},
        {"UREDGR", WS_MEMORY_NONE, WS_SPACE_NONE},
        {"CCTL.E.PF2", WS_MEMORY_NONE, WS_SPACE_NONE},
        {"REDUX.SUM", WS_MEMORY_NONE, WS_SPACE_NONE},
        {"LDGDEPBAR", WS_MEMORY_NONE, WS_SPACE_NONE},
        {"ULDC.64", WS_MEMORY_NONE, WS_SPACE_NONE},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_sass sass = decode(cases[i].opcode);
        if (sass.op != cases[i].op || sass.space != cases[i].space)
            fail_msg("%s: expected %s %s, found %s %s", cases[i].opcode, ws_memory_op_name(cases[i].op),
                     ws_space_name(cases[i].space), ws_memory_op_name(sass.op), ws_space_name(sass.space));
    }
}

static void spaces_need_no_addresses(void **state) {
    (void)state;
    static const struct {
        const char *opcode;
        ws_space space;
    } cases[] = {{"LDC.64", WS_SPACE_CONSTANT},  {"LDCU.128", WS_SPACE_CONSTANT},
                 {"ULDC.U8", WS_SPACE_CONSTANT}, {"TEX.B.LL", WS_SPACE_TEXTURE},
                 {"LDG.E", WS_SPACE_GLOBAL},     {"MEMBAR.SC.GPU", WS_SPACE_NONE},
                 {"UIADD3", WS_SPACE_NONE},      {"ld.const.f32", WS_SPACE_NONE}};
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        assert_int_equal(ws_sass_space(cases[i].opcode), cases[i].space);
}

static void widths_come_from_type_tokens(void **state) {
    (void)state;
    static const struct {
        const char *opcode;
        unsigned width_B;
    } cases[] = {
        {"LDG.E", 0},
        {"LDG.E.U8.SYS", 1},
        {"LDG.E.S8", 1},
        {"LDG.E.U16", 2},
        {"LDG.E.S16", 2},
        {"LDG.E.32", 4},
        {"LDG.E.64.SYS", 8},
        {"LDG.E.128.CONSTANT", 16},
        {"LDG.E.ENL2.256", 32},
        {"LDG.E.LTC128B", 0},
        {"LDG.E.LTC128B.64", 8},
        {"LDG.64x", 0},
        {"LDSM.16.M88.4", 16},
        {"LDSM.16.M88", 16},
        {"LDSM.16.MT88.2", 16},
        {"STSM.16.M88.2", 16},
        {"RED.E.ADD.F64.RN", 8},
        {"RED.E.ADD.F16x2.RN", 4},
        {"RED.E.ADD.BF16_V2", 4},
        {"ATOMG.E.MAX.S64", 8},
        {"ATOMG.E.ADD.F32.FTZ.RN", 4},
        {"ATOMG.E.CAS.128", 16},
        {"RED.E.ADD.F32x4", 16},
        {"RED.E.ADD.F16x4", 8},
        {"IMAD.MOV.U32", 0}, /* no memory operation, no width */
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_sass sass = decode(cases[i].opcode);
        if (sass.width_B != cases[i].width_B)
            fail_msg("%s: expected %u, found %u", cases[i].opcode, cases[i].width_B, sass.width_B);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_told_by_the_mnemonic),
        cmocka_unit_test(memory_operations_have_a_space),
        cmocka_unit_test(spaces_need_no_addresses),
        cmocka_unit_test(widths_come_from_type_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
