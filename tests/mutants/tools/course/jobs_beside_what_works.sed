# file: tools/course/process.c
# test: tests/course/time_limits
s/threads_at_work(all, count, cores) < cores/1/
