# file: cpudevice/checker/order.c
# test: litmus
s/if (!update \&\& f->chain) {/if (0) {/
