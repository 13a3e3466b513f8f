# file: common/bench.c
# test: common_test
s/w < o->warmups/w < o->warmups + 1/
