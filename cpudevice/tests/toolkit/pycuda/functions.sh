# shellcheck shell=sh
# functions.sh (make check does not run this): pycuda's sources, which are not here, are built with the toolkit. PYCUDA_SOURCE
# names their folder; python3 has numpy, pytools, mako and platformdirs. With PYCUDA_BUILT a folder that has been built is taken.
toolkit=$(pwd -P)/cpudevice/toolkit

# Builds the sources in a folder of their own, which takes minutes: $pycuda.
build_pycuda() {
    pycuda=${PYCUDA_BUILT:-$work/pycuda}
    [ -n "${PYCUDA_SOURCE-}${PYCUDA_BUILT-}" ] || { echo "pycuda: its sources are not here (PYCUDA_SOURCE)"; return 1; }
    python3 -c 'import numpy, pytools, mako, platformdirs, setuptools' 2>/dev/null || { echo "pycuda: what it needs of Python is not here"; return 1; }
    $cucc --build-toolkit
    [ -z "${PYCUDA_BUILT-}" ] || return 0
    cp -r "$PYCUDA_SOURCE" "$pycuda"
    (cd "$pycuda" && python3 configure.py --cuda-root="$toolkit" && python3 setup.py build_ext --inplace)
}

of_pycuda() { # FILE: runs it with pycuda's modules and our nvcc
    PATH=$toolkit/bin:$PATH PYTHONPATH=${PYCUDA_BUILT:-$work/pycuda} PYCUDA_CACHE_DIR=$work python3 "$@"
}
# An example of the sources, unchanged. Some of 2026.1 do not import pycuda.autoinit, without which they have no context on a GPU either.
example() { # NAME
    of_pycuda -c 'import pycuda.autoinit, runpy, sys; runpy.run_path(sys.argv[1])' "${PYCUDA_BUILT:-$work/pycuda}/examples/$1.py"
}
