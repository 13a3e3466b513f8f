# caught by: limits
# right, but with a zero that makes it double
s/\*velocity = mask\[i\] ? v : 0;/*velocity = (float)(mask[i] ? v : 0.0);/
