#!/bin/sh
# profiler_perfetto.sh [cpu|cuda]: Perfetto's own trace_processor reads the traces and finds in them what was done: slices,
# arrows from each launch to its kernel, names of processes and threads, times. Needs trace_processor_shell, or node and the
# engine of Perfetto's user interface (PERFETTO_UI: tests/profiler/helpers/trace_processor.js).
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
device=${1:-cpu}
if command -v trace_processor_shell >/dev/null 2>&1; then
    engine=trace_processor_shell
elif [ -n "${PERFETTO_UI-}" ] && command -v node >/dev/null 2>&1; then
    engine="node tests/profiler/helpers/trace_processor.js"
else
    echo "ok # SKIP Perfetto reads the traces: neither trace_processor_shell nor PERFETTO_UI is here"
    exit 0
fi
dir=$(mktemp -d) failed=0
trap 'rm -rf "$dir"' EXIT

if [ "$device" = cuda ]; then compiler="${NVCC:-nvcc}"; else compiler=cpudevice/cucc; fi
make -s --no-print-directory DEVICE="$device" "build/$device/libcourse.a" &&
    $compiler -o "$dir/program" -Icommon tests/profiler/helpers/perfetto.cu "build/$device/libcourse.a" -Xcompiler -fopenmp -ldl -lpthread \
        >"$dir/build.log" 2>&1 || { cat "$dir/build.log"; echo "not ok"; exit 1; }

# What both ways to profile must show: perfetto.facts, whose numbers *N are for one run of the program.
work_of() { # RUNS
    awk -v runs="$1" '{ while (match($0, /\*[0-9]+/))
        $0 = substr($0, 1, RSTART - 1) runs * substr($0, RSTART + 1, RLENGTH - 1) substr($0, RSTART + RLENGTH); print }' \
        tests/profiler/helpers/perfetto.facts
}
# The engine prints a header and words of its own beside the one column.
compare() { # LABEL TRACE, expected facts on standard input; asks perfetto.sql and more.sql
    cat >"$dir/expected"
    cat tests/profiler/helpers/perfetto.sql "$dir/more.sql" >"$dir/query.sql"
    $engine -q "$dir/query.sql" "$2" 2>"$dir/log" | sed -n 's/^"\(.*: .*\)"$/\1/p' >"$dir/got"
    if diff "$dir/expected" "$dir/got" >"$dir/diff"; then
        echo "ok"
    else
        failed=1 && echo "not ok"
        echo "FAILED: $1 (< expected, > got)"
        cat "$dir/diff" "$dir/log"
    fi
}

# ---- a program's own trace, with its ranges
cat >"$dir/more.sql" <<'SQL'
union all select * from (select 'ranges: ' || name || ' ' || depth || ' ' || count(*) from slice
    where name in ('outer', 'inner', 'a "second" thread') group by name, depth order by depth, name)
union all select * from (select 'in a range: ' || p.name || ' > ' || s.name || ' ' || count(*)
    from slice s join slice p on s.parent_id = p.id
    where p.name in ('inner', 'a "second" thread') group by p.name, s.name order by p.name)
SQL
"$dir/program" "$dir/own.json"
compare "the program's own trace" "$dir/own.json" <<END
$(work_of 1)
ranges: a "second" thread 0 50
ranges: outer 0 1
ranges: inner 1 1
in a range: a "second" thread > cudaLaunchKernel 50
in a range: inner > cudaLaunchKernel 123
END

# ---- cuprof's, of two processes
cat >"$dir/more.sql" <<SQL
union all select 'processes: ' || count(*) from process where name = '$dir/program'
SQL
tools/cuprof --trace "$dir/twice.json" -o /dev/null sh -c "'$dir/program'; '$dir/program'"
compare "cuprof's trace of two runs" "$dir/twice.json" <<END
$(work_of 2)
processes: 2
END

[ $failed = 0 ]
