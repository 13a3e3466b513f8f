s/^    const int end = .*/    const int end = n;/
s/int i = n \* v.rank \/ v.ranks + /int i = /
/for (int r = 0; r < v.ranks; r++)/d
s/v.out\[r\]\[i\] = sum/v.out[v.rank][i] = sum/
