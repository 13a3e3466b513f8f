#!/bin/sh
# listing.sh [--loop OPCODE] [--fold] ptx|sass FILE.cu [KERNEL...]: the PTX or the machine code (SASS) that nvcc makes of a file's
# kernels, each instruction with what it does, under the source line that it comes from; all kernels, or those that are named. The
# architecture is $ARCH (sm_90a), else the GPU's own, else sm_90a.
#   --loop OPCODE   only the loop in which most instructions are that one
#   --fold          a run of one instruction is shown by its first two and its last
# It takes nvcc, and for SASS nvdisasm: the toolkit's, Triton's own (make python), or tools/setup/need.sh nvdisasm gets it.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
loop= fold=
while :; do
    case ${1-} in
    --loop) loop=${2-} && shift 2 || exit 2 ;;
    --fold) fold=1 && shift ;;
    *) break ;;
    esac
done
mode=${1-} file=${2-}
case $mode in ptx | sass) ;; *) echo "usage: listing.sh [--loop OPCODE] [--fold] ptx|sass FILE.cu [KERNEL...]" >&2; exit 2 ;; esac
[ -f "$file" ] || { echo "listing: there is no file '$file'" >&2; exit 2; }
shift 2

toolkit=$(tools/setup/device.sh --toolkit)
if [ -z "$toolkit" ]; then
    echo "listing: no nvcc here, and only nvcc makes PTX and SASS (the CPU device runs neither): install the CUDA Toolkit. Recorded listings: lecture03_cuda_basics/compilation.md" >&2
    exit 2
fi
find_nvdisasm() {
    command -v nvdisasm && return
    for f in "$toolkit/bin/nvdisasm" build/nvdisasm/bin/nvdisasm build/python/lib/python3*/site-packages/triton/backends/nvidia/bin/nvdisasm; do
        [ -x "$f" ] && echo "$f" && return
    done
    return 1
}
if [ "$mode" = sass ] && ! nvdisasm=$(find_nvdisasm); then
    echo "listing: no nvdisasm here, which prints machine code: it comes with the whole CUDA Toolkit, or tools/setup/need.sh nvdisasm gets it" >&2
    exit 2
fi
arch=${ARCH:-}
if [ -z "$arch" ] && [ -n "$(tools/setup/device.sh --capability)" ]; then arch=sm_$(tools/setup/device.sh --arch); fi
arch=${arch:-sm_90a}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compile() { # OUTPUT FLAGS...
    out=$1
    shift
    "$toolkit/bin/nvcc" -O3 -std=c++17 -lineinfo -arch="$arch" -DLAB_CUDA -Icommon "$@" -o "$out" "$PWD/$file" >"$work/said" 2>&1 ||
        { cat "$work/said" >&2; exit 1; }
}
for kernel; do echo "$kernel"; done >"$work/wanted"
set -- -v root="$PWD" -v arch="$(echo "$arch" | tr -dc 0-9)" -v mode="$mode" -v wanted="$work/wanted" -v loop="$loop" -v fold="$fold"
if [ "$mode" = ptx ]; then
    compile "$work/ptx" -ptx
    awk "$@" -f tools/notes/listing.awk "$work/ptx" "$work/ptx"
else
    compile "$work/cubin" -cubin --resource-usage
    "$nvdisasm" -g -c "$work/cubin" >"$work/sass" || exit 1
    awk "$@" -v usage="$work/said" -f tools/notes/listing.awk "$work/sass"
fi
