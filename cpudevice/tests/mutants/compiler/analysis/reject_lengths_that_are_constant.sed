# file: cpudevice/compiler/analysis/reject_forms.c
# test: cpudevice/tests/compiler/compiler_test rejects legal_forms
s/    return !d->is_const \&\& !d->is_constexpr/    return !d->is_constexpr/
s/ \&\& !contains(t, d->type_first, d->at, W_CONST);/;/
