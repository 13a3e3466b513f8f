# file: cpudevice/compiler/front/outline.c
# test: conformance/check/memory/declarators
s/if (p > i \&\& holds_name(t, j))/if (p < i \&\& holds_name(t, j))/
