#!/bin/sh
# cuprof_bench.sh [cpu|cuda] [--results]: builds cuprof_bench for the device and prints what the profiler costs there.
# --results also writes results/<device>/profiler_overhead.csv.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
device=$(tools/setup/device.sh) results=
for a; do
    case $a in
    cpu | cuda) device=$a ;;
    --results) results=1 ;;
    *) echo "usage: tools/profiler/cuprof_bench.sh [cpu|cuda] [--results]" >&2; exit 2 ;;
    esac
done
make -s --no-print-directory DEVICE="$device" "build/$device/tools/profiler/cuprof_bench" || exit 2
bench=build/$device/tools/profiler/cuprof_bench
trace=$(mktemp) csv=$(mktemp) status=0
trap 'rm -f "$trace" "$csv"' EXIT
if [ "$device" = cuda ]; then
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)
    folder=$(echo "$name" | tr 'A-Z ' 'a-z_' | sed 's/nvidia_//')
    toolkit=$("$(tools/setup/device.sh --toolkit)/bin/nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
else
    name="CPU device: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores" driver=- toolkit=-
    folder=cpu
fi
{
    echo "# device: $name"
    [ "$device" = cpu ] || echo "# versions: driver $driver, CUDA Toolkit $toolkit"
    echo "# date: $(date -u +%Y-%m-%d)"
    echo "# command: tools/profiler/cuprof_bench.sh $device --results"
    echo "what,value,unit,limit"
    "$bench" overhead || status=1
    "$bench" million "$trace" || status=1
} >"$csv"
cat "$csv"
if [ "$results" ]; then
    mkdir -p "results/$folder" && cp "$csv" "results/$folder/profiler_overhead.csv"
fi
exit $status
