# file: cpudevice/runtime/exec/wait.c
# test: cpudevice/tests/runtime/order.sh 'threads that poll let all others run, in each order'
s/order_is_forward ? next_turn(w, me) : next_in_order(w, me)/next_turn(w, me)/
