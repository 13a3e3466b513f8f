# file: cpudevice/viewer/encode.c
# test: view_page.sh
/s->site->last = first;/d
