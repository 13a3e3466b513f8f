# file: tools/course/process.c
# test: tests/course/time_limits beside_what_waits
s/(running < most \&\& cores_are_idle(\&idle, width))/0/
