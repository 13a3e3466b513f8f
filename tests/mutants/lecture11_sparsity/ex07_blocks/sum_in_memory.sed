# caught by: limits
# right, but C is read and written for each product
s/^    for (int b = row_start\[m \/ BLOCK\].*$/    float *to = C + (size_t)m * N + n;\n    *to = 0;\n&/
s/^            sum += row\[k\]/            *to += row[k]/
s/^    \/\/ <<< answer$/    sum = *to;\n&/
