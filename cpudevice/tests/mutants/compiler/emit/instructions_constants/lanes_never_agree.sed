# file: cpudevice/compiler/emit/instructions_constants.c
# test: cpudevice/tests/model/model.sh 'the long body of a condition that is false'
s/(d->is_param && d->only_read && c->f->kernel)/(d->is_param \&\& !d->only_read)/
