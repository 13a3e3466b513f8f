# file: cpudevice/model/cache.c
# test: cpudevice/tests/model/model.sh 'L2 is asked once for all'
s/if (l->line == number && l->used > c->emptied) {/if (l->line == number) {/
