#!/usr/bin/env bash
# How info, check and import report damaged files: a table of named cases, each with its exit status and exact message.
. "$(dirname "$0")/lib.sh"

small_trace "$WORK/small"
"$W" import "$WORK/small" -o "$WORK/good.wst" 2>/dev/null
K=$WORK/small/kernel-1.traceg
cd "$WORK" || exit 1
sed -n '1,/^#traces/p' "$K" >header
size=$(stat -c %s good.wst)
index=$(od -An -tu8 -j104 -N8 good.wst | tr -d ' ')

# check_case NAME COMMAND STATUS MESSAGE FILE: runs `warpsweep COMMAND FILE` on a damaged file, and checks the exit
# status, the message (exactly) and that no out.wst is left.
check_case() {
    local name=$1 command=$2 wanted=$3 message=$4 file=$5
    case $command in
    import) "$W" import "$file" -o out.wst >out 2>err ;;
    *) "$W" "$command" "$file" >out 2>err ;;
    esac
    status=$?
    found=$(head -n 1 err)
    if ((status == wanted)) && [[ $found == "warpsweep $command: $message" ]] && [[ ! -e out.wst ]]; then
        ok "$name: $command"
    else
        not_ok "$name: $command" "expected: $wanted $message" "found: $status $found"
    fi
}
wst() { # NAME MESSAGE: info and check of bad.wst
    check_case "$1" info 3 "$2" bad.wst
    check_case "$1" check 3 "$2" bad.wst
}
deep() { # NAME MESSAGE: only check reads that far
    check_case "$1" check 3 "$2" bad.wst
}
text() { # NAME FILE MESSAGE
    check_case "$1" import 3 "$3" "$2"
}
poke() { # OFFSET BYTES(printf): good.wst with changed bytes
    cp good.wst bad.wst
    printf "$2" | dd of=bad.wst bs=1 seek="$1" conv=notrunc status=none
}

# ---- native traces
: >bad.wst
wst "native: empty" "bad.wst: expected a .wst file, found only 0 bytes; \`warpsweep import\` reads trace texts"
head -c 1 good.wst >bad.wst
wst "native: one byte" "bad.wst: expected a .wst file, found only 1 byte; \`warpsweep import\` reads trace texts"
head -c 159 good.wst >bad.wst
wst "native: cut in the header" "bad.wst: expected a .wst file, found only 159 bytes; \`warpsweep import\` reads trace texts"
head -c 160 good.wst >bad.wst
wst "native: cut behind the header" "bad.wst: expected $size bytes, found 160: the file is truncated"
head -c $((size - 1)) good.wst >bad.wst
wst "native: last byte missing" "bad.wst: expected $size bytes, found $((size - 1)): the file is truncated"
{ cat good.wst && echo; } >bad.wst
wst "native: a byte appended" "bad.wst: expected $size bytes, found $((size + 1)): something was appended"
{ cat good.wst good.wst; } >bad.wst
wst "native: twice" "bad.wst: expected $size bytes, found $((2 * size)): something was appended"
other="bad.wst: expected a .wst file, found another format; \`warpsweep import\` reads trace texts"
poke 0 'X'
wst "native: magic" "$other"
poke 4 '\n'
wst "native: CR LF turned into LF" "$other"
head -c 300 /dev/zero >bad.wst
wst "native: zeros" "$other"
cp "$K" bad.wst
wst "native: a text" "$other"
poke 8 '\0'
wst "native: version 0" "bad.wst: expected .wst version 1, found version 0: import the source again"
poke 8 '\377'
wst "native: a later version" "bad.wst: expected .wst version 1, found version 255: use a newer warpsweep"
for place in 12:features 16:warp_size 24:isa 40:tracer 104:index_offset 112:index_size 120:index_raw_size 128:index_checksum \
    136:digest 152:checksum; do
    poke "${place%:*}" '\245'
    wst "native: header field ${place#*:}" "bad.wst: damaged header (its checksum does not match)"
done
poke $((size - 1)) '\245'
wst "native: last byte of the index" "bad.wst: damaged index (its checksum does not match)"
poke 160 '\245'
deep "native: first byte of a block" "bad.wst: damaged block 1 at byte 160 (its checksum does not match)"
poke 165 '\245'
deep "native: sixth byte of a block" "bad.wst: damaged block 1 at byte 160 (its checksum does not match)"
header_sum="bad.wst: damaged header (its checksum does not match)"
index_sum="bad.wst: damaged index (its checksum does not match)"
length() { # BYTES: what is said when the file has so many
    echo "bad.wst: expected $size bytes, found $1: $([ "$1" -lt "$size" ] && echo "the file is truncated" || echo "something was appended")"
}
for at in 0 1 2 3 6 7; do
    poke $at 'X'
    wst "native: byte $at of the magic" "$other"
done
for at in 9 10 11; do
    poke $at '\1'
    wst "native: byte $at, of the version" "bad.wst: expected .wst version 1, found version $((1 + (1 << 8 * (at - 8)))): use a newer warpsweep"
done
for place in 15:features 19:warp_size 20:reserved 39:isa 103:tracer 104:index_offset 127:index_raw_size 151:digest 159:checksum; do
    poke "${place%:*}" '\132'
    wst "native: byte ${place%:*}, of ${place#*:}" "$header_sum"
done
for at in 0 1 7; do
    poke $((index + at)) '\245'
    wst "native: byte $at of the index" "$index_sum"
done
poke $(((index + size) / 2)) '\245'
wst "native: middle of the index" "$index_sum"
{ head -c "$index" good.wst && head -c $((size - index)) /dev/zero; } >bad.wst
wst "native: an index of zeros" "$index_sum"
for bytes in 161 $((index - 1)) $index $((index + 1)) $((size / 2)) $(((index + size) / 2)); do
    head -c $bytes good.wst >bad.wst
    wst "native: cut to $bytes bytes" "$(length $bytes)"
done
{ printf '\n' && cat good.wst; } >bad.wst
wst "native: a line in front" "$other"
{ printf '\357\273\277' && cat good.wst; } >bad.wst
wst "native: a byte order mark in front" "$other"
sed 's/$/\r/' good.wst >bad.wst
wst "native: LF turned into CR LF" "$other"
gzip -c good.wst >bad.wst
wst "native: packed with gzip" "$other"
xz -c good.wst >bad.wst
wst "native: packed with xz" "$other"
base64 good.wst >bad.wst
wst "native: as base64" "$other"
{ head -c 160 good.wst && printf 'X' && tail -c +161 good.wst; } >bad.wst
wst "native: a byte too many behind the header" "$(length $((size + 1)))"
{ head -c 160 good.wst && tail -c +162 good.wst; } >bad.wst
wst "native: a byte too few behind the header" "$(length $((size - 1)))"
{ head -c 160 good.wst && cat good.wst; } >bad.wst
wst "native: the header twice" "$(length $((size + 160)))"
{ head -c 160 good.wst && tail -c +$((index + 1)) good.wst; } >bad.wst
wst "native: no blocks" "$(length $((size - index + 160)))"
{ head -c "$index" good.wst && tail -c +161 good.wst; } >bad.wst
wst "native: blocks twice" "$(length $((size + index - 160)))"
"$W" import small -o other.wst -k rows 2>/dev/null
other_size=$(stat -c %s other.wst)
{ head -c 160 good.wst && tail -c +161 other.wst; } >bad.wst
wst "native: another trace's blocks and index" "$(length $((other_size)))"
{ head -c 160 good.wst && tail -c +161 other.wst && head -c $((size - other_size)) /dev/zero; } >bad.wst
wst "native: the same, as long as expected" "$index_sum"
head -c "$size" /dev/zero | tr '\0' '\377' >bad.wst
wst "native: all bits set" "$other"
{ head -c 160 good.wst && head -c $((index - 160)) /dev/zero && tail -c +$((index + 1)) good.wst; } >bad.wst
deep "native: a block of zeros" "bad.wst: damaged block 1 at byte 160 (its checksum does not match)"
poke $((index - 1)) '\245'
deep "native: last byte of a block" "bad.wst: damaged block 1 at byte 160 (its checksum does not match)"
ln -sf nowhere.wst bad-link.wst
check_case "native: a link to nothing" info 1 "bad-link.wst: cannot open: No such file or directory" bad-link.wst
check_case "native: a device" check 3 "/dev/null: expected a .wst file, found something that is no regular file" /dev/null
mkfifo pipe.wst
check_case "native: a pipe that nobody writes to" info 3 "pipe.wst: expected a .wst file, found something that is no regular file" pipe.wst
check_case "native: a list in its place" info 3 "small/kernelslist.g: expected a .wst file, found only $(stat -c %s small/kernelslist.g) bytes; \`warpsweep import\` reads trace texts" small/kernelslist.g
check_case "native: a folder" info 3 "small: expected a .wst file, found a folder; name one of the .wst files in it" small
check_case "native: absent" info 1 "absent.wst: cannot open: No such file or directory" absent.wst
check_case "native: in a folder that is a file" info 1 "good.wst/absent.wst: cannot open: Not a directory" good.wst/absent.wst
check_case "text: in a folder that is a file" import 1 "good.wst/absent.csv: expected a file or a folder, found none; check the path" good.wst/absent.csv

# ---- Accel-Sim, grouped: one change of a line each
bend() { # NAME LINE SED-EXPRESSION MESSAGE
    sed "$2$3" "$K" >bad.traceg
    text "accelsim: $1" bad.traceg "bad.traceg:$2: expected $4"
}
: >bad.traceg
text "accelsim: empty" bad.traceg "bad.traceg:1: expected '#traces format = ..', which ends the header, found the end of the file; the file is empty"
head -n 5 "$K" >bad.traceg
text "accelsim: cut in the header" bad.traceg "bad.traceg:6: expected '#traces format = ..', which ends the header, found the end of the file; the file is cut"
cp header bad.traceg
text "accelsim: no CTA" bad.traceg "bad.traceg:15: expected at least one CTA ('#BEGIN_TB'), or an instruction of a raw trace, found the end of the file; the file is cut short"
bend "grid" 3 's/(2,1,1)/(2;1;1)/' "grid dim = (x,y,z), each at least 1, at most 2^40 together, found '(2;1;1)'"
bend "empty grid" 3 's/(2,1,1)/(0,1,1)/' "grid dim = (x,y,z), each at least 1, at most 2^40 together, found '(0,1,1)'"
bend "block" 4 's/(64,1,1)/(64,1)/' "block dim = (x,y,z), each at least 1, at most 32768 together, found '(64,1)'"
bend "shared memory" 5 's/= 0/= -1/' "shmem = a number of bytes up to 4294967295, found '-1'"
bend "registers" 6 's/= 8/= many/' "nregs = a number of registers up to 4294967295, found 'many'"
bend "binary version" 7 's/= 80/= sm_80/' "binary version = an SM version, found 'sm_80'"
bend "stream" 8 's/= 0/= x/' "cuda stream id = a stream number of 64 bits, found 'x'"
bend "shared base" 9 's/0x/0y/' "shmem base_addr = an address (0x..), found '0y00007fc867000000'"
bend "local base" 10 's/0x/0y/' "local mem base_addr = an address (0x..), found '0y00007fc865000000'"
bend "later tracer" 12 's/= 3/= 7/' "accelsim tracer version = a tracer version of at most 6, found '7'"
bend "header key" 2 's/-/_/' "a header line (-key = value) or '#traces format = ..', found '_kernel id = 1'; is this an Accel-Sim trace?"
bend "header key twice" 6 's/nregs/shmem/' "'-shmem = ..' once, found '-shmem = 8'; the header is damaged"
bend "frame" 16 's/BEGIN/BEGAN/' "'#BEGIN_TB' or the end of the file, found '#BEGAN_TB'"
bend "CTA" 18 's/0,0,0/0,0/' "thread block = x,y,z, found '0,0'"
bend "CTA outside" 18 's/0,0,0/2,0,0/' "a CTA inside the grid of (2,1,1), found '2,0,0'"
bend "warp" 20 's/= 0/= 2/' "'warp = ' and a number below 2, found '2'"
bend "count" 21 's/= 4/= x/' "'insts = ' and a number up to 4294967295, found 'x'"
bend "pc" 22 's/0000/g000/' "a pc of up to 8 hex digits, found 'g000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 '"
bend "mask" 22 's/ffffffff/fffffff/' "an active mask of 8 hex digits, found 'fffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 '"
bend "register count" 22 's/ 1 R1/ 9 R1/' "a count of up to 4 destination registers, found '9 R1 IMAD.MOV.U32 2 R255 R255 0 '"
bend "register" 22 's/R1/Q1/' "a register (R or UR and its number), found 'Q1 IMAD.MOV.U32 2 R255 R255 0 '; the count before it may be wrong"
bend "opcode" 22 's/IMAD/imad/' "an opcode such as LDG.E.64, found 'imad.MOV.U32 2 R255 R255 0 '"
bend "width" 23 's/R4 4 1/R4 999 1/' "a width of 0 to 128 bytes, found '999 1 0x7f0000000000 128 '"
bend "address mode" 23 's/R4 4 1/R4 4 7/' "an address mode (0, 1 or 2), found '7 0x7f0000000000 128 '"
bend "stride" 23 's/ 128 / z /' "a space and a stride, found ' z '"
bend "address" 23 's/0x7f0000000000/0xzz/' "a space and an address in hex digits (0x..), found ' 0xzz 128 '"
bend "rest of a line" 23 's/$/77/' "the end of the line, found '77'; a count before it may be wrong"
bend "byte 0" 23 's/R4/R\x00/' "a register (R or UR and its number), found 'R? 4 1 0x7f0000000000 128 '; the count before it may be wrong"
bend "byte 0 in the header" 2 's/= 1/= \x00/' "kernel id = a number up to 4294967295, found '?'"
head -n 24 "$K" >bad.traceg
text "accelsim: cut in a warp" bad.traceg "bad.traceg:25: expected an instruction line, found the end of the file; the file is cut short"
head -n 24 "$K" | head -c -10 >bad.traceg
text "accelsim: cut in a line" bad.traceg "bad.traceg:24: expected a space and a stride, found the end of the line; the file ends within this line: is it cut short?"
head -n 3 header | head -c -2 >bad.traceg
text "accelsim: cut in the header's line" bad.traceg "bad.traceg:3: expected grid dim = (x,y,z), each at least 1, at most 2^40 together, found '(2,1,1'; the file ends within this line: is it cut short?"

# ---- packed
gzip -c "$K" | head -c 200 >bad.traceg.gz
text "gzip: cut" bad.traceg.gz "bad.traceg.gz:1: expected intact gzip data up to the end of the file, found a file that is cut short; make or copy the file again (\`gzip -t\` tests it)"
gzip -c "$K" >bad.traceg.gz
printf 'XXXXXXXX' | dd of=bad.traceg.gz bs=1 seek=100 conv=notrunc status=none
text "gzip: damaged" bad.traceg.gz "bad.traceg.gz:1: expected intact gzip data up to the end of the file, found damaged data; make or copy the file again (\`gzip -t\` tests it)"
{ head -n 14 "$K" && printf '\0\0\0'; } >bad.tracez
text "tracez: cut" bad.tracez "bad.tracez: expected an index whose position its last 8 bytes give, found a file that is cut short or damaged; make or copy it again"
cp good.wst native.wst
text "native as a source" native.wst "native.wst: expected a trace text, found a native trace, which needs no import"
cp good.wst native.traceg
text "native by another name" native.traceg "native.traceg: expected a trace text, found a native trace, which needs no import"
gzip -c good.wst >native.csv.gz
text "native and packed" native.csv.gz "native.csv.gz: expected a trace text, found a native trace that is packed; unpack it (\`gzip -d\`), it needs no import"

# ---- lists
list() { # NAME TEXT MESSAGE
    printf '%b' "$2" >kernelslist.g
    text "list: $1" kernelslist.g "kernelslist.g:$3"
}
list "empty" '' "1: expected at least one line 'kernel-..', found the end of the file; the list is empty"
list "only copies" 'MemcpyHtoD,0x10,4\n' "2: expected at least one line 'kernel-..', found the end of the file; the list is empty"
list "strange line" 'kernel-1.traceg\nfoo\n' "2: expected 'kernel..' or 'MemcpyHtoD,..', found 'foo'; is this a kernelslist.g?"
list "bad copy" 'MemcpyHtoD,10,4\n' "1: expected 'MemcpyHtoD,0x<address>,<bytes>' with at most 2^40 bytes, found 'MemcpyHtoD,10,4'"
printf "kernel-9.traceg\n" >kernelslist.g
check_case "list: missing file" import 1 "kernelslist.g:1: expected the file kernel-9.traceg, found none; copy it there, or take out the line" kernelslist.g

# ---- raw, CSV, mem_trace
{ cat header && echo '5 0 0 0 0000 ffffffff 0 NOP 0 0 '; } >bad.trace
text "raw: CTA outside" bad.trace "bad.trace:15: expected a CTA inside the grid of (2,1,1), found '5 0 0 0 0000 ffffffff 0 NOP 0 0 '"
{ cat header && echo '0 0 0 7 0000 ffffffff 0 NOP 0 0 '; } >bad.trace
text "raw: warp outside" bad.trace "bad.trace:15: expected CTA x, y, z and a warp below 2, found '0 0 0 7 0000 ffffffff 0 NOP 0 0 '"
{ cat header && echo '0 0 0 0 0000 ffffffff 0 LDGSTS.E 2 R1 R2 4 1 0x0 4 '; } >bad.trace
text "raw: half an LDGSTS" bad.trace "bad.trace: CTA 0,0,0 warp 0: expected each LDGSTS twice in a row (shared, then global address), found one alone, of the instruction in line 15; lines are missing"
# A CTA of one load more than a native trace holds, 2^21 of 32 lanes.
{ sed '/^insts/q' "$K" | sed 's/^insts = .*/insts = 3000000/' && yes '0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f00 4 ' | head -n 2097153; } | gzip -1 >bad.traceg.gz
BOUND="kernel _Z7columnsPf: CTA 0,0,0: expected at most 2^26 addresses, as a native trace holds of a CTA, found more"
text "accelsim: a large CTA" bad.traceg.gz "bad.traceg.gz:2097174: $BOUND"
{ cat header && yes '0 0 0 0 0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f00 4 ' | head -n 2097153; } | gzip -1 >bad.trace.gz
text "raw: a large CTA" bad.trace.gz "bad.trace.gz: $BOUND"
{ echo 'kernel,warp,addresses' && echo 4,0,1 && yes 7,1,4096+4 | head -n 2097153; } | gzip -1 >bad.csv.gz
text "csv: a large CTA" bad.csv.gz "bad.csv.gz: launch 2: ${BOUND/_Z7columnsPf/kernel}; give the CTAs in a column cta: without one, all rows are of CTA 0"
{ cat header && printf '0 0 0 0 0000 00000001 1 R1 LDG.E 1 R2 4 0 0x7f00'; } >bad.trace
text "raw: cut in an address" bad.trace "bad.trace:15: expected the end of the line, found the end of the file; the file is cut short"
: >bad.csv
text "csv: empty" bad.csv "bad.csv:1: expected a header (names of columns), found the end of the file"
printf 'adress\n1\n' >bad.csv
text "csv: column" bad.csv "bad.csv:1: unknown column 'adress': did you mean 'address'?; 'warpsweep help csv' lists the columns"
printf 'address\n1,2\n' >bad.csv
text "csv: fields" bad.csv "bad.csv:2: expected 1 fields as in the header, found 2"
printf 'address\nten\n' >bad.csv
text "csv: number" bad.csv "bad.csv:2: column address: expected an address below 2^60, found 'ten'"
printf 'MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG - 0x1\n' >bad.memtrace
text "mem_trace: no launch" bad.memtrace "bad.memtrace:1: expected the grid_launch_id of a LAUNCH line above, found 'grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG - 0x ..'"
launch='MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x1 - Kernel name f - grid launch id 0 - grid size 1,1,1 - block size 1,1,1 - nregs 8 - shmem 0 - cuda stream id 0'
printf '%s\nMEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG -%s 0x0' "$launch" "$(printf ' 0x%x' {1..31})" >bad.memtrace
text "mem_trace: cut in an address" bad.memtrace "bad.memtrace:2: expected the end of the line, found the end of the file; the file is cut short"
finished
