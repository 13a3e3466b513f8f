#!/bin/sh
# notes_front_page.sh DEVICE: what the front page shows of a mistake, in English and in Chinese, is what its own commands say, and
# it counts the exercises right. What CHECK.md shows is what a program with that mistake says.
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
# The commands are the indented lines before the first fenced block, which shows what the program says.
mkdir "$out/build" && ln -s "$PWD/lecture05_shared_memory" "$PWD/cpudevice" "$out"
shows() { # PAGE, NUMBER of commands
    awk '/^```/ {exit} /^    (export|mkdir|cpudevice)/ {print substr($0, 5)}' "$1" >"$out/commands"
    awk '/^```text/ {on = 1; next} /^```/ {exit} on' "$1" >"$out/shown"
    [ "$(wc -l <"$out/commands")" = "$2" ] && [ -s "$out/shown" ]
    holds "$1 has $2 commands and what they say"
    (cd "$out" && CUCC_BUILD="$build" sh ./commands) >/dev/null 2>"$out/said"
    [ $? = 99 ]
    holds "$1: the program that they make fails with 99"
    sed -i '/^cucc: first use: /d' "$out/said" # where --check was never used here
    diff "$out/shown" "$out/said"
    holds "$1 shows what cucc --check says"
}
unset COURSE_LANG
shows README.md 2
shows README.zh.md 3

cat >"$out/rotate.cu" <<'END'
#include <cstdio>

__global__ void rotate(int *x)
{
    __shared__ int tile[64];

    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}

int main()
{
    int *x;
    cudaMallocManaged(&x, 64 * sizeof *x);
    for (int i = 0; i < 64; i++)
        x[i] = i;
    rotate<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", x[0]);
    cudaFree(x);
}
END
(cd "$out" && CUCC_BUILD="$build" cpudevice/cucc --check -g -o rotate rotate.cu)
explains() { # PAGE: its block from the finding to the count of errors
    sed -n '/^    racecheck/,/^    cucc --check/s/^    //p' "$1" >"$out/shown"
    (cd "$out" && ./rotate >/dev/null 2>said)
    [ -s "$out/shown" ] && diff "$out/shown" "$out/said"
    holds "$1 shows what cucc --check says"
}
explains cpudevice/docs/CHECK.md
export COURSE_LANG=zh
explains cpudevice/docs/CHECK.zh.md
exit $failed
