# file: cpudevice/compiler/emit/arithmetic_names.c
# test: conformance/loops/arithmetic/bit_fields_or_not
/static bool of_condition/,/^}/s/            continue; .*/            return false;/
