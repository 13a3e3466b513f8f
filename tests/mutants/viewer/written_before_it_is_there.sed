# file: cpudevice/viewer/record.c
# test: view_page.sh
s/if (kind == VIEW_LOAD) {/if (kind >= VIEW_LOAD) {/
