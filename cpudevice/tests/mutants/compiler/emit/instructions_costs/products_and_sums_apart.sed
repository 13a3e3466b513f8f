# file: cpudevice/compiler/emit/instructions_costs.c
# test: cpudevice/tests/model/model.sh 'a product and a sum are one instruction'
s/? of_add_of_product/? -1/
