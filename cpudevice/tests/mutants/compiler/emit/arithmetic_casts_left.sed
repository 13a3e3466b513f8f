# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: conformance/loops/arithmetic/cast_forms
/^static void loose_c_cast/,/^}/s/if (b->done\[i\] ||/if (b->t ||/
