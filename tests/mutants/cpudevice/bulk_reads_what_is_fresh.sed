# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/least = init;/least = 0;/
s/least = init \&\& !write,/least = 0,/
s/ : init \&\& !old) return 0;/ : 0) return 0;/
