# caught by: nothing
/^        float before = /,/^        y\[i\] = /c\
        float sum = 0;\
        for (int k = i - 1; k <= i + 1; k++)\
            sum += k >= 0 && k < n ? x[k] : 0;\
        y[i] = sum * (1.0f / 3);
