# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh keys
s/if (!memcmp(g->list\[i\]->key, key, sizeof key))/if (i < 1)/
