# caught by: check
/^        __syncwarp();$/d
