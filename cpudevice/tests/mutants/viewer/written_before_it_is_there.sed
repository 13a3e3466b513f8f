# file: cpudevice/viewer/record.c
# test: tests/viewer/view_page.sh arrays
s/if (kind == VIEW_LOAD) {/if (kind >= VIEW_LOAD) {/
