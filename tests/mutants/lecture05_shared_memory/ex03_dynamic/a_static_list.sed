# caught by: limits
s/int \*columns = (int \*)(shared + threads);/__shared__ int columns[1024];/
