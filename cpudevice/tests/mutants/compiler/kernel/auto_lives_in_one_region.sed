# file: cpudevice/compiler/kernel/placement.c
# test: cpudevice/tests/compiler/split.sh kernels_to_be_split
s/(d->is_auto && !auto_can_be_told(s, d))/d->is_auto/
