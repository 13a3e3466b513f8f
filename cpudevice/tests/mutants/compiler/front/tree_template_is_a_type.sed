# file: cpudevice/compiler/front/tree.c
# test: conformance/loops/functions/template_named_as_members_type
s/ || function_named(u, t, i, -1) >= 0)/)/
