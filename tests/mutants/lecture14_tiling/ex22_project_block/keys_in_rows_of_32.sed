# caught by: limits
s/keys\[32\]\[33\]/keys[32][32]/
