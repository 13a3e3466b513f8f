# file: cpudevice/compiler/kernel/bulk.c
# test: conformance/check/arithmetic/in_regions
s/text_of(t, i, i)/name_of(t, i)/
