# file: cpudevice/checker/race/global.c
# test: cpudevice/tests/checker/findings.sh readers
s/g->place = \*r2 ? second_place(c, i) : 0;/g->place = *r2 ? REC_PLACE(g->reader) : 0;/
