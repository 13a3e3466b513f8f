s/^    const int end = .*/    const int next = (v.rank + 1) % v.ranks, end = n * (next + 1) \/ v.ranks;/
s/int i = n \* v.rank/int i = n * next/
