# file: cpudevice/compiler/emit/print_shared.c
# test: conformance/check/shared/type_of_shared
/^static bool needs_variable/,/^}/s/        return true;/        return false;/
