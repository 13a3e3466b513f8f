# file: cpudevice/compiler/analysis/flush.c
# test: cpudevice/tests/arithmetic/ftz.sh 'a product of many factors beside a literal, and a literal of extreme size'
s/return many <= 6;/return true;/
