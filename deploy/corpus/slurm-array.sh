#!/bin/bash
# A corpus in shards: an array of jobs, each one share of the parts (docs/corpora.md).
#   sbatch --array=0-63 deploy/corpus/slurm-array.sh 'input/*.jsonl.gz' parsed
# Jobs that are cut off by the time limit, or by a node that fails, are requeued and go on where they were. Afterwards:
#   stemma corpus check parsed
#SBATCH --job-name=stemma-corpus
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=stemma-%A-%a.log
#SBATCH --signal=B:TERM@60
set -u
inputs=${1:?"expected a pattern of files, as 'input/*.jsonl.gz'"}
output=${2:?"expected a directory for the parts"}
# With --array=5,9 only those shards are done again: the number of all comes from STEMMA_SHARDS then.
shards=${STEMMA_SHARDS:-${SLURM_ARRAY_TASK_COUNT:?"expected an array: sbatch --array=0-63"}}

# Before the time is over the job asks for another turn; the part at hand is done again.
requeue() {
  kill "$child" 2>/dev/null
  wait "$child"
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
  exit 0
}
trap requeue TERM

# shellcheck disable=SC2086 # the pattern stands for many files
${STEMMA:-stemma} parse $inputs --to "${STEMMA_TO:-parquet}" --output-dir "$output" \
  --shard "$SLURM_ARRAY_TASK_ID/$shards" --threads "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet ${STEMMA_OPTIONS:-} &
child=$!
wait "$child"
status=$?
# 1: documents were skipped, which the manifests name.
[ "$status" -le 1 ] || exit "$status"
