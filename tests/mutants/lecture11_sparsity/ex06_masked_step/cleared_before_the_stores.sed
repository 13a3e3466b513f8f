# caught by: nothing
# the step as usual, then zeros, then one store each
s/^    float v = .*$/    float v = fmaf(momentum, *velocity, gradient[i]);/
s/^    \*velocity = mask\[i\] ? v : 0;$/    if (!mask[i])\n        v = w = 0;\n    *velocity = v;/
s/^    \*weight = mask\[i\] ? w : 0;$/    *weight = w;/
