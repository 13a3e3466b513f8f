#!/bin/sh
# profiler_cuprof.sh [cpu|cuda]: cuprof around programs that know nothing of it: their output, input and exit status are
# untouched, counts are exact, and a program that crashes or is interrupted leaves what it had done.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
device=${1:-cpu}
dir=$(mktemp -d) failed=0
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tmp"

ok() { # DESCRIPTION, then a command that must succeed
    label=$1
    shift
    if "$@" >"$dir/ok.log" 2>&1; then
        echo "ok"
    else
        failed=1 && echo "not ok"
        echo "FAILED: $label"
        sed 's/^/    /' "$dir/ok.log" | head -20
    fi
}
equal() {
    [ "$1" = "$2" ] || { echo "got: $1"; echo "expected: $2"; return 1; }
}
calls() { awk -F, -v name="$1" 'index($0, name) == 1 || index($0, "\"" name) == 1 {n = split($0, f, ","); print f[n - 6]}' "$2"; }

if [ "$device" = cuda ]; then compiler="${NVCC:-nvcc}"; else compiler=cpudevice/cucc; fi
$compiler -o "$dir/program" tests/profiler/helpers/cuprof.cu >"$dir/build.log" 2>&1 || {
    cat "$dir/build.log"
    echo "not ok"
    exit 1
}
cuprof=tools/cuprof
export TMPDIR="$dir/tmp"

# ---- what the program says and how it ends is its own
$cuprof -o "$dir/report" "$dir/program" >"$dir/out" 2>"$dir/err"
ok "exit status" equal $? 9
ok "stdout" equal "$(cat "$dir/out")" out
ok "stderr, with -o" equal "$(cat "$dir/err")" err
ok "the four summaries" equal "$(grep -c '^ \*\* ' "$dir/report")" 4
printf 'a\nb' | $cuprof -o /dev/null "$dir/program" input >"$dir/out" 2>/dev/null
ok "stdin" equal "$(cat "$dir/out")" "out
a
b"
$cuprof "$dir/program" 2>"$dir/err" >"$dir/out"
ok "stdout without -o" equal "$(cat "$dir/out")" out
ok "summaries on stderr" grep -q cuda_gpu_kern_sum "$dir/err"

# ---- counts
$cuprof --table --csv -o "$dir/table.csv" "$dir/program" >/dev/null 2>&1
ok "launches" equal "$(calls cudaLaunchKernel "$dir/table.csv")" 123
ok "kernels, by their name" equal "$(calls 'work(float*)' "$dir/table.csv")" 123
ok "copies" equal "$(calls 'Memcpy DtoH' "$dir/table.csv")" 4
ok "the first call of all" equal "$(calls cudaMalloc "$dir/table.csv")" 1
$cuprof --gpu-sum --csv -o "$dir/sum.csv" "$dir/program" >/dev/null 2>&1
ok "gpu-sum" grep -q '^[0-9.]*,[0-9]*,123,.*CUDA_KERNEL,work(float\*)$' "$dir/sum.csv"
$cuprof --sort-by count --row-limit 1 -o "$dir/table" "$dir/program" >/dev/null 2>&1
ok "row limit" equal "$(grep -c '%' "$dir/table")" 2

# ---- a program that does not end well leaves what it had done
for what in segv abort kill; do
    case $what in segv) expect=139 ;; abort) expect=134 ;; kill) expect=137 ;; esac
    (
        ulimit -c 0
        $cuprof --table --csv -o "$dir/$what.csv" "$dir/program" $what >"$dir/out" 2>/dev/null
    ) 2>/dev/null
    ok "$what: exit status" equal $? $expect
    ok "$what: stdout" equal "$(cat "$dir/out")" out
    ok "$what: kernels" equal "$(calls 'work(float*)' "$dir/$what.csv")" 123
done
for signal in TERM INT; do
    case $signal in TERM) expect=143 ;; INT) expect=130 ;; esac
    env --default-signal=INT true 2>/dev/null || { echo "ok # SKIP signals: env knows no --default-signal"; break; }
    : >"$dir/out" # a shell lets what runs in its background ignore SIGINT
    env --default-signal=INT $cuprof --table --csv -o "$dir/int.csv" "$dir/program" wait >"$dir/out" 2>/dev/null &
    pid=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q out "$dir/out" && break
        sleep 1
    done
    kill -$signal $pid # cuprof hands it on
    wait $pid
    ok "SIG$signal: exit status" equal $? $expect
    ok "SIG$signal: kernels" equal "$(calls 'work(float*)' "$dir/int.csv")" 123
done

# ---- its children are profiled too; several processes make one report
$cuprof --table --csv -o "$dir/two.csv" sh -c "'$dir/program'; '$dir/program'" >/dev/null 2>&1
ok "two processes: exit status" equal $? 9
ok "two processes: kernels" equal "$(calls 'work(float*)' "$dir/two.csv")" 246

# ---- the trace
$cuprof --trace "$dir/trace.json" -o /dev/null "$dir/program" >/dev/null 2>&1
ok "kernels in the trace" equal "$(grep -c '"cat":"kernel"' "$dir/trace.json")" 123
ok "arrows" equal "$(grep -c '"ph":"f"' "$dir/trace.json")" 127
if command -v python3 >/dev/null 2>&1; then
    ok "JSON" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$dir/trace.json"
else
    echo "ok # SKIP JSON by python3: there is none"
fi

# ---- bad use: one line, status 2
for bad in --nosuch "--sort-by speed" "--row-limit x" "--trace $dir" "--html $dir/no/page" "-o $dir/no/file" ""; do
    # shellcheck disable=SC2086
    $cuprof $bad ${bad:+"$dir/program"} >"$dir/out" 2>"$dir/err"
    ok "status of 'cuprof $bad'" equal $? 2
    ok "nothing runs for 'cuprof $bad'" equal "$(cat "$dir/out")" ""
    ok "one line for 'cuprof $bad'" equal "$(grep -c '^cuprof: ' "$dir/err") of $(wc -l <"$dir/err")" "1 of 1"
done
$cuprof --trace 2>"$dir/err"
ok "an option's value is missing: one line" equal "$(cat "$dir/err")" "cuprof: --trace needs a value (see --help)"
$cuprof "$dir/nosuch" 2>"$dir/err"
ok "no such program: status" equal $? 127
ok "no such program: one line" equal "$(wc -l <"$dir/err")" 1
$cuprof true 2>"$dir/err"
ok "a program without CUDA: status" equal $? 0
ok "a program without CUDA: one line" equal "$(wc -l <"$dir/err")" 1
ok "help" sh -c "$cuprof --help | grep -q -- --html"
ok "nothing left behind" equal "$(ls "$TMPDIR" | wc -l)" 0

[ $failed = 0 ]
