# file: cpudevice/src/lexer.c
# test: cpudevice_lexer.sh
s/ if (::cpudev_tls.worker) {/ if (true) {/
