# file: cpudevice/checker/memory/local.c
# test: cpudevice/tests/checker/check_mistakes.sh addresses/local_of_another
s|/ w->slots.of\[i\].each != w->thread)|/ w->slots.of[i].each > w->threads)|
