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
. tools/setup/say.sh
env=build/python
wanted=tools/python/requirements.txt
die() { echo "$(say "python: " "python：")$*" >&2; exit 2; }

which_python() {
    if [ -e $env/made ]; then
        echo "$PWD/$env/bin/python"
    elif python3 -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("torch"))' 2>/dev/null; then
        command -v python3
    else
        die "$(say "PyTorch is not installed; 'make python' installs it (about 3 GB), or install it and let python3 find it" \
            "没有 PyTorch；用 make python 安装（约 3 GB），或者自行安装，让 python3 能找到它")"
    fi
}

make_environment() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null 2>&1 || die "$(say "there is no $python: " "没有 $python：")sudo apt-get install python3 python3-venv python3-dev"
    cmp -s $wanted $env/made && return
    "$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 14))' ||
        die "$("$python" --version)$(say " does not work: PyTorch's wheels are for Python 3.10 to 3.14 (PYTHON=python3.12 names another)" \
            " 不行：PyTorch 的 wheel 用于 Python 3.10 到 3.14（PYTHON=python3.12 指定另一个）")"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || die "$(say "no venv here: " "没有 venv：")sudo apt-get install python3-venv"
    "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
        die "$(say "no Python.h here, which extensions are compiled with: " "没有 Python.h，编译扩展要用它：")sudo apt-get install python3-dev"
    free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1048576) }')
    [ "$free" -ge 8 ] || die "$(say "$free GB are free here; the environment takes 6, and pip 2 more while it works" \
        "这里的空闲空间为 $free GB；环境需要 6 GB，pip 运行时另需 2 GB")"
    rm -rf $env
    "$python" -m venv $env || exit 2
    echo "$(say "installing PyTorch, Triton and NumPy into $env ..." "正在把 PyTorch、Triton 和 NumPy 装进 $env……")"
    $env/bin/python -m pip --disable-pip-version-check install --quiet --no-cache-dir --only-binary=:all: --timeout 30 --retries 2 \
        ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} -r $wanted || { rm -rf $env; die "$(say "the packages cannot be installed (no network, or no wheels for this machine); everything else works without them" \
            "得不到这些软件包（没有网络，或者没有用于这台机器的 wheel）；其余的一切不需要它们")"; }
    cp $wanted $env/made
}

case ${1-} in
make) make_environment ;;
which) which_python ;;
*.py)
    python=$(which_python) || exit 2
    PYTHONPATH=$PWD/tools/python${PYTHONPATH:+:$PYTHONPATH} exec "$python" "$@"
    ;;
*) die "$(say "usage: python.sh make | which | FILE.py [options]" "用法：python.sh make | which | FILE.py [选项]")" ;;
esac
