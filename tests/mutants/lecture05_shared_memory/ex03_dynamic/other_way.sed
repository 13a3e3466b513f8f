# caught by: nothing
s/int \*columns = (int \*)(shared + threads);/int *columns = reinterpret_cast<int *>(values) + blockDim.x;/
s/size_t bytes = (size_t)threads \* (sizeof(float) + sizeof(int));/unsigned bytes = 2u * 4u * (unsigned)threads;/
