# file: cpudevice/model/estimate.c
# test: tests/notes/site_pieces.sh
s/^    if (shared > 0).*$//
