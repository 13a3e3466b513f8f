# file: cpudevice/built_for.sh
# test: cpudevice/tests/compiler/driver_build
/^set -e$/d
