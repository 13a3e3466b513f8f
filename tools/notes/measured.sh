#!/bin/sh
# measured.sh LECTURE: the lecture's page of measurements, measured.md, before its tables are filled in: every CSV of the
# lecture under results/, one section each, with what it was measured with. notes.sh fills it.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
lecture=${1:?usage: measured.sh lectureNN_name}
number=${lecture%%_*}
ls results/*/"$number"-*.csv >/dev/null 2>&1 || exit 0
title=$(sed -n '1s/^# *//p' "$lecture/README.md")
cat <<END
<!-- written by make notes (tools/notes/measured.sh): change results/, not this page -->
# $title: everything that was measured

All rows of every table of [the lecture's notes](README.md), and the tables that the notes leave out. How the times were
taken, what interleaved, burst and sustained mean, and which figures may be compared: [measuring.md](../docs/measuring.md).
A blank cell was not measured; a word where a time should stand says why a rung did not run. The command under a table
measures it again.
END
more=''
[ "$number" = lecture01 ] && more='results/h200/profiler_*.csv results/cpu/profiler_*.csv'
for csv in results/h200/"$number"-*.csv results/cpu/"$number"-*.csv results/nvcc/"$number"-*.csv $more; do
    [ -f "$csv" ] || continue
    name=$(basename "$csv" .csv)
    case $csv in results/cpu/*) where=', on the CPU device' id=cpu-$name ;; *) where= id=$name ;; esac
    printf '\n<a id="%s"></a>\n\n## %s\n\n' "$id" "$name$where"
    rows=$(grep -vc '^#' "$csv")
    if [ "$rows" -gt 80 ]; then
        printf '%s rows: [%s](../%s)\n' "$((rows - 1))" "$(basename "$csv")" "$csv"
    else
        printf '<!-- table %s -->\n<!-- end -->\n' "$csv"
    fi
done
