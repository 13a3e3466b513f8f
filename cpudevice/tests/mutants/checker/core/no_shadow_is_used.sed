# A place for what the checker keeps is used although the system gave none.
# file: cpudevice/checker/core/layout.c
# test: cpudevice/tests/checker/findings.sh refused
s/return must(check_reserve(bytes, prot))/return check_reserve(bytes, prot)/
