# file: cpudevice/viewer/record.c
# test: tests/viewer/view_page.sh
/t->marks\[t->mark_count++\] = m;/d
