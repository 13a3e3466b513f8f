# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/ \&\& f->inlined) \/\*/ \&\& false) \/*/
