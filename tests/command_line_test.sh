#!/bin/sh
# command_line_test.sh DEVICE: what people type. Bad input: one line on stderr and exit status 2; --help everywhere.
export LC_ALL=C
device=${1:-cpu}
passed=0 failed=0 skipped=0
lab=build/$device/lecture03_cuda_basics/add
grey=build/$device/lecture03_cuda_basics/greyscale
make -s --no-print-directory DEVICE="$device" "$lab" "$grey" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

# expect STATUS WHAT-THE-OUTPUT-SAYS command...
expect() {
    want=$1 says=$2
    shift 2
    "$@" >"$out/stdout" 2>"$out/stderr" </dev/null
    got=$?
    if [ $got != "$want" ]; then
        echo "FAILED: $* gave status $got, not $want"
        failed=$((failed + 1))
    elif ! cat "$out/stdout" "$out/stderr" | grep -q -e "$says"; then
        echo "FAILED: $* does not say '$says'"
        failed=$((failed + 1))
    elif [ "$want" = 2 ] && [ "$(wc -l <"$out/stderr")" -gt 2 ]; then
        echo "FAILED: $* says it in more than one line"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

expect 0 'Usage' $lab --help
expect 2 'no-such' $lab --no-such-option
expect 2 'whole number' $lab --size many
expect 2 'whole number' $lab --size -5
expect 2 'whole number' $lab --size 12x12
expect 2 'whole number' $lab --size 99999999999999999999999
expect 2 'at least 1' $lab --size 0
expect 2 'memory' $lab --size 100000000000000
expect 2 'runs' $lab --runs 0
expect 2 'repeat' $lab --repeat many
expect 0 'same bits 3 times more' $lab --small --verify --repeat 3
expect 2 'rung' $lab --rung one
expect 2 'rungs 1 to 5' $lab --rung 9
expect 2 'no ladder' ./run lecture03/launch --device "$device" --rung 3
expect 0 'drawn: .*sweep.svg\|1024' $lab --size 1024:3072:1024 --rung 3,4 --plot="$out/plot"
expect 2 'width height as 2 whole numbers' $grey --size 12
expect 2 'run add --help' $lab --no-such-option
expect 2 'no-such' ./run lecture03 --device "$device" --no-such-option
expect 2 'unexpected' $lab something
expect 2 'cannot write' $lab --size 4 --csv /nonexistent/file.csv
expect 0 'of copy' $lab --size 100 --rung 3
expect 2 'No such file' $grey --image /nonexistent.ppm --small
printf 'P6\n9 9\n255\nshort' >"$out/bad.ppm"
expect 2 'truncated' $grey --image "$out/bad.ppm" --small
expect 0 'usage' ./run --help
expect 2 'no lab' ./run lecture03/no_such_lab
expect 2 'device is cpu or cuda' ./run lecture03/add --device tpu
timeout -s KILL 2 ./run lecture03 --device "$device" >"$out/stdout" # broken off in its midst, a walk-through leaves nothing behind
expect 0 '^$' sh -c 'echo; ! ls build/walk.* 2>/dev/null'
expect 0 'Max error: 0' ./run lecture03/add --device "$device" --verify --small
expect 2 'no exercise' ./run 99.9
expect 0 'sed\|usage\|make' make help
expect 0 'nvcc' make -s doctor
expect 2 'DEVICE is auto' make DEVICE=tpu help

# counters on a GPU: the table out of what ncu prints; here a stand-in prints it, for a machine without
mkdir "$out/bin"
cat >"$out/bin/ncu" <<'END'
#!/bin/sh
while [ "$1" != --log-file ]; do shift; done
log=$2
cat >"$log" <<'CSV'
==PROF== Connected to process 1
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","1","add","127.0.0.1","turn(const float *, float *)","1","7","(32, 8, 1)","(32, 32, 1)","0","9.0","Command line profiler metrics","l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum","","32,768"
"0","1","add","127.0.0.1","turn(const float *, float *)","1","7","(32, 8, 1)","(32, 32, 1)","0","9.0","Command line profiler metrics","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sector","1,048,576"
CSV
END
chmod +x "$out/bin/ncu"
expect 0 'turn  *32768  *32 ' env PATH="$out/bin:$PATH" tools/counters.sh true
rm "$out/bin/ncu"
command -v ncu >/dev/null 2>&1 || expect 2 'ncu is not installed' tools/counters.sh true

# cucc where it may not write beside itself (here a file is in the way): a cache of the user's, or one line
if [ "$device" = cpu ]; then
    mkdir "$out/installed here"
    cp -rp cpudevice "$out/installed here/" && : >"$out/installed here/build"
    echo '#include <cstdio>
__global__ void k() { printf("it runs"); }
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }' >"$out/hello.cu"
    expect 1 'CUCC_BUILD' env -u HOME -u XDG_CACHE_HOME "$out/installed here/cpudevice/cucc" -o "$out/hello" "$out/hello.cu"
    XDG_CACHE_HOME="$out/cache" "$out/installed here/cpudevice/cucc" -o "$out/hello" "$out/hello.cu"
    expect 0 'it runs' "$out/hello"
fi

# the CSV holds what the table says, with its provenance
$lab --size 1000 --rung 3 --csv "$out/x.csv" >/dev/null
if grep -q '^# device: ' "$out/x.csv" && grep -q '^# date: 20' "$out/x.csv" && grep -q '^# command: ./run add ' "$out/x.csv" &&
    awk -F, '/^lab,/ {n = NF} /^add,3,/ {ok = NF == n && $8 > 0 && $16 == "ok"} END {exit !ok}' "$out/x.csv"; then
    passed=$((passed + 1))
else
    echo "FAILED: the CSV is not as it should be"; cat "$out/x.csv"
    failed=$((failed + 1))
fi
# and its command can be typed as it stands
$lab --size '8 16' --rung 3 --csv "$out/x.csv" >/dev/null
if grep -q "^# command: ./run add --size '8 16' --rung 3 --csv FILE$" "$out/x.csv"; then
    passed=$((passed + 1))
else
    echo "FAILED: the CSV's command"; head -4 "$out/x.csv"
    failed=$((failed + 1))
fi
# no progress line where there is no terminal
if $lab --size 1000 2>&1 >/dev/null | grep -q .; then echo "FAILED: something on stderr"; failed=$((failed + 1)); else passed=$((passed + 1)); fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
