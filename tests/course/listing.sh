#!/bin/sh
# listing.sh DEVICE: ./run LAB --ptx and --sass: the instructions of the rung's own kernels, each with its source line; and
# what is said where nvcc or nvdisasm is not. The page that tells of them agrees with nvcc's own account.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
device=${1-cpu}
. cpudevice/tests/harness/is.sh
page=lecture03_cuda_basics/compilation.md

truth() { # WHAT command...
    what=$1
    shift
    if "$@"; then echo "ok $what"; else echo "not ok $what"; fi
}

mkdir "$out/bare"
for tool in /usr/local/bin/* /usr/bin/* /bin/*; do # all but NVIDIA's
    case ${tool##*/} in nvcc | nvdisasm) ;; *) [ -e "$out/bare/${tool##*/}" ] || ln -s "$tool" "$out/bare" ;; esac
done
bare() { env PATH="$out/bare" CUDA_HOME=/nonexistent "$@"; }
is 2 '^usage: listing.sh' "listing.sh says what it takes" tools/notes/listing.sh
is 2 "no file 'nowhere.cu'" "listing.sh without its file" tools/notes/listing.sh ptx nowhere.cu
is 2 '^listing: no nvcc here, .*install the CUDA Toolkit' "without nvcc it says so" bare tools/notes/listing.sh ptx lecture03_cuda_basics/add.cu
is 2 '^listing: no nvcc here' "./run --sass without nvcc" bare ./run add --device cpu --sass --rung 4
is 2 'wants a lab' "./run --ptx without a lab" ./run lecture03 --device "$device" --ptx
if [ -z "$(tools/setup/device.sh --toolkit)" ]; then
    echo "ok # SKIP listings: no nvcc here"
    exit 0
fi

ARCH=sm_90a && export ARCH
is 0 'ld\.global\.f32 .*; load 4 bytes of global memory' "a load in PTX" ./run add --device "$device" --ptx --rung 4
truth "and its source line above it" awk '/z\[i\] = x\[i\] \+ y\[i\];.*add.cu:[0-9]+$/ {at = 1} /ld\.global/ && at {found = 1} END {exit !found}' "$out/said"
truth "of the rung's own kernel alone" test "$(grep -c '^[a-z].*kernel' "$out/said"):$(grep -c '^add_kernel4(' "$out/said")" = 1:1
is 0 'ld\.global\.v4\.f32 .*; load 16 bytes of global memory' "another rung, another kernel" ./run add --device "$device" --ptx --rung 5
is 2 'rungs 1 to 5' "a rung that is not there" ./run add --device "$device" --ptx --rung 9
is 0 '^number_kernel' "an exercise's kernel" ./run 1.1 --device "$device" --ptx
is 1 'no kernel of that name' "a kernel that is not there" tools/notes/listing.sh ptx lecture03_cuda_basics/add.cu no_such_kernel

# The page's order of tools is nvcc's; each generation that nvcc knows stands in its table.
nvcc=$(tools/setup/device.sh --toolkit)/bin/nvcc
"$nvcc" --dryrun -o "$out/program" lecture01_profiling/first/program.cu 2>&1 | grep -oE '(^#\$ |/|"|\$)(cudafe\+\+|cicc|ptxas|fatbinary|g\+\+|gcc)("| )' | tr -dc 'a-z+\n' | uniq >"$out/order"
truth "cicc, then ptxas, then fatbinary, and cudafe++" awk '{at[$1] = at[$1] ? at[$1] : NR} END {exit !(at["cicc"] && at["cicc"] < at["ptxas"] && at["ptxas"] < at["fatbinary"] && at["cudafe++"])}' "$out/order"
for arch in $("$nvcc" --list-gpu-arch | sed 's/compute_/sm_/'); do
    grep -q "^| [0-9.]* | \`$arch\`" "$page" || echo "$arch"
done >"$out/absent"
truth "the table has each generation that nvcc knows" test ! -s "$out/absent"

if ! command -v nvdisasm >/dev/null && [ ! -x "$(dirname "$nvcc")/nvdisasm" ] && [ ! -x build/nvdisasm/bin/nvdisasm ]; then
    is 2 'no nvdisasm here.*tools/setup/need.sh nvdisasm' "without nvdisasm it says so" ./run add --device "$device" --sass --rung 4
    echo "ok # SKIP machine code: no nvdisasm here (tools/setup/need.sh nvdisasm gets it)"
    exit 0
fi
is 0 'FADD .*; a + b, fp32' "an addition in machine code" ./run add --device "$device" --sass --rung 4
is 0 '^add_kernel4(.*): [0-9][0-9]* registers' "and the kernel's registers" ./run add --device "$device" --sass --rung 4
is 0 'in the loop: .*\b64 FFMA' "the loop with most multiply-adds" tools/notes/listing.sh --loop FFMA --fold sass lecture14_tiling/gemm.cu gemm_kernel5
truth "folded" grep -q '\.\.\. 61 more of them' "$out/said"
is 1 'has no loop with HGMMA' "a loop that is not there" tools/notes/listing.sh --loop HGMMA sass lecture03_cuda_basics/add.cu add_kernel3
