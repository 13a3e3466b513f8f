# caught by: nothing
# a branch instead of a choice
s/^    float v = momentum \* \*velocity + gradient\[i\];$/    float v = 0, w = 0;\n    if (mask[i]) {\n        v = fmaf(momentum, *velocity, gradient[i]);\n        w = *weight - rate * v;\n    }/
/^    float w = \*weight - rate \* v;$/d
s/^    \*velocity = mask\[i\] ? v : 0;$/    *velocity = v;/
s/^    \*weight = mask\[i\] ? w : 0;$/    *weight = w;/
