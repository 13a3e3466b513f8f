#!/bin/sh
# notes.sh [--check]: fills the tables of the notes from results/. Between a line
#     <!-- table results/h200/FILE.csv [columns rung,name,...] [where type=bf16] -->
# and the next  <!-- end -->  stands the CSV as a Markdown table, with its device and date below. With --check nothing is
# written; the exit status is 1 if a table is not what its CSV makes.
set -u
cd "$(dirname "$0")/.." || exit 2
check=${1-} status=0
for f in README.md lecture[0-9][0-9]_*/*.md cpudevice/*.md common/*.md; do
    grep -q '^<!-- table ' "$f" 2>/dev/null || continue
    awk -f tools/notes.awk "$f" >"$f.new" || { rm -f "$f.new"; echo "notes: $f: a table's CSV is missing or malformed" >&2; status=1; continue; }
    if cmp -s "$f" "$f.new"; then
        rm "$f.new"
    elif [ "$check" = --check ]; then
        echo "notes: $f is not what results/ make (make notes)"
        rm "$f.new"
        status=1
    else
        mv "$f.new" "$f"
        echo "notes: $f"
    fi
done
exit $status
