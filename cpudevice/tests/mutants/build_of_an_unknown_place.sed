# file: cpudevice/cucc
# test: cpudevice/tests/compiler/driver_build of_unknown_places
/built_for.sh failed/s/ >&2; exit 1; }$/ >\&2; }/
