# caught by: check
/what has to happen before the next step/,/<<< answer/s|^        __syncthreads();$||
