s/min((int)PAGE, length - j \* PAGE) \* WIDTH/PAGE * WIDTH/
