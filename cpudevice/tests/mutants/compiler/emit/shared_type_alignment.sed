# file: cpudevice/compiler/emit/print_shared.c
# test: conformance/loops/shared/aligned_types
s/aligned(16), aligned(__alignof__(%s))/aligned(16 + 0 * sizeof(%s))/
