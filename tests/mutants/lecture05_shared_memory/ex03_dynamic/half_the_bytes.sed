# caught by: check
s|(size_t)threads \* (sizeof(float) + sizeof(int))|(size_t)threads * sizeof(float)|
