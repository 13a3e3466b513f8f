#!/bin/sh
# Draws CUDA programs by lot from checkouts of other people's repositories: of every .cu file with a main, those whose
# sha256 of "SEED REPOSITORY/FILE" is smallest, with at most so many of one repository. The same seed and the same
# commits draw the same programs. Prints "REPOSITORY FILE", a line each, in the order drawn.
#
# usage: tools/setup/draw-programs.sh SEED COUNT AT_MOST CHECKOUT...
export LC_ALL=C
set -eu

if [ $# -lt 4 ]; then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
seed=$1 count=$2 at_most=$3
shift 3
for checkout in "$@"; do
    (cd "$checkout" && grep -rlE --include='*.cu' '^[[:space:]]*(int|void|auto|extern "C" int)?[[:space:]]*main[[:space:]]*\(' .) |
        sed "s|^\./|$(basename "$checkout") |"
done | while read -r program; do
    printf '%s %s\n' "$(printf '%s' "$seed $program" | tr ' ' / | sha256sum | cut -d ' ' -f 1)" "$program"
done | sort | cut -d ' ' -f 2- | awk -v count="$count" -v at_most="$at_most" 'drawn[$1]++ < at_most && n++ < count'
