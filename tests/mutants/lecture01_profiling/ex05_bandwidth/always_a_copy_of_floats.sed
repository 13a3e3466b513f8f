s/(double)n \* element_bytes \* (reads + writes)/(double)n * 4 * 2/
