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

cat >"$dir/program.cu" <<'END'
#include <cuda_runtime.h>
#include <pthread.h>
#include <unistd.h>
#include "profiler.h"
__global__ void work(float *x) { x[threadIdx.x] += 1; }
template <typename T> __global__ void other(T *x) { x[threadIdx.x] += 2; }
static float *x, h[64];
static void *second(void *)
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    for (int i = 0; i < 50; i++)
        profiler_record_function("a \"second\" thread")
            other<<<1, dim3(8, 4), 0, s>>>(x);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    return NULL;
}
int main(int, char **argv)
{
    pthread_t t;
    cudaMalloc(&x, 4096);
    cudaMemset(x, 0, 4096);
    if (argv[1] && profiler_start(NULL))
        return 1;
    profiler_record_function("outer")
    {
        profiler_record_function("inner")
            for (int i = 0; i < 123; i++)
                work<<<1, 32>>>(x);
        for (int i = 0; i < 4; i++)
            cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    }
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 3; i++)
        work<<<1, 32, 0, s>>>(x);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
    for (int i = 0; i < 5; i++) /* one call, three kernels, three arrows */
        cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(t, NULL);
    cudaDeviceSynchronize();
    usleep(50000);
    cudaMemset(x, 0, 4096);
    if (argv[1])
        return profiler_stop() || profiler_export_chrome_trace(argv[1]);
    return 0;
}
END
if [ "$device" = cuda ]; then compiler="${NVCC:-nvcc}"; else compiler=cpudevice/cucc; fi
make -s --no-print-directory DEVICE="$device" "build/$device/libcourse.a" &&
    $compiler -o "$dir/program" -Icommon "$dir/program.cu" "build/$device/libcourse.a" -Xcompiler -fopenmp -ldl -lpthread \
        >"$dir/build.log" 2>&1 || { cat "$dir/build.log"; echo "not ok"; exit 1; }

# What both ways to profile must show: each line is one fact, with its number for one run of the program.
cat >"$dir/work.sql" <<'SQL'
select * from (select 'refused: ' || name || ' ' || value as line from stats
    where severity in ('error', 'data_loss') and value > 0)
union all select * from (select 'slices: ' || name || ' ' || count(*) from slice
    where name in ('cudaLaunchKernel', 'cudaMemcpy', 'cudaStreamCreate') or name like 'work%' or name like '%other%'
       or name like 'Memcpy%' group by name order by name)
union all select * from (
    select 'arrows: ' || a.name || ' > ' || b.name || ' ' || count(*) || ', backwards in time ' || sum(a.ts > b.ts) ||
           ', of another number ' || sum(extract_arg(a.arg_set_id, 'args.correlation') !=
                                         extract_arg(b.arg_set_id, 'args.correlation'))
    from flow join slice a on slice_out = a.id join slice b on slice_in = b.id
    where a.name != 'cudaMemset' group by a.name, b.name order by b.name, a.name)
union all select * from (select distinct 'block: ' || extract_arg(arg_set_id, 'args.block[0]') || 'x' ||
    extract_arg(arg_set_id, 'args.block[1]') || 'x' || extract_arg(arg_set_id, 'args.block[2]')
    from slice where name like '%other%')
union all select 'kernels on streams: ' || count(distinct t.name) || ', elsewhere ' || sum(t.name not like 'stream %')
    from slice s join thread_track k on s.track_id = k.id join thread t using (utid)
    where s.name like 'work%' or s.name like '%other%'
union all select 'threads that launch: ' || count(distinct t.utid)
    from slice s join thread_track k on s.track_id = k.id join thread t using (utid)
    where s.name = 'cudaLaunchKernel' and t.name like 'thread %'
union all select 'slept between two calls: ' || (min(b.ts - (a.ts + a.dur)) >= 50000000 and max(b.ts - (a.ts + a.dur)) < 5000000000)
    from slice a join slice b on b.name = 'cudaMemset' and b.track_id = a.track_id
     and b.ts = (select min(ts) from slice c where c.name = b.name and c.track_id = a.track_id and c.ts > a.ts)
    where a.name = 'cudaDeviceSynchronize'
SQL
work_of() { # RUNS
    cat <<END
slices: Memcpy DtoH $((4 * $1))
slices: cudaLaunchKernel $((176 * $1))
slices: cudaMemcpy $((4 * $1))
slices: cudaStreamCreate $((2 * $1))
slices: void other<float>(float*) $((50 * $1))
slices: work(float*) $((138 * $1))
arrows: cudaMemcpy > Memcpy DtoH $((4 * $1)), backwards in time 0, of another number 0
arrows: cudaLaunchKernel > void other<float>(float*) $((50 * $1)), backwards in time 0, of another number 0
arrows: cudaGraphLaunch > work(float*) $((15 * $1)), backwards in time 0, of another number 0
arrows: cudaLaunchKernel > work(float*) $((123 * $1)), backwards in time 0, of another number 0
block: 8x4x1
kernels on streams: 3, elsewhere 0
threads that launch: $((2 * $1))
slept between two calls: 1
END
}
# The engine prints a header and words of its own beside the one column.
compare() { # LABEL TRACE, expected facts on standard input; asks work.sql and more.sql
    cat >"$dir/expected"
    cat "$dir/work.sql" "$dir/more.sql" >"$dir/query.sql"
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
