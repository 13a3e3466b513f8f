# caught by: limits
# right, but what is masked is written first and cleared after
s/^    float v = momentum \* \*velocity + gradient\[i\];$/    *velocity = momentum * *velocity + gradient[i];/
s/^    float w = \*weight - rate \* v;$/    *weight = *weight - rate * *velocity;/
s/^    \*velocity = mask\[i\] ? v : 0;$/    if (!mask[i])\n        *velocity = 0;/
s/^    \*weight = mask\[i\] ? w : 0;$/    if (!mask[i])\n        *weight = 0;/
