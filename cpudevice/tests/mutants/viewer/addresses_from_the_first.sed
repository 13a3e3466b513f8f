# file: cpudevice/viewer/encode.c
# test: tests/viewer/view_page.sh
/s->site->last = first;/d
