# file: cpudevice/compiler/emit/arithmetic_tree.c
# test: conformance/loops/functions/template_named_as_members_type
s/ || type_of_body(b, i);/;/
