s/(double)n \* element_bytes/(double)(int)(n * (unsigned)element_bytes)/
