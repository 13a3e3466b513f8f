# caught by: check
s/size_t bytes = (size_t)n \* sizeof(float);/size_t bytes = (size_t)n;/
