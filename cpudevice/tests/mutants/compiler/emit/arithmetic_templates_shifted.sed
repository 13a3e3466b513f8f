# file: cpudevice/compiler/emit/arithmetic.c
# test: conformance/loops/arithmetic/constants
s/!b->done\[i\] && closes_templates(t, i)/!b->done[i] \&\& t == NULL/
