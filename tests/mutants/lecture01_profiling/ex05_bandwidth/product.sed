s/(reads + writes)/reads * writes/
