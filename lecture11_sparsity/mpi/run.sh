#!/bin/sh
# run.sh [RANKS] [FOLDER]: builds ranks.cu in FOLDER (build/mpi) and runs it with RANKS processes (2): with nvcc where there
# is a GPU, else with the CPU device's compiler. It takes an MPI: on Debian, apt-get install openmpi-bin libopenmpi-dev.
set -eu
cd "$(dirname "$0")/../.."
ranks=${1:-2} folder=${2:-build/mpi}
command -v mpirun >/dev/null && command -v mpicc >/dev/null || {
    echo "run.sh: there is no MPI here (on Debian: apt-get install openmpi-bin libopenmpi-dev)" >&2
    exit 2
}
mkdir -p "$folder"
# shellcheck disable=SC2046 # several flags each
if command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1; then
    nvcc -O3 -arch=native $(mpicc --showme:incdirs | sed 's/\([^ ]*\)/-I\1/g') lecture11_sparsity/mpi/ranks.cu -o "$folder/ranks" \
        $(mpicc --showme:libdirs | sed 's/\([^ ]*\)/-L\1/g') $(mpicc --showme:libs | sed 's/\([^ ]*\)/-l\1/g')
else
    cpudevice/cucc -O3 $(mpicc --showme:compile) lecture11_sparsity/mpi/ranks.cu -o "$folder/ranks" $(mpicc --showme:link)
fi
# A container's root may start it, and there may be more ranks than cores. Blocks of several processes share the cores.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 exec mpirun --oversubscribe -n "$ranks" "$folder/ranks"
