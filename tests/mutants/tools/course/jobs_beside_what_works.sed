# file: tools/course/process.c
# test: tests/course/time_limits beside_what_waits
s/threads_at_work(all, count, cores) < cores/1/
