# caught by: check
# the next round's copies overwrite what slow threads still read
/before the next round overwrites/,/<<< answer/s/__syncthreads();//
