s/fused_kernel<<<blocks, 256, 0, stream>>>(x, y, a, b, n);/&\
    launched();\
&/
