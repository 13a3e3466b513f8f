s|(int \*)(shared + threads)|(int *)shared|
