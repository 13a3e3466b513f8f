# file: cpudevice/checker/race/order.c
# test: cpudevice/tests/checker/check_mistakes.sh right/flag_other_kernel
s/ok = op ? check_op_before(op->id, by)/ok = op ? 0/
