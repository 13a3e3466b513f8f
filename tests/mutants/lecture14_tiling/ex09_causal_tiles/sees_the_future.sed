s/if (n > query || n >= S)/if (n >= S)/
