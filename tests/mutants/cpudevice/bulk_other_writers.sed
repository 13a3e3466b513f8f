# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/any |= (g\[i\].w < least) | (g\[i\].w >= floor)/any |= (g[i].w < least)/
