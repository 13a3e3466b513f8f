# caught by: limits
# 16 tiles one below the other: whole lines of values_t, but only half of each sector of values
s/threadIdx.x \/ 8) \* 4;/threadIdx.x % 16) * 4;/
s/threadIdx.x % 8) \* 4;/threadIdx.x \/ 16) * 4;/
