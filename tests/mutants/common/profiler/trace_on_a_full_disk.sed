# file: common/profiler/profiler_writer.c
# test: tests/course/full_disk.sh
s/w->failed = n < 0 ? errno : EIO;/w->failed = EIO;/
