#!/bin/sh
# Graphs under `cucc --check`: the planted mistakes among them, their twins, and right ones.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP graphs: for the CPU device"; exit 0; }
out=$(cpudevice/tests/mistakes/run.sh $(cd cpudevice/tests/mistakes && ls graph_*.cu right/graph*.cu | sed 's/\.cu$//'))
status=$?
printf '%s\n' "$out"
printf '%s\n' "$out" | awk '/^mistakes: [0-9]+ of [0-9]+ / { for (i = 0; i < $4; i++) print i < $2 ? "ok" : "not ok" }'
exit $status
