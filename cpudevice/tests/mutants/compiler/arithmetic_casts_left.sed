# file: cpudevice/compiler/emit/arithmetic.c
# test: conformance/loops/arithmetic/cast_forms
/^static void loose_c_cast/,/^}/s/if (b->done\[i\] ||/if (b->t ||/
