# file: cpudevice/compiler/kernel/placement.c
# test: cpudevice/tests/compiler/split.sh same_as_loops
s/(d->is_auto && !auto_can_be_told(s, d))/d->is_auto/
