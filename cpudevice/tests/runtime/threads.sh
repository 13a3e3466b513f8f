#!/bin/sh
# threads.sh: several host threads use the runtime. A runtime and a program that gcc's ThreadSanitizer watches
# (threads/host_threads.cu) have no data race but those of threads/suppressions, and what a first call starts has started
# when it returns, for every thread.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP threads: for the CPU device"; exit 0; }
. cpudevice/tests/harness/result.sh

cc=${CUCC_CC:-gcc} cxx=${CUCC_CXX:-g++}
"$cc" -shared -fPIC -o "$work/late_profiler.so" cpudevice/tests/runtime/threads/late_profiler.c &&
    cpudevice/cucc -rdynamic -o "$work/late_profiler" cpudevice/tests/runtime/threads/late_profiler.cu >"$work/log" 2>&1 &&
    CUDA_CPU_INJECTION=$work/late_profiler.so "$work/late_profiler" >"$work/log" 2>&1
result $? "a second thread's first call waits for the profiler that the first one's loads"

echo 'int main(void) { return 0; }' >"$work/empty.c"
if ! "$cc" -fsanitize=thread -o "$work/empty" "$work/empty.c" 2>"$work/log" || ! "$work/empty" 2>"$work/log"; then
    echo "ok # SKIP a program of three host threads: no ThreadSanitizer here"
    exit $failed
fi
mkdir -p build/tsan
# cucc-compile has one thread, and would take ten times as long. Without optimisation all is compiled in half the time, and no access
# is left out.
cat >build/tsan/cc <<END
#!/bin/sh
case "\$*" in *cpudevice/compiler* | *cucc-compile*) exec $cc "\$@" -O0 ;; *) exec $cc "\$@" -O0 -g1 -fsanitize=thread ;; esac
END
chmod +x build/tsan/cc
CUCC_BUILD=$PWD/build/tsan CUCC_CC=$PWD/build/tsan/cc CUCC_CXX="$cxx -fsanitize=thread" \
    cpudevice/cucc -O1 -g -o "$work/host_threads" cpudevice/tests/runtime/threads/host_threads.cu -lcublas -lcufft >"$work/log" 2>&1
result $? "the runtime is built with ThreadSanitizer"
for run in 1 2 3; do # what happens at the same time differs from run to run
    CUDA_CPU_WORKERS=3 TSAN_OPTIONS="suppressions=$PWD/cpudevice/tests/runtime/threads/suppressions history_size=7" \
        "$work/host_threads" >"$work/log" 2>&1
    status=$?
    grep '^SUMMARY' "$work/log" | sort | uniq -c
    result $status "three host threads, run $run: no data race"
done
exit $failed
