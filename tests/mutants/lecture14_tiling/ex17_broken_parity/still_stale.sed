# caught by: check
/^        parity ^= 1;$/d
