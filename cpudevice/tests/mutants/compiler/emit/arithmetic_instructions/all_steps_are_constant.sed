# file: cpudevice/compiler/emit/arithmetic_instructions.c
# test: cpudevice/tests/model/model.sh 'a loop with another step is not unrolled'
s/ && folded(c, step->kid\[1\]))/)/
