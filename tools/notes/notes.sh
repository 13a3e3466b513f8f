#!/bin/sh
# notes.sh [--check | --accept]: fills what the notes generate, from results/ and from the labs' own files.
#   <!-- table results/h200/FILE.csv [columns rung,name,gbps=GB/s] [where type=bf16&rung=1|2] -->  the CSV as a table
#   <!-- code lecture03_cuda_basics/add.cu NAME -->       the piece of the file between "// notes: NAME" and "// notes end",
#                                                         or the whole function of that name
#   <!-- listing results/nvcc/FILE.txt -->                a recorded text
#       each up to the next  <!-- end -->
#   <!--= FILE[rung=4].gbps / FILE[rung=1].gbps -->9.5<!--/-->   a figure in the prose: must be its cells, rounded
# It also writes each lecture's page of measurements, measured.md, out of all of its CSV files,
# With --check nothing is written; with --accept a figure in the prose that differs is rewritten (read the sentence!).
# and each lecture's pictures (tools/pictures/pictures.sh).
# The exit status is 1 if something is not what its sources make.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
mode=${1-} status=0
case $mode in '' | --check | --accept) ;; *) echo "usage: notes.sh [--check | --accept]" >&2; exit 2 ;; esac
new=$(mktemp) page=$(mktemp) || exit 2
trap 'rm -f "$new" "$page"' EXIT

settle() { # FILE: what was made for it is in $new
    if cmp -s "$1" "$new"; then return; fi
    if [ "$mode" = --check ]; then
        echo "notes: $1 is not what its sources make (make notes)"
        status=1
    else
        cp "$new" "$1"
        echo "notes: $1"
    fi
}
fill() { # FILE AS OPTIONS...: awk reads FILE; messages and links speak of AS
    source=$1 as=$2
    shift 2
    if awk "$@" -f tools/notes/notes.awk "$source" >"$new"; then settle "$as"; else status=1; fi
}

for f in README.md docs/glossary.md docs/measuring.md lecture[0-9][0-9]_*/*.md cpudevice/*.md cpudevice/docs/*.md; do
    grep -Eq '^<!-- (table|code|listing) |<!--= ' "$f" 2>/dev/null || continue
    case $f in
    lecture*/measured.md) continue ;;
    lecture*) set -- -v lesson=1 ;;
    *) set -- -v lesson=0 ;;
    esac
    [ "$mode" = --accept ] && set -- "$@" -v accept=1
    fill "$f" "$f" "$@"
done
for lecture in lecture[0-9][0-9]_*; do
    tools/notes/measured.sh "$lecture" >"$page" || { status=1; continue; }
    [ -s "$page" ] && fill "$page" "$lecture/measured.md"
done
tools/pictures/pictures.sh ${mode:+--check} || status=1
exit $status
