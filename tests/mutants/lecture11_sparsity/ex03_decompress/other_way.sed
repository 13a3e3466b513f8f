# caught by: nothing
# a float4, put together in registers
s/^        dense\[4 \* g + i\] = i == first .*$/        d[i] = i == first ? values[2 * g] : i == second ? values[2 * g + 1] : 0;\n    ((float4 *)dense)[g] = make_float4(d[0], d[1], d[2], d[3]);/
s/^    unsigned first = places\[g\] & 3, second = places\[g\] >> 2;$/&\n    float d[4];/
