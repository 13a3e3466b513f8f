s/float v = momentum \* \*velocity + gradient\[i\];/float v = momentum * *velocity + (mask[i] ? gradient[i] : 0);/
s/\*weight = mask\[i\] ? w : 0;/*weight = w;/
