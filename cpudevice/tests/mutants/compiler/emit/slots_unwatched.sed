# file: cpudevice/compiler/emit/print_regions.c
# test: cpudevice/tests/checker/check_mistakes.sh addresses/local_of_another_scalar
s/if (!s->u->check || !address_is_kept(s, d))/if (!s->u->check || !address_is_kept(s, d) || !d->ndims)/
