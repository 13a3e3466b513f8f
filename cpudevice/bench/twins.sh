#!/bin/sh
# Other people's programs that exist for CUDA and for OpenMP: the CUDA one by cucc against the OpenMP one by gcc -O3
# -march=native, with the same input, two threads each, in turn. Prints CSV: medians of the processor time in seconds (a
# machine may have other work), and their ratio; OpenMP's threads wait without spinning. PolyBench prints the time of its
# kernels, which is taken (in float, as its CUDA programs are); of the others it is the whole program's.
#
# usage: cpudevice/bench/twins.sh [-n RUNS] [-o DIR] POLYBENCHGPU PRK RODINIA [PATTERN]     (checkouts; DIR: programs and logs)
export LC_ALL=C OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive CUDA_CPU_WORKERS=2
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
cucc=$root/cpudevice/cucc out=$root/build/cpu/twins runs=3
while getopts n:o: option; do
    case $option in
    n) runs=$OPTARG ;;
    o) out=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# -lt 3 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
poly=$(cd "$1" && pwd) prk=$(cd "$2" && pwd) rodinia=$(cd "$3" && pwd) pattern=${4-}
mkdir -p "$out"
out=$(cd "$out" && pwd)
gcc="-O3 -march=native -fopenmp -w"

# Runs a program in DIR and prints the processor time in seconds: of all of it, user and system; or, as "first", the first
# line that is nothing but a number (PolyBench's clock is replaced by the processor time of the process).
seconds() { # how directory program arguments...
    how=$1 directory=$2
    shift 2
    (
        cd "$directory" || exit 1
        if [ "$how" = first ]; then export LD_PRELOAD="$out/clock.so"; fi
        timeout 120 "$@" >"$out/log" 2>&1 </dev/null || exit 1
        unset LD_PRELOAD
        times >"$out/times"
    ) || { echo failed; return; }
    if [ "$how" = first ]; then
        grep -m1 -xE '[0-9.]+' "$out/log" || echo failed
    else
        tail -1 "$out/times" | tr ms "  " | awk '{ printf "%.3f\n", $1 * 60 + $2 + $3 * 60 + $4 }'
    fi
}
gcc -shared -fPIC -O1 -x c -o "$out/clock.so" - <<'END'
#include <sys/time.h>
#include <time.h>
int gettimeofday(struct timeval *t, void *zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}
END

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# name | how | directory and arguments of the CUDA program | of the OpenMP program
compare() {
    : >"$out/$1.cuda.s"
    : >"$out/$1.openmp.s"
    for run in $(seq "$runs"); do
        # shellcheck disable=SC2086 # some arguments
        seconds "$2" "$out" "$out/$1.cuda" $3 >>"$out/$1.cuda.s"
        # shellcheck disable=SC2086
        seconds "$2" "$out" "$out/$1.openmp" $4 >>"$out/$1.openmp.s"
    done
    if grep -q failed "$out/$1.cuda.s" "$out/$1.openmp.s"; then
        echo "$1,,,failed" >&2
        return
    fi
    echo "$1,$5,$(median <"$out/$1.cuda.s"),$(median <"$out/$1.openmp.s")" | awk -F, '{ printf "%s,%s,%.3f,%.3f,%.2f\n", $1, $2, $3, $4, $3 / $4 }'
}

built() { # name directory compiler options and files...
    wanted=$1 directory=$2
    shift 2
    (cd "$directory" && "$@" -o "$out/$wanted") >"$out/$wanted.build" 2>&1 || { echo "$wanted does not build" >&2; return 1; }
}

polybench() { # CUDA program, OpenMP program, sizes
    name=$(basename "$1" .cu)
    case polybench-$name in *"$pattern"*) ;; *) return ;; esac
    sizes=$(printf -- '-D%s ' $3)
    # shellcheck disable=SC2086
    built "polybench-$name.cuda" "$poly/CUDA/$(dirname "$1")" "$cucc" -O3 -w -DN $sizes "$(basename "$1")" &&
        built "polybench-$name.openmp" "$poly/OpenMP/$2" gcc $gcc -DDATA_TYPE=float '-DDATA_PRINTF_MODIFIER="%f "' \
            -DPOLYBENCH_TIME $sizes "-I$poly/OpenMP/utilities" "$(basename "$2").c" "$poly/OpenMP/utilities/polybench.c" -lm &&
        compare "polybench-$name" first "" "" "$3"
}

kernels() { # name arguments
    case prk-$1 in *"$pattern"*) ;; *) return ;; esac
    # shellcheck disable=SC2086
    built "prk-$1.cuda" "$prk/Cxx11" "$cucc" -O3 -std=c++20 --extended-lambda -w "-DPRKVERSION=\"2020\"" "$1-cuda.cu" &&
        built "prk-$1.openmp" "$prk/Cxx11" g++ $gcc -std=c++20 "-DPRKVERSION=\"2020\"" "$1-openmp.cc" &&
        compare "prk-$1" all "$2" "$2" "$2"
}

suite() { # name, CUDA files, OpenMP files, CUDA arguments, OpenMP arguments, options
    case rodinia-$1 in *"$pattern"*) ;; *) return ;; esac
    # shellcheck disable=SC2086
    built "rodinia-$1.cuda" "$rodinia/cuda/$2" "$cucc" -O3 -w $6 $3 -lm &&
        built "rodinia-$1.openmp" "$rodinia/openmp/$2" ${8:-g++} $gcc $4 -lm &&
        compare "rodinia-$1" all "$5" "$7" "$5"
}

echo "program,size,cucc_s,openmp_s,ratio"
polybench 2MM/2mm.cu linear-algebra/kernels/2mm "NI=768 NJ=768 NK=768 NL=768"
polybench GEMM/gemm.cu linear-algebra/kernels/gemm "NI=1000 NJ=1000 NK=1000"
polybench ATAX/atax.cu linear-algebra/kernels/atax "NX=4000 NY=4000"
polybench MVT/mvt.cu linear-algebra/kernels/mvt "N=4000"
polybench SYRK/syrk.cu linear-algebra/kernels/syrk "NI=800 NJ=800"
polybench COVAR/covariance.cu datamining/covariance "M=800 N=800"
polybench 2DCONV/2DConvolution.cu stencils/convolution-2d "NI=8000 NJ=8000"
polybench 3MM/3mm.cu linear-algebra/kernels/3mm "NI=600 NJ=600 NK=600 NL=600 NM=600"
polybench CORR/correlation.cu datamining/correlation "M=800 N=800"
polybench SYR2K/syr2k.cu linear-algebra/kernels/syr2k "NI=600 NJ=600"
polybench GRAMSCHM/gramschmidt.cu linear-algebra/solvers/gramschmidt "NI=512 NJ=512"
kernels nstream "40 10000000"
kernels stencil "20 2000"
kernels transpose "10 4000"
suite lud lud "cuda/lud.cu cuda/lud_kernel.cu common/common.c -Icommon" "omp/lud.c omp/lud_omp.c common/common.c -Icommon" \
    "-s 2048" "" "-n 2 -s 2048" gcc
suite nw nw needle.cu needle.cpp "8192 10" "" "8192 10 2"
suite pathfinder pathfinder pathfinder.cu pathfinder.cpp "200000 200 20" "" "200000 200"
suite lavaMD lavaMD "main.c kernel/kernel_gpu_cuda_wrapper.cu util/timer/timer.c util/num/num.c util/device/device.cu" \
    "main.c kernel/kernel_cpu.c util/timer/timer.c util/num/num.c" "-boxes1d 10" "" "-cores 2 -boxes1d 10" gcc
suite particlefilter particlefilter ex_particle_CUDA_float_seq.cu ex_particle_OPENMP_seq.c "-x 128 -y 128 -z 10 -np 100000" "" \
    "-x 128 -y 128 -z 10 -np 100000" gcc
suite backprop backprop "backprop_cuda.cu backprop.c facetrain.c imagenet.c" "backprop_kernel.c backprop.c facetrain.c imagenet.c" \
    "524288" "" "524288" gcc
