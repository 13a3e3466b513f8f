# caught by: limits
s/1.702f/1.702/
