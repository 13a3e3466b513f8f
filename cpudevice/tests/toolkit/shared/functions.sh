# shellcheck shell=sh
# functions.sh (make check does not run this): for the cases here.
lib64=$PWD/cpudevice/toolkit/lib64

with_driver() { LD_LIBRARY_PATH=$lib64 "$@"; } # COMMAND

# NUMBA_PYTHON names a python3 that has numba and numba-cuda.
find_numba() {
    "${NUMBA_PYTHON:-python3}" -c 'import numba, numba_cuda' 2>/dev/null || { echo "numba: numba-cuda is not here (NUMBA_PYTHON=a python3 that has it)"; return 1; }
    $cucc --build-toolkit
}
