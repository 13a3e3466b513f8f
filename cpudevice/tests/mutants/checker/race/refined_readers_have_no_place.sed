# file: cpudevice/checker/race/shadow.c
# test: cpudevice/tests/checker/findings.sh readers
s/second_set(n, (unsigned)i, second\[i \/ per\], second_place(c, (unsigned)(i \/ per)));/second_set(n, (unsigned)i, second[i \/ per], 0);/
