#!/bin/sh
# notes_editor.sh DEVICE: the editor's configuration: the tasks' commands, and the problem matchers against what cucc --check and
# the compiler really say.
device=${1:-cpu}
failed=0
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
holds() { # WHAT: the status of the command before it
    if [ $? = 0 ]; then echo ok; else echo "FAILED: $1" && failed=1 && echo "not ok"; fi
}
if [ "$device" != cpu ]; then
    echo "ok # SKIP cucc --check is the CPU device's"
    exit 0
fi
# The regular expressions of the first matcher of cucc --check, one a line.
sed -n '/"owner": "cucc-check",/,/"file": 1/s/.*"regexp": "\(.*\)".*/\1/p' .vscode/tasks.json | head -4 | sed 's/",.*//' >"$out/patterns"
[ "$(wc -l <"$out/patterns")" = 4 ]
holds "the matcher has four patterns"
for program in lecture01_profiling/first/program.cu lecture05_shared_memory/first/rotate.cu; do
    sed '/if (i < n)/d; /__syncthreads/d' "$program" >"$out/wrong.cu"
    cpudevice/cucc --check -g -o "$out/wrong" "$out/wrong.cu" && "$out/wrong" >/dev/null 2>"$out/says"
    grep -nE "$(sed -n 1p "$out/patterns")" "$out/says" | head -1 | cut -d: -f1 >"$out/at"
    first=$(cat "$out/at")
    matched=0
    for i in 1 2 3 4; do
        sed -n "$((first + i - 1))p" "$out/says" | grep -qE "$(sed -n ${i}p "$out/patterns")" && matched=$((matched + 1))
    done
    [ "$matched" = 4 ] && sed -n "$((first + 3))p" "$out/says" | grep -q "wrong.cu:[0-9]*$"
    holds "the four lines of a finding in $program without its guard or barrier match, and name file and line"
done
name=$(echo 'lecture05_shared_memory/exercises/ex07_online.cu' | sed 's|lecture0*\([0-9]*\)_[^/]*/exercises/ex0*\([0-9]*\)_.*|\1.\2|')
[ "$name" = 5.7 ] && grep -qF 's|lecture0*\\([0-9]*\\)_[^/]*/exercises/ex0*\\([0-9]*\\)_.*|\\1.\\2|' .vscode/tasks.json
holds "the task that grades finds the exercise's number"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; [json.load(open(f)) for f in sys.argv[1:]]' .vscode/tasks.json .vscode/settings.json .devcontainer/devcontainer.json
    holds "the files are JSON"
else
    echo "ok # SKIP no python3 to read JSON with"
fi
exit $failed
