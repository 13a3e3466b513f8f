s/sum = sum \* scale + weight/sum = sum + weight/
