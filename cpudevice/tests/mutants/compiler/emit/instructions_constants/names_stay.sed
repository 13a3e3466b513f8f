# file: cpudevice/compiler/emit/instructions_constants.c
# test: cpudevice/tests/model/model.sh "a constant of the loop's body"
s/    if (d)$/    if (d \&\& !d->is_constexpr)/
