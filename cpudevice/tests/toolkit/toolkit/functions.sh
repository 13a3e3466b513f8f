# functions.sh (make check does not run this): for the cases here.
toolkit=$PWD/cpudevice/toolkit # shellcheck disable=SC2034
