#!/bin/sh
# oracle.sh [--results] [PROGRAM...]: cuprof against what it must agree with, on a GPU: CUPTI's raw records (raw.c),
# PyTorch's profiler in the same process (kineto.py, where PyTorch is), and Nsight Compute's list of launches for each
# PROGRAM (where ncu is). --results writes results/<gpu>/profiler_accuracy.csv and profiler_launches.csv.
set -u
cd "$(dirname "$0")/../.." || exit 2
results=
[ "${1-}" = --results ] && results=1 && shift
dir=$(mktemp -d) status=0
trap 'rm -rf "$dir"' EXIT
toolkit=$(tools/setup/device.sh --toolkit)
[ -n "$toolkit" ] || { echo "oracle.sh: needs a CUDA Toolkit and a GPU" >&2; exit 2; }
inc="-I$toolkit/include -I$toolkit/extras/CUPTI/include" lib="-L$toolkit/lib64 -L$toolkit/extras/CUPTI/lib64"
rpath="-Wl,-rpath,$toolkit/lib64:$toolkit/extras/CUPTI/lib64"
make -s --no-print-directory DEVICE=cuda build/cuda/tools/cuprof_bench || exit 2
tools/cuprof --build || exit 2
# shellcheck disable=SC2086
gcc -O2 -shared -fPIC $inc tools/profiler/oracle/raw.c -o "$dir/raw.so" $lib -lcupti "$rpath" || exit 2
bench=build/cuda/tools/cuprof_bench

head_lines() {
    echo "# device: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)"
    echo "# versions: driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1), CUDA Toolkit $("$toolkit/bin/nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
    echo "# date: $(date -u +%Y-%m-%d)"
    echo "# command: tools/profiler/oracle/oracle.sh --results${*:+ PROGRAM...}"
}

{
    head_lines "$@"
    echo "oracle,kernel,calls,calls_oracle,mean_us,mean_us_oracle,difference_us,within 2 % or 0.3 us"
    for round in 1 2 3; do # in turn: the clock of a GPU drifts
        tools/cuprof --table --csv -o "$dir/ours.csv" "$bench" kernels
        RAW_OUT=$dir/raw CUDA_INJECTION64_PATH=$dir/raw.so "$bench" kernels
        c++filt <"$dir/raw" | awk '{t = $0; sub(/.*,/, "", t); n = substr($0, 1, length($0) - length(t) - 1); c[n]++; s[n] += t}
            END {for (n in c) printf "\"%s\",%d,%.4f\n", n, c[n], s[n] / c[n] / 1000}' >"$dir/raw.csv"
        awk -v oracle="CUPTI records $round" -f tools/profiler/oracle/compare.awk "$dir/ours.csv" "$dir/raw.csv" || status=1
    done
    if python3 -c 'import torch' 2>/dev/null; then
        for f in common/profiler/*.c; do
            # shellcheck disable=SC2086
            gcc -std=c11 -D_GNU_SOURCE -O2 -fPIC -DLAB_CUDA -Icommon $inc -c "$f" -o "$dir/p$(basename "$f").o" || status=1
        done
        "$toolkit/bin/nvcc" -O2 -shared -Xcompiler -fPIC -arch=native -cudart shared common/profiler/profiler_warm.cu "$dir"/p*.o -o "$dir/libprofiler.so" "-Xlinker=-rpath,$toolkit/lib64" -ldl -lpthread
        python3 tools/profiler/oracle/kineto.py "$dir/libprofiler.so" "$dir/ours.csv" "$dir/kineto.csv" 2>"$dir/log" || { cat "$dir/log" >&2; status=1; }
        awk -v oracle="Kineto in the same process" -f tools/profiler/oracle/compare.awk "$dir/ours.csv" "$dir/kineto.csv" || status=1
    else
        echo "oracle.sh: no PyTorch, no comparison with Kineto" >&2
    fi
} >"$dir/accuracy.csv"
cat "$dir/accuracy.csv"

if command -v ncu >/dev/null 2>&1 && [ $# -gt 0 ]; then
    {
        head_lines "$@"
        echo "program,kernels,launches,launches_ncu,names and counts equal"
        for program; do
            tools/cuprof --table --csv -o "$dir/ours.csv" "$program" >/dev/null 2>&1
            ncu --csv --print-kernel-base mangled --metrics gpu__time_duration.sum "$program" 2>/dev/null | grep '^"' >"$dir/ncu.csv"
            # a launch is one line of ncu's; the kernel's name is in the column that its header names
            awk 'function cut(line,    n, i, c, q) {n = 1; f[1] = ""; q = 0; for (i = 1; i <= length(line); i++) {c = substr(line, i, 1)
                 if (c == "\"") q = !q; else if (c == "," && !q) f[++n] = ""; else f[n] = f[n] c} return n}
                 {n = cut($0)} NR == 1 {for (i = 1; i <= n; i++) if (f[i] == "Kernel Name") k = i; next} {print f[k]}' "$dir/ncu.csv" |
                c++filt | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 /' | sort >"$dir/theirs"
            awk 'function cut(line,    n, i, c, q) {n = 1; f[1] = ""; q = 0; for (i = 1; i <= length(line); i++) {c = substr(line, i, 1)
                 if (c == "\"") q = !q; else if (c == "," && !q) f[++n] = ""; else f[n] = f[n] c} return n}
                 {cut($0)} f[2] == "kernel" {print f[3], f[1]}' "$dir/ours.csv" | sort >"$dir/mine"
            equal=NO
            cmp -s "$dir/mine" "$dir/theirs" && [ -s "$dir/mine" ] && equal=yes
            [ $equal = yes ] || status=1
            echo "$(basename "$program"),$(wc -l <"$dir/mine"),$(awk '{n += $1} END {print n + 0}' "$dir/mine"),$(awk '{n += $1} END {print n + 0}' "$dir/theirs"),$equal"
        done
    } >"$dir/launches.csv"
    cat "$dir/launches.csv"
fi
if [ "$results" ]; then
    folder=results/$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1 | tr 'A-Z ' 'a-z_' | sed 's/nvidia_//')
    mkdir -p "$folder" && cp "$dir/accuracy.csv" "$folder/profiler_accuracy.csv"
    if [ -f "$dir/launches.csv" ]; then cp "$dir/launches.csv" "$folder/profiler_launches.csv"; fi
fi
exit $status
