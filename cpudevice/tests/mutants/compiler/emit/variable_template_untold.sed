# file: cpudevice/compiler/emit/print_words.c
# test: conformance/check/memory/variable_templates
s/if (close < 0 || !has_name(u, t, i, N_TEMPLATE_MEMORY)/if (close < 0 || has_name(u, t, i, N_TEMPLATE_MEMORY)/
