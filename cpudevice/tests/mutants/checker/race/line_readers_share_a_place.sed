# file: cpudevice/checker/race/shadow.c
# test: cpudevice/tests/checker/findings.sh readers
s/place = \*line_place_at(c, off);/place = REC_PLACE(r1);/
