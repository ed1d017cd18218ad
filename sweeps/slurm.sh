#!/bin/bash
# A sweep as an array of jobs on a Slurm cluster:
#     sbatch --array=0-7 --cpus-per-task=16 --time=4:00:00 sweeps/slurm.sh SPEC.json FOLDER 8
#     warpsweep merge FOLDER/part*.db --db all.db
# Each task computes one shard of the 8 into FOLDER/partI.db. Submitted again, tasks compute what is missing. While a
# task runs, its database is on the node, because SQLite's are not safe on network file systems.
#SBATCH --signal=B:INT@120
set -u
spec=$1 folder=$2 shards=$3 shard=$SLURM_ARRAY_TASK_ID
part=part$shard.db
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$folder" || exit
if [[ -e $folder/$part ]]; then cp "$folder/$part" "$scratch/$part" || exit; fi

${WARPSWEEP:-warpsweep} sweep "$spec" --db "$scratch/$part" --shard "$shard/$shards" \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" &
sweep=$!
trap 'kill -INT $sweep' INT TERM # running passes end and are stored
while
    wait $sweep
    status=$?
    kill -0 $sweep 2>/dev/null
do :; done

if [[ -e $scratch/$part ]]; then
    cp "$scratch/$part" "$folder/$part.new" && mv "$folder/$part.new" "$folder/$part" || exit
fi
exit $status
