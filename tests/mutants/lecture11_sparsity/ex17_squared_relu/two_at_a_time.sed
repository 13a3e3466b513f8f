# caught by: nothing
# ReLU and square of two bf16 in one instruction each
/^    const uint32_t word\[4\]/,/^    ((uint2 \*)values)/c\
    const uint32_t word[4] = {all.x, all.y, all.z, all.w};\
    float y[8];\
    for (int i = 0; i < 4; i++) {\
        const __nv_bfloat162 positive = __hmax2(*(const __nv_bfloat162 *)\&word[i], __float2bfloat162_rn(0));\
        const float2 two = __bfloat1622float2(__hmul2(positive, positive));\
        y[2 * i] = two.x, y[2 * i + 1] = two.y;\
    }\
    const unsigned first = two_of_four(y), second = two_of_four(y + 4), both = first | second << 4;\
    ((uint2 *)values)[t] = make_uint2(pair(pick(y, first \& 3), pick(y, first >> 2)), pair(pick(y + 4, second \& 3), pick(y + 4, second >> 2)));
