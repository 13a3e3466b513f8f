# shellcheck shell=sh
# functions.sh (make check does not run this): for the cases here.
# shellcheck disable=SC2034 # for the cases
toolkit=$PWD/cpudevice/toolkit
