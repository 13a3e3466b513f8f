# file: cpudevice/checker/release.c
# test: litmus
s/if (!update \&\& f->chain) {/if (0) {/
