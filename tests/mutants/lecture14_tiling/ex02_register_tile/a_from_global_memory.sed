# caught by: limits
# right, but A comes from global memory, past its tile
s/^                a\[i\] = As\[row + i\]\[k\];$/                a[i] = m0 + row + i < M \&\& k0 + k < K ? A[(size_t)(m0 + row + i) * K + k0 + k] : 0;/
