# file: cpudevice/checker/rows.c
# test: check_bulk.sh
s/any |= (g\[i\].w < least) | (g\[i\].w >= floor)/any |= (g[i].w < least)/
