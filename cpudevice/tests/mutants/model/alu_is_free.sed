# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'conversions of integers to floats, and logic'
s/t->alu \//0 */
