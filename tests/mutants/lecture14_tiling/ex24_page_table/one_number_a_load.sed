# caught by: limits
# right, but one float at a time
s/const float4 \*from = (const float4 \*)(pool/const float *from = (pool/
s/float4 \*to = (float4 \*)(out/float *to = (out/
s/ \* WIDTH \/ 4;/ * WIDTH;/
