#!/bin/sh
# compdb.sh cpu|cuda: compile_commands.json for editors (clangd), from what make would run.
export LC_ALL=C
set -eu
cd "$(dirname "$0")/../.."
here=$(pwd)
make -n -B V=1 --no-print-directory DEVICE="$1" all 2>/dev/null | awk -v dir="$here" '
    / -c / {
        for (i = 1; i < NF; i++) if ($i == "-c") file = $(i + 1)
        gsub(/\\/, "\\\\"); gsub(/"/, "\\\"")
        printf "%s{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s\"}", n++ ? ",\n" : "[\n", dir, file, $0
    }
    END { print n ? "\n]" : "[]" }' >compile_commands.json
echo "compile_commands.json: $(grep -c '"file"' compile_commands.json) files"
