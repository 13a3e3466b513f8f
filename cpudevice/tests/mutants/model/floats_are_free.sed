# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'products and sums of floats'
s/t->fma \//0 */
