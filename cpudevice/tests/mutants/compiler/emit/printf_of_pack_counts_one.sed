# file: cpudevice/compiler/emit/arithmetic_loose.c
# test: conformance/loops/values/printf_as_argument
s/ + (int)sizeof...(%.*s))", count - 1/ + 0 * (int)sizeof...(%.*s))", count/
