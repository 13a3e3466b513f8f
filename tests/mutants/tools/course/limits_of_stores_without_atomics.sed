# file: tools/course/limits.c
# test: tests/course/limits
s/n.joined\[0\] = !strstr(limits, "global atomics")/n.joined[0] = 0/
