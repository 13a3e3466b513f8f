# file: cpudevice/src/lexer.c
# test: check_bulk.sh
s/depends(first, last, keys) : OPAQUE;/depends(first, last, keys) : 0;/
