# caught by: limits
# right, but each number is compared with each other one: twelve comparisons
/^    for (unsigned i = 1; i < 4; i++)$/,/^    \/\/ <<< answer$/c\
    int kept = 0;\
    for (unsigned i = 0; i < 4; i++) {\
        int before = 0;\
        for (unsigned j = 0; j < 4; j++)\
            before += j != i \&\& (fabsf(v[j]) > fabsf(v[i]) || (fabsf(v[j]) == fabsf(v[i]) \&\& j < i));\
        if (before < 2 \&\& kept++ == 0)\
            first = i;\
        else if (before < 2)\
            second = i;\
    }\
    // <<< answer
