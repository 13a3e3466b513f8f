s/\*weight = mask\[i\] ? w : 0;/*weight = w * mask[i];/
