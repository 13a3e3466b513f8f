# caught by: limits
s/size_t bytes = (size_t)threads \* (sizeof(float) + sizeof(int));/size_t bytes = 1024 * (sizeof(float) + sizeof(int));/
