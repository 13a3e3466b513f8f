# file: cpudevice/driver/messages.c
# test: cpudevice/tests/compiler/driver mistakes
s/    if (!d->option)/    if (d->option \&\& !strcmp(d->option, "-fpermissive"))\n        return true;\n    if (!d->option)/
