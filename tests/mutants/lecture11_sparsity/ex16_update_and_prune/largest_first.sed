# caught by: nothing
# finds the largest, then the largest of the others, and orders the two
/^    float two\[2\]/,/^    ((float2 \*)kept)/c\
    int first = 0, second;\
    for (int i = 1; i < 4; i++)\
        first = fabsf(v[i]) > fabsf(v[first]) ? i : first;\
    second = first == 0;\
    for (int i = second + 1; i < 4; i++)\
        second = i != first && fabsf(v[i]) > fabsf(v[second]) ? i : second;\
    ((float2 *)kept)[g] = make_float2(v[min(first, second)], v[max(first, second)]);
