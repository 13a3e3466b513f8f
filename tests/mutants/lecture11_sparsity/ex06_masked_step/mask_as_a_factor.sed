/^    float v = momentum/,/^    \*weight = mask/c\
    const float keep = mask[i] ? 1.0f : 0.0f, v = fmaf(momentum, *velocity, gradient[i]);\
    *weight = keep * fmaf(-rate, v, *weight);\
    *velocity = keep * v;
