# file: cpudevice/compiler/emit/arithmetic_names.c
# test: conformance/loops/arithmetic/bit_fields_or_not
s/ && !is(t, prev(t, name), W_CASE) &&/ \&\&/; s/^        !of_condition(t, colon))/        1)/; s/^        if (is(t, end, W_PAREN_END).*/        if (0)/
