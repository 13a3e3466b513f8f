#!/bin/sh
# compute-sanitizer's four tools on every lab, as a table: `make sanitizer DEVICE=cuda`, on a machine with a GPU.
# usage: tools/profiler/sanitizer.sh BUILD_DIR [LAB...] >results/DEVICE/sanitizer.csv
#   JOBS (8): how many run at a time; SECONDS_EACH (300): how long one may take
# Exit status 1 if a tool reported something or did not end.

export LC_ALL=C
if [ "$1" = --one ]; then # BUILD_DIR WORK LAB TOOL
    build=$2 work=$3 lab=$4 tool=$5
    row=$work/$tool.$(basename "$lab")
    shapes= option=
    case $tool,$lab in
    # Racecheck follows every byte of shared memory, and wgmma's operands are all there: a few tiles must do.
    racecheck,*/hopper | racecheck,*/hopper_sparse) shapes='128x256x64 33x40x80 130x264x272 256x512x512' ;;
    memcheck,*) grep -q cpudev_expect_errors "$lab.cu" && option='--report-api-errors no' ;; # calls that are meant to fail
    esac
    # shellcheck disable=SC2086 # $option is two words or none
    if [ -n "$shapes" ]; then set -- --size "$shapes"; else set -- --small; fi
    timeout "$SECONDS_EACH" compute-sanitizer --tool "$tool" --error-exitcode 99 $option \
        "$build/$lab" --verify --no-vendor "$@" >"$row.log" 2>&1
    status=$?
    summary=$(sed -n -e 's/^=* *\(ERROR SUMMARY.*\)/\1/p' -e 's/^=* *\(RACECHECK SUMMARY.*\)/\1/p' "$row.log" | tail -n 1 | tr ',' ';')
    [ $status = 124 ] && summary="did not end in $SECONDS_EACH s"
    echo "$lab,$tool,$*,$status,$summary" | tee "$row.csv" >&2
    case $status,$summary in
    0,*": 0 errors"* | 0,*": 0 hazards"*) ;;
    *) head -n 40 "$row.log" >&2; : >"$work/bad" ;;
    esac
    exit 0
fi

build=${1:?usage: tools/profiler/sanitizer.sh BUILD_DIR [LAB...]}
shift
command -v compute-sanitizer >/dev/null 2>&1 || { echo "compute-sanitizer is not installed" >&2; exit 2; }
[ $# -gt 0 ] || set -- $(ls lecture*/*.cu | sed 's/\.cu$//')
for lab; do
    [ -x "$build/$lab" ] || { echo "$build/$lab is not built: make labs DEVICE=cuda" >&2; exit 2; }
done
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export SECONDS_EACH="${SECONDS_EACH:-300}"
for tool in racecheck memcheck initcheck synccheck; do # the slowest first
    for lab; do echo "$build $work $lab $tool"; done
done | xargs -P "${JOBS:-8}" -n 4 "$0" --one
echo "# device: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1); compute-sanitizer $(compute-sanitizer --version | sed -n 's/^Version //p')"
echo "# date: $(date -u +%F)"
echo "# command: make sanitizer DEVICE=cuda: compute-sanitizer --tool TOOL LAB --verify --no-vendor and the table's shapes"
echo "lab,tool,shapes,status,summary"
sort "$work"/*.csv
[ ! -e "$work/bad" ]
