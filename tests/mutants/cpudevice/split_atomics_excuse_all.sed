# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/    return n ? n->pure \&\& n->atomic :/    return n ? n->atomic :/
