# caught by: check
s|mine\[bin\] = 0;|;|
