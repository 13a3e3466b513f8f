# functions.sh (make check does not run this): tests of regions that run without callbacks, for the cases here.
# shellcheck shell=sh

checked() { # WHAT 0|1: runs the kernel, with callbacks alone or in bulk too; sets $regions
    rm -f "$work/$1.json"
    CUDA_CPU_WORKERS=1 CUDA_CPU_BULK=$2 CUDA_CPU_SHADOW=1 CUDA_CPU_REPORT=$work/$1.json "$exe" "$1" >"$work/$1.out" 2>"$work/$1.err" || :
    regions=$(sed -n 's/.* \([0-9]*\) regions ran without callbacks/\1/p' "$work/$1.err")
}
# Of several blocks that read a word any may be named.
findings() { grep '"tool"' "$work/$1.json" | sed 's/"other": {"block": \[[0-9]*/"other": {"block": [?/'; }

finds() { # WHAT TOOL REGIONS: the finding is the one that callbacks alone make, at the line "// WHAT"; so many regions ran without
    checked "$1" 0
    findings "$1" >"$work/want"
    checked "$1" 1
    findings "$1" | diff "$work/want" - || { echo "another finding than with callbacks"; return 1; }
    line=$(grep -n "// $1" "$case" | head -n 1 | cut -d: -f1)
    grep "\"tool\": \"$2\"" "$work/want" | grep -q "\"line\": $line," || { echo "not found at line $line"; cat "$work/want"; return 1; }
    [ "$regions" -ge "$3" ] || { echo "$regions regions ran without callbacks"; return 1; }
}

right() { # WHAT REGIONS: no finding, the result of the program without --check, and so many regions ran without callbacks
    [ -e "$work/plain" ] || build_kept "$work/plain" "$case" ''
    checked "$1" 1
    grep -q ': 0 errors' "$work/$1.err" || { echo "a false finding"; cat "$work/$1.err"; return 1; }
    "$work/plain" "$1" | diff "$work/$1.out" - || { echo "a wrong result"; return 1; }
    [ "$regions" -ge "$2" ] || { echo "$regions regions ran without callbacks"; return 1; }
}

counts_alike() { # WHAT: the counters are the same
    for bulk in 0 1; do
        CUDA_CPU_WORKERS=1 CUDA_CPU_BULK=$bulk CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$work/$bulk.csv "$exe" "$1"
    done
    cmp "$work/0.csv" "$work/1.csv"
}
