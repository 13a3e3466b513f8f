s/v\[e\] = c < cols ? x\[c\] : 0;/v[e] = x[c];/
