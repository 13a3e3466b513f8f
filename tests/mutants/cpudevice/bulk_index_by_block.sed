# file: cpudevice/src/lexer.c
# test: check_bulk.sh
s/(DEP_BLOCK | OPAQUE)) \&\& !(depends(a, b, true)/OPAQUE) \&\& !(depends(a, b, true)/
