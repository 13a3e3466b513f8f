# caught by: nothing
/^        const float larger = fmaxf/,/^        max = larger;/c\
        if (score > max) {\
            const float scale = expf(max - score);\
            sum *= scale;\
            out *= scale;\
            max = score;\
        }\
        const float weight = expf(score - max);\
        sum += weight;\
        out = fmaf(weight, v[n * D + lane], out);
