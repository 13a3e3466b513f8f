#!/bin/sh
# notes_front_page.sh DEVICE: what the front page shows of a mistake is what its own two commands say, and it counts the exercises right.
device=${1:-cpu}
failed=0
cd "$(dirname "$0")/../.." || exit 2
build=$PWD/build/cpu
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
holds() { # WHAT: the status of the command before it
    if [ $? = 0 ]; then echo ok; else echo "FAILED: $1" && failed=1 && echo "not ok"; fi
}
count=$(ls lecture*/exercises/ex*.cu | wc -l)
sed 's/<!--[^>]*-->//g' README.md | grep -q "[^0-9]$count exercises"
holds "the front page says how many exercises there are: $count"
if [ "$device" != cpu ]; then
    echo "ok # SKIP cucc --check is the CPU device's"
    exit $failed
fi
# The commands: the two indented lines before the first fenced block, which shows what the program says.
awk '/^```/ {exit} /^    (mkdir|cpudevice)/ {print substr($0, 5)}' README.md >"$out/commands"
awk '/^```text/ {on = 1; next} /^```/ {exit} on' README.md >"$out/shown"
[ "$(wc -l <"$out/commands")" = 2 ] && [ -s "$out/shown" ]
holds "the front page has two commands and what they say"
mkdir "$out/build" && ln -s "$PWD/lecture05_shared_memory" "$PWD/cpudevice" "$out"
(cd "$out" && CUCC_BUILD="$build" sh ./commands) >/dev/null 2>"$out/said"
[ $? = 99 ]
holds "the program that they make fails with 99"
sed -i '/^cucc: first use: /d' "$out/said" # where --check was never used here
diff "$out/shown" "$out/said"
holds "the front page shows what cucc --check says"
exit $failed
