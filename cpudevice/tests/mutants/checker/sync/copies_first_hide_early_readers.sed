# file: cpudevice/checker/sync/async.c
# test: cpudevice/tests/checker/findings.sh early_reader
s/ && !has_begun(w, o))/ \&\& 0)/
