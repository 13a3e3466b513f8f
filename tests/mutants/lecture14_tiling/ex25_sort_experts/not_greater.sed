s/expert\[i\] < e;/expert[i] <= e;/
