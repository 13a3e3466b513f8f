# file: cpudevice/compiler/analysis/reject_constants.c
# test: cpudevice/tests/compiler/compiler_test rejects legal_constants
s/if (d.name < 0 || d.grouped || d.is_ref || d.dims)/if (d.name < 0)/
s/what->kind == E_NAME \&\& !what->decl/what->kind == E_NAME/
