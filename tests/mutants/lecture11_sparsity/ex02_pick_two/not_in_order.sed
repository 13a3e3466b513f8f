s/    if (first > second) {/    if (first > second + 4) {/
