# file: cpudevice/checker/regions/rows.c
# test: cpudevice/tests/checker/check_bulk.sh overlap
s/return (r - least) | (floor - 1 - r);/return r - least;/
