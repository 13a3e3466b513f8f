# file: cpudevice/runtime/exec/setmaxnreg.c
# test: cpudevice/tests/checker/check_mistakes.sh wgmma/async_setmaxnreg_too_many
s/if (all > w->threads \* (most < MOST ? most : MOST))/if (all > OF_MULTIPROCESSOR)/
