# file: cpudevice/runtime/exec/turn.c
# test: cpudevice/tests/checker/check_mistakes.sh right_host/blocks_wait_for_next_kernel
s/ || (t->next >= t->blocks \&\& t->passed >= CIRCLE \* t->count)//
