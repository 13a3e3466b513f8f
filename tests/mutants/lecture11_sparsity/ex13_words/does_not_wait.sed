s/^    while (.*/    word = *from;/
