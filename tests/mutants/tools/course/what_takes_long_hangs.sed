# file: tools/course/process.c
# test: tests/course/time_limits
s/        job->awake_s = now;/        ;/
