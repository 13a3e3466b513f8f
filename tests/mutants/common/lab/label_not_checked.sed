# file: common/lab/digits.c
# test: tests/course/sparsity_digits
s/if ((d->label\[i\] = label\[8 + i\]) > 9) {/if ((d->label[i] = label[8 + i]) > 99) {/
