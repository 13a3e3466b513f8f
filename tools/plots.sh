#!/bin/sh
# plots.sh: draws the figures of the notes from results/: each lab's CSV as bars, and each lecture's own *.gp. All of them
# are drawn under build/plots/; those that a page of the notes names go to results/, so that nothing lies there unused.
# plots.sh --check draws nothing: every figure under results/ is named by a page, and every one that is named is there.
set -u
cd "$(dirname "$0")/.." || exit 2
named() { cat README.md lecture[0-9][0-9]_*/*.md cpudevice/*.md | grep -o 'results/[A-Za-z0-9_/.-]*\.svg' | sort -u; }
status=0
if [ "${1-}" = --check ]; then
    for f in $(named); do [ -f "$f" ] || { echo "plots: the notes name $f, which is not there (make plots)"; status=1; }; done
    for f in results/*/*.svg; do
        [ -f "$f" ] || continue
        named | grep -qxF "$f" || { echo "plots: no page names $f"; status=1; }
    done
    exit $status
fi
tools/need.sh gnuplot || exit 2
rm -rf build/plots/results
for csv in results/*/*.csv; do
    [ -f "$csv" ] || continue
    mkdir -p "build/plots/$(dirname "$csv")"
    grep -v '^#' "$csv" | head -1 | grep -q '^lab,rung,name,type,size,mode,' || continue
    grep -v '^#' "$csv" | sed 1d | cut -d, -f7 | grep -q '^[1-9]' || continue
    build/cpu/tools/plot "$csv" "build/plots/${csv%.csv}" || status=1
done
for gp in lecture[0-9][0-9]_*/*.gp; do
    [ -f "$gp" ] || continue
    gnuplot "$gp" || status=1
done
for f in $(named); do
    if [ -f "build/plots/$f" ]; then
        cmp -s "build/plots/$f" "$f" || cp "build/plots/$f" "$f"
    else
        echo "plots: nothing draws $f, which the notes name" >&2
        status=1
    fi
done
exit $status
