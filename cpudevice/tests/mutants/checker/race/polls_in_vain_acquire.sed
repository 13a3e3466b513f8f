# file: cpudevice/checker/race/release.c
# test: cpudevice/tests/checker/litmus
s/^    if (!s->load) {/    if (1) {/
