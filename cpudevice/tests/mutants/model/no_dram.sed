# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh copy
s/part\[PART_DRAM\] = (t->dram_reads + t->dram_writes)/part[PART_DRAM] = 0 * (t->dram_reads + t->dram_writes)/
