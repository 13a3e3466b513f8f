# file: cpudevice/compiler/emit/print_shared.c
# test: conformance/loops/shared/floats_by_fours
s/#define ALIGNED "__attribute__((aligned(16))) "/#define ALIGNED ""/
