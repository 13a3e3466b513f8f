#!/bin/sh
# lint.sh [format|shell|c] [FILE ...]: what make lint looks at. Without FILEs, at all that is ours; without a word, at all three.
#   format   every C and CUDA file is as clang-format 14 writes it
#   shell    shellcheck has nothing to say of the scripts
#   c        nor has cppcheck of our C. What it is wrong about is suppressed where it stands, with the reason.
# A program that is not installed is named and left out; exit status 1 where anything is found.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
what=${1:-all}
[ $# = 0 ] || shift
failed=0
has() { command -v "$1" >/dev/null || { echo "lint: $1 is not installed: left out"; return 1; }; }

# The folders whose files are as clang-format says, and stay so; of FILEs those that are in one.
formatted() {
    git ls-files 'cpudevice/*.[ch]' 'cpudevice/bench/*.cu' 'common/*.[ch]' 'tools/*.[ch]' 'tests/*.[ch]' |
        grep -v -e /mutants/ -e ^cpudevice/tests/ptx/ -e ^cpudevice/tests/mistakes/ | # (tables of cases, a line each)
        if [ $# = 0 ]; then cat; else grep -Fx "$(printf '%s\n' "$@")"; fi
}
# shellcheck disable=SC2120 # with FILEs from "$@" below
format() {
    has clang-format-14 || return 0
    formatted "$@" | xargs -r clang-format-14 --dry-run -Werror || failed=1
}

shell() {
    has shellcheck || return 0
    [ $# -gt 0 ] || set -- run cpudevice/cucc tools/cuprof tools/grade .ci/run $(git ls-files '*.sh')

    shellcheck -S warning "$@" || failed=1
}

c() {
    has cppcheck || return 0
    mkdir -p build/cppcheck
    # Device memory has no type of its own (invalidPointerCast); page.c is made of pieces that the build writes; which
    # of a function's callers may pass NULL is not known from the types (ctunullpointer).
    set -- --quiet --inline-suppr --error-exitcode=1 --std=c11 --enable=warning,portability --suppress=missingIncludeSystem \
        --suppress=invalidPointerCast --suppress=ctunullpointer --suppress=internalAstError:cpudevice/viewer/page.c --cppcheck-build-dir=build/cppcheck \
        -j "$(nproc)" -DLAB_CPU '-DElfW(x)=Elf64_##x' -Icpudevice/include
    cppcheck "$@" -Icpudevice/compiler cpudevice/compiler/*.c cpudevice/compiler/*/*.c cpudevice/driver/*.c || failed=1
    for part in runtime checker libraries; do
        cppcheck "$@" -Icpudevice/$part -Icpudevice/runtime cpudevice/$part/*/*.c || failed=1
    done
    cppcheck "$@" -Icpudevice/checker -Icpudevice/runtime -Icpudevice/viewer cpudevice/viewer/*.c || failed=1
    cppcheck "$@" -Icommon common/*/*.c tools/*/*.c tests/lab/*.c || failed=1
}

case $what in
format | shell | c) "$what" "$@" ;;
all) format && shell && c ;;
*) echo "usage: lint.sh [format|shell|c] [FILE ...]" >&2; exit 2 ;;
esac
exit $failed
