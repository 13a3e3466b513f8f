# caught by: nothing
# two values in one load, and a sum that travels downwards
s/^        sum += v\[2 \* g\] \* x\[4 \* g + (p\[g\] & 3)\];$/        const float2 pair = *(const float2 *)(v + 2 * g);\n        const int places_of = p[g];\n        sum += pair.x * x[4 * g + places_of % 4];/
s/^        sum += v\[2 \* g + 1\] \* x\[4 \* g + (p\[g\] >> 2)\];$/        sum += pair.y * x[4 * g + places_of \/ 4];/
s/__shfl_xor_sync/__shfl_down_sync/
