#!/bin/sh
# gpus.sh DEVICE [CASE [PART]]: lecture 11's labs of several GPUs, on 2, 3, 4 and 8 devices of the CPU device; and one process per
# rank under mpirun. CASE: allreduce, tensor_parallel, data_parallel, checked (under --check, on 2 devices; on 2, 3, 4 and 8
# with CHECK_ALL=1), mpi. PART: of a lab's case one alone: 2, 3, 4 or 8 (devices), nccl, sizes, options.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
if [ "${1:-cpu}" != cpu ]; then
    echo "ok # SKIP several devices: for the CPU device"
    exit 0
fi
. cpudevice/tests/harness/is.sh

wanted() { [ "${part:-$1}" = "$1" ]; }
part=${3-}
for lab in allreduce tensor_parallel data_parallel; do
    case ${2:-$lab} in "$lab") ;; *) continue ;; esac
    program=build/cpu/lecture11_sparsity/$lab
    make -s DEVICE=cpu "$program" >"$out/made" 2>&1 || { cat "$out/made"; echo "not ok $lab does not build"; continue; }
    for gpus in 2 3 4 8; do
        ! wanted $gpus || is 0 "$gpus GPUs.*\(is right on every\|are those of one GPU\)" "$lab on $gpus devices" \
            env CUDA_CPU_DEVICES=$gpus $program --verify --small
    done
    ! wanted nccl || is 0 'NCCL (CPU device) .*' "$lab: NCCL's row is the CPU device's" \
        env CUDA_CPU_DEVICES=2 $program --small --runs 3
    ! wanted sizes || [ $lab != allreduce ] || is 0 '2 GPUs: every rung is right' "$lab: blocks of all sizes" env CUDA_CPU_DEVICES=2 $program --verify
    wanted options || continue
    is 2 'there are 2' "$lab: more GPUs than there are" env CUDA_CPU_DEVICES=2 $program --gpus 3
    is 2 'is a number from 1 to' "$lab: no number of GPUs" $program --gpus none
done

case ${2:-checked} in checked)
    for lab in allreduce tensor_parallel data_parallel; do
        program=build/check/lecture11_sparsity/$lab
        make -s DEVICE=cpu "$program" >"$out/made" 2>&1 || { cat "$out/made"; echo "not ok $lab does not build"; continue; }
        for gpus in 2 ${CHECK_ALL:+3 4 8}; do
            is 0 'cucc --check: 0 errors' "$lab under --check on $gpus devices" \
                env CUDA_CPU_DEVICES=$gpus $program --verify --small
        done
    done
    ;;
esac

case ${2:-mpi} in mpi)
    if command -v mpirun >/dev/null && command -v mpicc >/dev/null; then
        for ranks in 1 2 4; do
            is 0 "$ranks ranks, .*: right on every rank" "$ranks processes under mpirun" \
                env PATH="$(dirname "$(command -v mpirun)"):/usr/bin:/bin" sh lecture11_sparsity/mpi/run.sh "$ranks" "$out/mpi"
        done
    else
        echo "ok # SKIP one process per rank: no MPI here (Debian: openmpi-bin, libopenmpi-dev)"
    fi
    ;;
esac
