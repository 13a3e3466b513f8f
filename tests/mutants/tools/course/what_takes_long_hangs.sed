# file: tools/course/process.c
# test: tests/course/time_limits job
s/        job->awake_s = now;/        ;/
