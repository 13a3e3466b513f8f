# file: common/measure/bench.c
# test: tests/course/common_test
s/w < o->warmups/w < o->warmups + 1/
