# file: cpudevice/checker/regions/rows.c
# test: cpudevice/tests/checker/check_bulk.sh fresh
s/least = init;/least = 0;/
s/least = init \&\& !write,/least = 0,/
s/ : init \&\& !old)/ : 0)/
