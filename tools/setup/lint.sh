#!/bin/sh
# lint.sh [format|shell|c|python|analyze] [FILE ...]: what make lint looks at. Without FILEs, at all that is ours; without a
# word, at all of it.
#   format   every C and CUDA file is as clang-format 14 writes it
#   shell    shellcheck has nothing to say of the scripts
#   python   ruff has nothing to say of the tools and tests in Python, nor of how they are formatted
#   c        nor has cppcheck of our C. What it is wrong about is suppressed where it stands, with the reason.
#   analyze  nor has gcc -fanalyzer, of memory freed twice or used after, of allocations not asked about and the like. A
#            program's end frees what it has (leaks), and of what a loader, a union or realloc fills it knows nothing.
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
    git ls-files 'cpudevice/*.[ch]' 'cpudevice/bench/*.cu' 'common/*.[ch]' 'common/*.cu' 'common/*.cuh' 'tools/*.[ch]' 'tests/*.[ch]' \
        'lecture*.cu' 'lecture*.cuh' 'lecture*.h' 'solutions/*.cu' |
        grep -v -e /mutants/ -e /exercises/ -e ^cpudevice/tests/ptx/ -e ^cpudevice/tests/mistakes/ -e ^cpudevice/tests/checker/bulk/ | # (tables of cases, a line each; exercises are made from solutions)
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

python() {
    PATH=$PATH:build/python/bin # where make python puts it
    has ruff || return 0
    [ $# -gt 0 ] || set -- $(git ls-files '*.py' | grep -v '^lecture') # (a lecture's are laid out to be read beside its notes)
    ruff check -q --no-cache --config tools/python/ruff.toml "$@" && ruff format -q --no-cache --check --config tools/python/ruff.toml "$@" || failed=1
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
    cppcheck "$@" -Icommon common/*/*.c tools/*/*.c tools/*/*/*.c tests/lab/*.c || failed=1
}

analyze() {
    [ $# -gt 0 ] || set -- $(git ls-files 'cpudevice/driver/*.c' 'cpudevice/compiler/*.c' 'cpudevice/runtime/*.c' 'cpudevice/checker/*.c' 'cpudevice/libraries/*.c')
    printf '%s\n' "$@" | xargs -P "$(nproc)" -n 8 sh -c 'for file; do
        part=$(echo "$file" | cut -d / -f 1-2)
        gcc -std=gnu11 -fanalyzer -Werror -fdiagnostics-path-format=none -Wno-analyzer-malloc-leak -Wno-analyzer-file-leak \
            -Wno-analyzer-use-of-uninitialized-value -Wno-analyzer-null-dereference -Wno-analyzer-null-argument \
            $(grep -q "define _GNU_SOURCE" "$file" || echo -D_GNU_SOURCE) -I"$part" -Icpudevice/runtime -Icpudevice/include \
            -c "$file" -o /dev/null || failed=1
    done; exit ${failed:-0}' sh || failed=1
}

case $what in
format | shell | python | c | analyze) "$what" "$@" ;;
all) format && shell && python && c && analyze ;;
*) echo "usage: lint.sh [format|shell|python|c|analyze] [FILE ...]" >&2; exit 2 ;;
esac
exit $failed
