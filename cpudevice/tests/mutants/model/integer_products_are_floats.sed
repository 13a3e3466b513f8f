# file: cpudevice/model/estimate.c
# test: cpudevice/tests/model/model.sh 'integer products'
s/t->imad \//0 */
