# functions.sh (make check does not run this): the libraries that cases here find in place of the system's, which may have none.
# shellcheck shell=sh

by_openblas() { # COMMAND...: OpenBLAS is plain loops
    $cc -O1 -shared -fPIC -o "$work/libopenblas.so.0" "$folder/openblas_plain.c"
    LD_LIBRARY_PATH=$work "$@"
}

by_fftw() { # COMMAND...: FFTW is sums written out, in each precision
    $cc -O1 -shared -fPIC -o "$work/libfftw3.so.3" "$folder/fftw_plain.c" -lm
    $cc -O1 -shared -fPIC -DSINGLE -o "$work/libfftw3f.so.3" "$folder/fftw_plain.c" -lm
    LD_LIBRARY_PATH=$work "$@"
}

without_libraries() { # COMMAND...: no library can be loaded
    echo 'void *dlopen(const char *name, int flags) { return (void)name, (void)flags, (void *)0; }' >"$work/none.c"
    $cc -shared -fPIC -o "$work/none.so" "$work/none.c"
    LD_PRELOAD=$work/none.so "$@"
}
