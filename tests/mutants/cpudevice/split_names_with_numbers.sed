# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/^        if (!memcmp(t->s + n, "__cpudev_", 9)/        if (false \&\& !memcmp(t->s + n, "__cpudev_", 9)/
