# file: cpudevice/compiler/emit/arithmetic.c
# test: conformance/loops/arithmetic/shift_lane_mask
s/if (is(t, before, W_OPERATOR) || harmless_literal(t, after, angle))/if (angle || is(t, before, W_OPERATOR) || harmless_literal(t, after, angle))/
