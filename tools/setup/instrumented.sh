#!/bin/sh
# instrumented.sh sanitize|coverage [TEST ...]: our own C, built with gcc's sanitizers or counted line by line, under its tests in C: the
# compiler, cucc's driver, the course's tools, grading and common/. Not the runtime and the checker, whose fibers and own
# instrumentation neither of them knows, nor what nvcc has compiled. The tree is one of links, build/sanitize or build/coverage, with a build/ of its own.
#   sanitize   AddressSanitizer and UndefinedBehaviorSanitizer; a finding ends the program, so that its test fails
#   coverage   a table by folder, and build/coverage.html, by gcovr
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
mode=${1-}
case $mode in
sanitize) flags='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer' link='-Xcompiler -fsanitize=address -Xcompiler -fsanitize=undefined' ;;
coverage)
    flags='--coverage -fprofile-update=atomic' link=-lgcov
    command -v gcovr >/dev/null || { echo 'coverage: gcovr is not installed (pip install gcovr)'; exit 77; }
    ;;
*) echo 'usage: instrumented.sh sanitize|coverage [TEST ...]' >&2; exit 2 ;;
esac
[ $# -gt 1 ] && shift && tests=$* || tests='cpudevice/tests/compiler/compiler_test cpudevice/tests/compiler/driver cpudevice/tests/random/random_kernels_test
    tests/course/common_test tests/course/limits tests/course/time_limits tests/course/exercises tests/course/sparsity_formats
    tests/grading/grading tests/grading/grading_answer tests/notes/notes_pictures tests/profiler/profiler_core tests/profiler/profiler_page'

tree=$(O='' tools/setup/mirror.sh "$PWD/build/$mode") || exit 2
mkdir -p "$tree/build/bin"
for name in cc gcc; do
    cat >"$tree/build/bin/$name" <<END
#!/bin/sh
export PATH='$PATH' # where gcc is ccache, it looks for the next of its name
case "\$*" in
*cpudevice/compiler/* | *cpudevice/driver/* | *cucc-compile*) ;;
*tmpxft_* | *-nostdlib* | *cpudevice/runtime/* | *cpudevice/checker/* | *cpudevice/libraries/* | *cpudevice/shared/* | *cpudevice/viewer/* | *libcudacpu*) exec $(command -v gcc) "\$@" ;;
esac
exec $(command -v gcc) "\$@" $flags
END
    chmod +x "$tree/build/bin/$name"
done
home=$PWD
cd "$tree" || exit 2
# A driver frees nothing, and a test's child that fails on purpose leaves what it had: leaks are not looked for.
export PATH="$tree/build/bin:$PATH" CUCC_CC=gcc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
export RANDOM_KERNELS_SEED=1 RANDOM_KERNELS_SECONDS=10
failed=0
for test in $tests; do
    if make -s -j "$(nproc)" DEVICE=cpu CULINK="cpudevice/cucc -fopenmp $link" "build/cpu/$test" >build/log 2>&1 &&
        "build/cpu/$test" >>build/log 2>&1; then
        echo "ok - $mode: $test"
    else
        grep -E 'runtime error|ERROR: |:[FE]:|error' build/log | head -5
        cp build/log "build/log.$(basename "$test")"
        echo "not ok - $mode: $test (build/$mode/build/log.$(basename "$test"))"
        failed=1
    fi
done
if [ "$mode" = coverage ]; then
    # The sources are links to the checkout; of what cucc builds in a folder that it then renames, the notes are gone.
    gcovr --root "$home" --filter "$home/(cpudevice/(compiler|driver)|common|tools/(course|grading))/" --gcov-ignore-parse-errors \
        --exclude-directories '.*/lib[.][^/]*$' --html build/coverage.html --txt-summary build
fi
exit $failed
