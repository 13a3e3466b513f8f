#!/bin/sh
# excerpt.sh FILE NAME...: prints the named pieces of a source file (as the notes show them), for programs that compile them.
export LC_ALL=C
set -u
file=${1:?usage: excerpt.sh FILE NAME...}
shift
for name; do
    printf '<!-- code %s %s -->\n<!-- end -->\n' "$file" "$name" | awk -f "$(dirname "$0")/notes.awk" |
        awk '/^```cuda$/ {on = 1; next} /^```$/ {on = 0} on' | grep . || exit 1
done
