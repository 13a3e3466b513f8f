s/if (i < n)/if (i <= n)/
