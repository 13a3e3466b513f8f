#!/bin/sh
# need.sh: the packages `make check` wants. need.sh check --cflags|--libs prints how to compile and link against the
# test library Check; need.sh NAME alone makes sure it is there: installs it where it may (root, or sudo without a
# password), else prints the one command to type and fails.
# CHECK_ROOT=DIR names an unpacked package (a folder with usr/include/check.h) for machines where nothing can be installed.
export LC_ALL=C
set -u
. "$(dirname "$0")/say.sh"

have_check() {
    [ -n "${CHECK_ROOT-}" ] && return 0
    printf '#include <check.h>\nint main(void){return 0;}\n' | ${CC:-gcc} -x c - -lcheck -o /dev/null >/dev/null 2>&1 ||
        printf '#include <check.h>\nint main(void){return 0;}\n' | ${CC:-gcc} -x c - -lcheck -lsubunit -lrt -lm -lpthread -o /dev/null >/dev/null 2>&1
}

install() { # packages...
    if command -v apt-get >/dev/null 2>&1; then
        command="apt-get -o Acquire::http::Timeout=15 -o Acquire::Retries=0 install -y --no-install-recommends $*"
        typed="sudo apt-get install $*"
    elif command -v dnf >/dev/null 2>&1; then
        command="dnf install -y $(echo "$*" | sed 's/check/check-devel/')"
        typed="sudo $command"
    else
        echo "$(say "need.sh: please install $* with your package manager" "need.sh：请用系统的包管理器安装 $*")" >&2
        return 1
    fi
    sudo=
    if [ "$(id -u)" != 0 ]; then
        if sudo -n true 2>/dev/null; then
            sudo=sudo
        else
            echo "$(say "the package $* is missing; install it with:  " "没有软件包 $*；安装命令：")$typed" >&2
            return 1
        fi
    fi
    echo "$(say "installing $* ..." "正在安装 $*……")" >&2
    # A fresh machine has no package lists yet.
    $sudo env DEBIAN_FRONTEND=noninteractive $command >/dev/null 2>&1 ||
        { $sudo apt-get -o Acquire::http::Timeout=15 -o Acquire::Retries=0 update >/dev/null 2>&1 && $sudo env DEBIAN_FRONTEND=noninteractive $command >/dev/null; } ||
        { echo "$(say "could not install $*; try:  " "未能安装 $*；请试试：")$typed" >&2; return 1; }
}

case "${1-} ${2-}" in
"check --cflags")
    if [ -n "${CHECK_ROOT-}" ]; then echo "-I$CHECK_ROOT/usr/include"; fi
    ;;
"check --libs")
    if [ -n "${CHECK_ROOT-}" ]; then
        dir=$(dirname "$(find "$CHECK_ROOT" -name libcheck.a | head -1)")
        echo "$dir/libcheck.a $(find "$CHECK_ROOT" -name libsubunit.a | head -1)"
    else
        subunit= # Check was built with it, or not; the compiler says no more than the name of a library that is not there
        for library in libsubunit.so libsubunit.a; do
            [ "$(${CC:-gcc} -print-file-name=$library)" = $library ] || subunit=-lsubunit
        done
        echo "-lcheck $subunit -lrt"
    fi
    ;;
"check ") have_check || install check ;;
"browser ") # Chromium, and Playwright in build/browser, for tests/viewer/view_page.sh
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || install chromium || exit 1
    for python in build/browser/bin/python python3; do
        $python -c 'import playwright.sync_api' 2>/dev/null && exit 0
    done
    python3 -c 'import ensurepip, venv' 2>/dev/null || install python3-venv || exit 1
    python3 -m venv build/browser && build/browser/bin/pip --quiet --disable-pip-version-check --timeout 15 --retries 1 install playwright
    ;;
"bubblewrap ") # and what opens the archives that are handed in
    command -v bwrap >/dev/null 2>&1 && command -v unzip >/dev/null 2>&1 || install bubblewrap unzip ;;
"slurm ") # for tests/grading/grading_slurm.py
    command -v sbatch >/dev/null 2>&1 && command -v munged >/dev/null 2>&1 || install slurm-wlm munge ;;
"qemu ") # for tests/grading/grading_groups.py
    command -v qemu-system-x86_64 >/dev/null 2>&1 || install qemu-system-x86 ;;
"cccl ") # CUB, Thrust and libcu++, of the toolkit 13.0, for cucc
    [ -e build/cccl/cub/cub.cuh ] && exit 0
    work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
    python3 -m venv "$work/python" 2>/dev/null || { install python3-venv && python3 -m venv "$work/python"; } || exit 1
    "$work/python/bin/pip" --quiet --disable-pip-version-check --timeout 15 download --no-deps -d "$work" 'nvidia-cuda-cccl==13.0.*' || exit 1
    "$work/python/bin/python" -m zipfile -e "$work"/*.whl "$work/wheel" || exit 1
    mkdir -p build && rm -rf build/cccl && cp -R "$(dirname "$(dirname "$(find "$work/wheel" -path '*/cub/cub.cuh')")")" build/cccl ;;
"nvdisasm ") # prints machine code, for tools/notes/listing.sh where the toolkit came without it
    [ -x build/nvdisasm/bin/nvdisasm ] && exit 0
    work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
    python3 -m pip --quiet --disable-pip-version-check --timeout 15 download --no-deps -d "$work" 'nvidia-cuda-nvdisasm==13.2.*' || exit 1
    python3 -m zipfile -e "$work"/*.whl "$work/wheel" || exit 1
    mkdir -p build/nvdisasm/bin && cp "$(find "$work/wheel" -name nvdisasm -type f)" build/nvdisasm/bin && chmod +x build/nvdisasm/bin/nvdisasm ;;
"gnuplot ") command -v gnuplot >/dev/null 2>&1 || install gnuplot-nox ;;
*)
    echo "$(say "usage: " "用法：")need.sh check [--cflags|--libs] | cccl | gnuplot | nvdisasm | browser | bubblewrap | slurm | qemu" >&2
    exit 2
    ;;
esac
