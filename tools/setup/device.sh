#!/bin/sh
# device.sh: which device to build for. Prints "cuda" where nvcc is there and a GPU answers, else "cpu".
#   --toolkit   the CUDA Toolkit's folder, or nothing
#   --arch      architectures for nvcc: the GPU's own, else a list this nvcc accepts, with PTX for later GPUs
export LC_ALL=C
set -u

toolkit() {
    if nvcc=$(command -v nvcc); then
        dirname "$(dirname "$(readlink -f "$nvcc")")"
    elif [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]; then
        readlink -f "${CUDA_HOME:-/usr/local/cuda}"
    fi
}

# Compute capability of the first GPU, "9.0", or nothing.
capability() {
    command -v nvidia-smi >/dev/null 2>&1 &&
        nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n '1{s/ //g;p;}'
}

case ${1-} in
--toolkit) toolkit ;;
--capability) capability ;;
--arch)
    cap=$(capability)
    case $cap in
    [0-9]*.[0-9])
        arch=$(echo "$cap" | tr -d .)
        # wgmma and its kin exist only in the 'a' variant
        case $arch in 90 | 100) arch=${arch}a ;; esac
        echo "$arch"
        ;;
    *)
        nvcc=$(toolkit)/bin/nvcc
        known=$("$nvcc" --list-gpu-arch 2>/dev/null | sed 's/compute_//' | tr '\n' ' ')
        list=
        for a in 75 80 90; do
            case " $known " in *" $a "*) list="$list $a" last=$a ;; esac
        done
        echo "$list" "${last:-75}+ptx" | sed 's/ 90 / 90a /'
        ;;
    esac
    ;;
*)
    if [ -n "$(toolkit)" ] && [ -n "$(capability)" ]; then echo cuda; else echo cpu; fi
    ;;
esac
