#!/bin/sh
# plots.sh FOLDER: draws the bars that the notes ask for, into FOLDER/lectureNN_name/pictures/NAME.svg. A note asks with a line
#   <!-- plot NAME GB/s|TFLOP/s results/h200/FILE.csv CONDITION VENDOR the title in words -->
# (see tools/notes/plot.c), and shows the file as an image.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
to=${1:?usage: plots.sh FOLDER} status=0
for note in lecture[0-9][0-9]_*/*.md; do
    lecture=${note%%/*}
    mkdir -p "$to/$lecture/pictures"
    sed -n 's/^<!-- plot \(.*\) -->$/\1/p' "$note" >build/pictures/asked
    while read -r name unit csv condition vendor title; do
        build/pictures/plot "$to/$lecture/pictures/$name.svg" "$title" "$unit" "$csv" "$condition" "$vendor" || status=1
    done <build/pictures/asked
done
exit $status
