# file: cpudevice/checker/race/release.c
# test: litmus
s/if (!update \&\& f->chain) {/if (0) {/
