# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'special functions'
s/t->xu \//0 */
