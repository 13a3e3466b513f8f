# caught by: nothing
s/^    return pieces >= 8 ? .*/    return r % 8 * (pieces < 8 ? pieces : 8) \/ 8;/
