# shellcheck shell=sh
# functions.sh (make check does not run this): nvcc4jupyter, which is not here. NVCC4JUPYTER names its wheel or a folder that has
# it; without that, the one that python3 imports is taken, or the wheel from PyPI.
find_nvcc4jupyter() {
    python3 -c 'import IPython' 2>/dev/null || { echo "the package: IPython is not here"; return 1; }
    [ -n "${NVCC4JUPYTER-}" ] || python3 -c 'import nvcc4jupyter' 2>/dev/null ||
        python3 -m pip --quiet --disable-pip-version-check --timeout 15 --retries 0 download --no-deps -d "$work" nvcc4jupyter==1.2.2 2>/dev/null ||
        { echo "the package: nvcc4jupyter is not here, nor can pip download it (NVCC4JUPYTER=its wheel)"; return 1; }
    $cucc --build
}

# The case with our nvcc and ncu, in a shell of IPython that leaves nothing in the user's folder.
in_ipython() { # NAME
    IPYTHONDIR=$work/ipython NVCC4JUPYTER_NO_SETUP=1 PATH=$PWD/cpudevice/toolkit/bin:$PATH \
        PYTHONPATH=${NVCC4JUPYTER:-$(echo "$work"/*.whl)} TMPDIR=$work python3 "$case" "$1"
}
