#!/bin/sh
# update.sh [--cpu-time]: runs the benchmark and puts its table between the markers in ../README.md.
export LC_ALL=C
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(mktemp) table=$(mktemp)
trap 'rm -f "$program" "$table"' 0
"$here/build.sh" "$program"
{
    printf '%s, %s; `cpudevice/bench/update.sh%s`\n\n' "$(awk -F': ' '/^model name/ {print $2; exit}' /proc/cpuinfo)" "$(date +%Y-%m-%d)" "${1:+ $1}"
    "$program" --markdown "$@" || true
} >"$table"
awk -v table="$table" '/<!-- bench -->/ {print; print ""; while ((getline line < table) > 0) print line; print ""; skip = 1; next}
    /<!-- \/bench -->/ {skip = 0} !skip' "$here/../README.md" >"$program"
cat "$program" >"$here/../README.md"
