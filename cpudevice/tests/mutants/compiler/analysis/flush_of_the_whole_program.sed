# file: cpudevice/compiler/analysis/flush.c
# test: cpudevice/tests/arithmetic/ftz.sh 'a function of another file'
s%!is_defined(t, d.name)%false%
