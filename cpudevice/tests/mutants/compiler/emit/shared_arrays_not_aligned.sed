# file: cpudevice/compiler/emit/print_shared.c
# test: conformance/loops/shared/floats_by_fours
s/__attribute__((aligned(16), aligned(__alignof__(%s)))) /__attribute__((aligned(__alignof__(%s)))) /; s/format("__attribute__((aligned(16))) ")/format("%s", "")/
