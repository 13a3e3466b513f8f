# file: cpudevice/viewer/record.c
# test: tests/viewer/view_page.sh findings
/t->marks\[t->mark_count++\] = m;/d
