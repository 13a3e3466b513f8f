# file: cpudevice/built_for.sh
# test: cpudevice/tests/compiler/driver_build of_unknown_places
/^set -e$/d
