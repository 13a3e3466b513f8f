#!/bin/sh
# plots.sh: draws the figures of the notes from results/: each lab's CSV as bars, and each lecture's own *.gp.
set -u
cd "$(dirname "$0")/.." || exit 2
tools/need.sh gnuplot || exit 2
status=0
for csv in results/*/*.csv; do
    [ -f "$csv" ] || continue
    grep -v '^#' "$csv" | head -1 | grep -q '^lab,rung,name,type,size,mode,' || continue
    grep -v '^#' "$csv" | sed 1d | cut -d, -f7 | grep -q '^[1-9]' || continue
    build/cpu/tools/plot "$csv" "${csv%.csv}" || status=1
done
for gp in lecture[0-9][0-9]_*/*.gp; do
    [ -f "$gp" ] || continue
    gnuplot "$gp" || status=1
done
exit $status
