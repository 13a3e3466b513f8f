# caught by: limits
s/^        const int before = .*/        int before = 0;\n        for (int k = c - lane; k < c \&\& k < cols; k++)\n            before += row[k] != 0;/
