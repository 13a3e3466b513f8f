# caught by: check
/^    meet(theirs, mine, 2 \* call + 2);/d
