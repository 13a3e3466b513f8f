# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh 'L2 is asked once for all'
s/const bool hit = cache_read(&model.l2, address);/const bool hit = cache_read(\&model.l2, address) \&\& false;/
