# file: cpudevice/compiler/emit/instructions_constants.c
# test: cpudevice/tests/model/model.sh 'the same value is computed once'
s/if (same_value(c, c->available\[i\], n))/if (false)/
