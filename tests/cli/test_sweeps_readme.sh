#!/usr/bin/env bash
# Runs the ```sh blocks of sweeps/README.md, one after the other, in a folder that has the command, the traces and the
# sweeps, and nothing else. (Unit tests read its specifications: test_spec_reference.)
. "$(dirname "$0")/lib.sh"
folder=$WORK/folder
mkdir "$folder"
ln -s "$PWD/traces" "$PWD/sweeps" "$folder"
ln -s "$W" "$folder/warpsweep"
awk -v folder="$WORK" '
    /^```/ { inside = /^```sh/; number += inside; next }
    inside { print > sprintf("%s/%02d.sh", folder, number) }' sweeps/README.md
for block in "$WORK"/*.sh; do
    try env -C "$folder" bash -eu -o pipefail "$block"
    expect "block $(basename "$block" .sh): $(grep -m 1 -o 'warpsweep [a-z]*' "$block")" 0
done
finished
