#!/bin/sh
# listings.sh [--check]: records the listings that lecture 3's compilation.md shows, in results/nvcc. It takes nvcc 13.0 and nvdisasm;
# the page is made from what is recorded. With --check nothing is written; the exit status is 1 if a listing differs.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
case ${1-} in '' | --check) ;; *) echo "usage: listings.sh [--check]" >&2; exit 2 ;; esac
check=${1-} to=results/nvcc
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
status=0
settle() { # FILE in $work becomes the recorded one; its date alone is no difference
    [ -e "$to/$1" ] && [ "$(grep -v '^# date' "$work/$1")" = "$(grep -v '^# date' "$to/$1")" ] && return
    if [ -n "$check" ]; then
        echo "listings: $to/$1 is not what nvcc makes (tools/notes/listings.sh)"
        status=1
    else
        mkdir -p "$to" && cp "$work/$1" "$to/$1" && echo "listings: $to/$1"
    fi
}
record() { # NAME listing.sh's arguments...
    name=$1 words=
    shift
    for word; do case $word in *' '*) words="$words '$word'" ;; *) words="$words $word" ;; esac; done
    {
        echo "# command: ARCH=sm_90a tools/notes/listing.sh$words"
        echo "# versions: nvcc $("$(tools/setup/device.sh --toolkit)/bin/nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
        ARCH=sm_90a tools/notes/listing.sh "$@"
    } >"$work/$name.txt" && settle "$name.txt" || status=1
}
record add-ptx ptx lecture03_cuda_basics/add.cu add_kernel4
record add-sass sass lecture03_cuda_basics/add.cu add_kernel4
record naive-loop --loop FFMA --fold sass lecture03_cuda_basics/matmul_naive.cu matmul_kernel1
record tile-loop --loop FFMA --fold sass lecture14_tiling/gemm.cu gemm_kernel5
record wgmma-loop --loop HGMMA --fold sass lecture14_tiling/hopper.cu 'hopper3_kernel<128, 256, 4>'
{ # what the three loops are made of
    echo "# device: sm_90a"
    echo "# date: $(date -u +%F)"
    echo "# versions: nvcc $("$(tools/setup/device.sh --toolkit)/bin/nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
    echo "# command: tools/notes/listings.sh"
    echo "loop,instructions,FFMA,HGMMA,LDG,LDS"
    for name in naive-loop tile-loop wgmma-loop; do
        awk -v name="$name" '/^  in the loop: / {
            sub(/^  in the loop: /, "")
            n = split($0, parts, /, /)
            for (i = 1; i <= n; i++) { split(parts[i], p, " "); all += p[1]; of[p[2]] = p[1] }
            printf "%s,%d,%d,%d,%d,%d\n", name, all, of["FFMA"], of["HGMMA"], of["LDG"], of["LDS"]
        }' "$work/$name.txt"
    done
} >"$work/lecture03-loops.csv"
settle lecture03-loops.csv
exit $status
