# caught by: numbers
s/^    if (tx == 0 \&\& ty == 0) {$/    if (tx == 0) {/
