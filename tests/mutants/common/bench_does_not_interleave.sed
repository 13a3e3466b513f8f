# file: common/measure/bench.c
# test: common_test
s/w < o->warmups/w < o->warmups + 1/
