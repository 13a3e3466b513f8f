# file: tools/course/process.c
# test: tests/course/time_limits
s/(running < most \&\& cores_are_idle(\&idle, width))/0/
