# shellcheck shell=sh
# functions.sh (make check does not run this): for the cases here.
# shellcheck disable=SC2034 # for the cases
toolkit=$PWD/cpudevice/toolkit

extension() { # NAME -lLIBRARY: the case as a shared library, linked by g++
    $cc -fPIC -I"$toolkit/include" -c -o "$work/$1.o" "$case"
    $cxx -shared -o "$work/$1.so" "$work/$1.o" -L"$toolkit/lib64" "$2" -lpthread -ldl
}
