# caught by: nothing
/>>> answer/,/<<< answer/s/^    if (i < n)$/    if (i >= n)\n        return;/
