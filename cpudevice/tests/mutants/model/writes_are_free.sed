# file: cpudevice/model/gather.c
# test: cpudevice/tests/model/model.sh copy
s/block.t.dram_writes += !cache_write(&model.l2, address);/cache_write(\&model.l2, address);/
