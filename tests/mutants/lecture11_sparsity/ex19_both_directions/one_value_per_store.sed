# caught by: limits
# the two values one after the other: each sector is written twice
s/^        \*(float2 \*)(values_t + \(.*\)) =$/        float *to_t = values_t + \1;\
        const float2 two_t =/
s/^            make_float2(pick(w_t.*/&\
        to_t[0] = two_t.x;\
        to_t[1] = two_t.y;/
