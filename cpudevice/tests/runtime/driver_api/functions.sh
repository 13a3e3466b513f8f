# functions.sh (make check does not run this): for the cases here.
# shellcheck shell=sh

loads() { # cubin|fatbin|ptx: the kernels, built to such an image once, are loaded and run
    [ -e "$work/kernels.$1" ] || $cucc -"$1" -O1 -o "$work/kernels.$1" "$folder/kernels.cu"
    "$exe" "$work/kernels.$1"
}
