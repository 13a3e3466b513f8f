# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/if (!memcmp(g->list\[i\]->key, key, sizeof key))/if (i < 1)/
