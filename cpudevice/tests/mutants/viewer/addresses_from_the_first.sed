# file: cpudevice/viewer/encode.c
# test: tests/viewer/view_page.sh counts
/s->site->last = first;/d
