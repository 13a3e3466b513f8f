#!/bin/sh
# nsight.sh FOLDER [PART...]: on a machine with a GPU, what the notes on ncu and nsys show, as CSV in FOLDER: the labs graphs and
# occupancy verified and timed, Nsight Compute's reports of the rungs of three labs, what one chain of launches looks like
# on the timeline, and the profiler's four summaries of it (nsys's, by the same names). What was printed goes to FOLDER/log, whole
# reports to FOLDER/reports; what failed is on the last line. PARTS: labs, ncu, gaps, nsys, sanitizer; all of them if none is named.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
to=${1:?usage: nsight.sh FOLDER [labs] [ncu] [gaps] [nsys] [sanitizer]}
shift
parts=" ${*:-labs ncu gaps nsys sanitizer} "
mkdir -p "$to/reports" || exit 2
to=$(cd "$to" && pwd)
labs=build/cuda/lecture01_profiling
. tools/setup/timed.sh

wants() { case $parts in *" $1 "*) ;; *) return 1 ;; esac; }
one() { # SECONDS NAME command...
    seconds=$1 name=$2
    shift 2
    echo "== $name: $*" >>"$to/log"
    timed "$seconds" "$name" "$to/out" "$@"
    cat "$to/out" >>"$to/log"
}

provenance() { # COMMAND
    echo "# device: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)"
    echo "# versions: driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1), $(ncu --version | sed -n 's/^Version \([0-9.]*\).*/Nsight Compute \1/p')"
    echo "# date: $(date -u +%F)"
    echo "# command: $1"
}

# NAME KERNEL LAUNCHES lab options...: ncu's report of the kernels of a lab, and from it NAME.csv, a row a launch. Clocks stay as
# they are: to hold them at their base, as ncu does by itself, is not ours to do on a machine that others use.
report() {
    report=$1 kernel=$2 launches=$3 lab=$4
    shift 4
    one 60 "ncu-$report" ncu --set full --import-source yes --clock-control none --kernel-name "regex:$kernel" --launch-count "$launches" \
        --force-overwrite --export "$to/reports/$report" "$labs/$lab" "$@" --verify
    [ -e "$to/reports/$report.ncu-rep" ] || return
    ncu --import "$to/reports/$report.ncu-rep" --csv --page raw >"$to/reports/$report-raw.csv" 2>>"$to/log"
    ncu --import "$to/reports/$report.ncu-rep" --csv --page source --print-source cuda,sass >"$to/reports/$report-source.csv" 2>>"$to/log"
    {
        provenance "ncu --set full --clock-control none --kernel-name regex:$kernel ./$lab $* --verify; ncu --import FILE --csv --page raw"
        python3 tools/python/ncu_table.py "$to/reports/$report-raw.csv"
    } >"$to/lecture01-ncu_$report.csv" 2>>"$to/log" || failed="$failed table-$report"
}

one 140 build make -s -j"$(nproc)" DEVICE=cuda $labs/occupancy $labs/graphs $labs/square $labs/cdist
tools/cuprof --build

if wants labs; then
    one 40 occupancy $labs/occupancy --csv "$to/lecture01-occupancy.csv"
    one 40 graphs $labs/graphs --csv "$to/lecture01-graphs.csv"
fi
if wants ncu; then
    report square square_kernel 4 square --size 10000x10000
    report occupancy square_kernel 8 occupancy --size 67108864
    report cdist 'distance_kernel' 2 cdist --rung 1,4 --size 4096x4096x64
    {
        provenance "ncu as for square and cdist; ncu --import FILE --csv --page raw; tools/python/ncu_table.py --roofline"
        python3 tools/python/ncu_table.py --roofline "$to/reports/square-raw.csv" "$to/reports/cdist-raw.csv"
    } >"$to/lecture01-ncu_roofline.csv" 2>>"$to/log" || failed="$failed roofline"
    {
        provenance "ncu as for cdist; ncu --import FILE --csv --page source --print-source cuda,sass; tools/python/ncu_source.py FILE distance_kernel1"
        python3 tools/python/ncu_source.py "$to/reports/cdist-source.csv" distance_kernel1
    } >"$to/lecture01-ncu_source.csv" 2>>"$to/log" || failed="$failed source"
fi
if wants gaps; then
    # The timeline of one chain: each rung's kernels, from the first one's beginning to the last one's end.
    traces=
    for rung in 1 2 3 4 5; do
        one 20 "trace-$rung" $labs/graphs --rung $rung --ladder-only --size 65536x256 --runs 5 --trace "$to/reports/graphs-$rung.json"
        traces="$traces $to/reports/graphs-$rung.json"
    done
    # shellcheck disable=SC2086
    {
        provenance "./run graphs --rung N --ladder-only --size 65536x256 --runs 5 --trace N.json; python3 tools/python/gaps.py smooth_kernel 256 1.json 2.json ..."
        python3 tools/python/gaps.py smooth_kernel 256 $traces
    } >"$to/lecture01-nsys_gaps.csv" 2>>"$to/log" || failed="$failed gaps"
fi
if wants nsys; then
    # The same chain, recorded by nsys and, in another run, by cuprof. nsys's importer wants libdw (Debian's package libdw1).
    chain="--rung 2 --ladder-only --size 65536x256 --runs 5"
    # NAME COMMAND: a table of summaries on stdin, as nsys and cuprof print it, is NAME.csv; commas in a kernel's name would be columns.
    summary() {
        {
            provenance "$2"
            awk '/^Time/ { $0 = "share,total_ns,calls,mean_ns,median_ns,min_ns,max_ns,deviation_ns,name" }
                { while (match($0, /"[^"]*"/)) {
                name = substr($0, RSTART + 1, RLENGTH - 2); gsub(/,/, "", name)
                $0 = substr($0, 1, RSTART - 1) name substr($0, RSTART + RLENGTH) } print }'
        } >"$to/$1.csv"
    }
    # shellcheck disable=SC2086
    one 20 cuprof tools/cuprof --summary --csv -o "$to/reports/cuprof.csv" $labs/graphs $chain
    for table in cuda_api_sum cuda_gpu_kern_sum; do # a table begins with its name on a line
        awk -v want=$table '!/,/ { on = $0 == want; next } on' "$to/reports/cuprof.csv" |
            summary lecture01-cuprof_$table "tools/cuprof --summary --csv ./graphs $chain"
    done
    nsys=$(command -v nsys || ls -d /opt/nvidia/nsight-systems*/*/bin/nsys /opt/nvidia/nsight-compute/*/host/target-linux-x64/nsys 2>/dev/null | head -n 1)
    if [ -n "$nsys" ]; then
        # shellcheck disable=SC2086
        one 30 nsys-profile "$nsys" profile --trace cuda,nvtx --force-overwrite true --output "$to/reports/graphs-2" $labs/graphs $chain
        one 30 nsys-stats "$nsys" stats --force-export=true --report cuda_api_sum,cuda_gpu_kern_sum --format csv --output "$to/reports/nsys,$to/reports/nsys" \
            "$to/reports/graphs-2.nsys-rep"
        for table in cuda_api_sum cuda_gpu_kern_sum; do
            summary lecture01-nsys_$table "nsys profile --trace cuda,nvtx ./graphs $chain; nsys stats --report $table --format csv FILE" \
                <"$to/reports/nsys_$table.csv" || failed="$failed nsys-$table"
        done
    fi
fi
if wants sanitizer; then
    JOBS=8 SECONDS_EACH=30
    export JOBS SECONDS_EACH
    one 40 sanitizer sh -c "tools/profiler/sanitizer.sh build/cuda lecture01_profiling/graphs lecture01_profiling/occupancy >'$to/sanitizer.csv'"
fi
rm -f "$to/out"
echo "failed:${failed:- none}"
