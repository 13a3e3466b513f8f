# file: cpudevice/viewer/record.c
# test: view_page.sh
/t->marks\[t->mark_count++\] = m;/d
