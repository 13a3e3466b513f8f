#!/bin/sh
# python.sh: the Python of the lessons in PyTorch and Triton.
#   python.sh make           makes the environment build/python out of tools/python/requirements.txt (make python)
#   python.sh which          prints the interpreter that lessons run with, or says why there is none; exit status 2
#   python.sh FILE ...       runs a lesson with it
# That is build/python's; else a python3 on the PATH that has PyTorch. TORCH_INDEX=URL asks that package index too,
# for PyTorch's wheels without CUDA, which are a fifth of the size: pytorch.org names it under "Get Started".
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
env=build/python
wanted=tools/python/requirements.txt
die() { echo "python: $*" >&2; exit 2; }

which_python() {
    if [ -e $env/made ]; then
        echo "$PWD/$env/bin/python"
    elif python3 -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("torch"))' 2>/dev/null; then
        command -v python3
    else
        die "PyTorch is not here; 'make python' gets it (about 3 GB), or install it and let python3 find it"
    fi
}

make_environment() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null 2>&1 || die "there is no $python: sudo apt-get install python3 python3-venv python3-dev"
    cmp -s $wanted $env/made && return
    "$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 14))' ||
        die "$("$python" --version) will not do: PyTorch's wheels are for Python 3.10 to 3.14 (PYTHON=python3.12 names another)"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || die "no venv here: sudo apt-get install python3-venv"
    "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
        die "no Python.h here, which extensions are compiled with: sudo apt-get install python3-dev"
    free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1048576) }')
    [ "$free" -ge 8 ] || die "$free GB are free here; the environment takes 6, and pip 2 more while it works"
    rm -rf $env
    "$python" -m venv $env || exit 2
    echo "installing PyTorch, Triton and NumPy into $env ..."
    $env/bin/python -m pip --disable-pip-version-check install --quiet --no-cache-dir --only-binary=:all: --timeout 30 --retries 2 \
        ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} -r $wanted || { rm -rf $env; die "the packages cannot be had (no network, or no wheels for this machine); everything else works without them"; }
    cp $wanted $env/made
}

case ${1-} in
make) make_environment ;;
which) which_python ;;
*.py)
    python=$(which_python) || exit 2
    PYTHONPATH=$PWD/tools/python${PYTHONPATH:+:$PYTHONPATH} exec "$python" "$@"
    ;;
*) die "usage: python.sh make | which | FILE.py [options]" ;;
esac
