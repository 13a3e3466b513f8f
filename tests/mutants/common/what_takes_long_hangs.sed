# file: tools/course/process.c
# test: time_limits
s/        job->awake_s = now;/        ;/
