# file: cpudevice/driver/translate.c
# test: cpudevice/tests/arithmetic/ftz.sh '-ftz=false counts beside --use_fast_math, before it and behind it'
s/d->flush = d->options.ftz ? .*/d->flush = d->options.fast_math || d->options.ftz;/
