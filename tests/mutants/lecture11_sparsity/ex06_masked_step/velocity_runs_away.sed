s/\*velocity = mask\[i\] ? v : 0;/*velocity = v;/
