# caught by: numbers
# every piece where it was: all eight rows in the same banks
s/^    return pieces >= 8 ? .*$/    return 0 * r * pieces;/
