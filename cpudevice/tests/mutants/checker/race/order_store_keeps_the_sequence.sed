# file: cpudevice/checker/race/release.c
# test: cpudevice/tests/checker/litmus
s/if (!update \&\& f->chain) {/if (0) {/
