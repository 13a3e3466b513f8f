/^        const int left/,/<<< answer/{
/cudaSetDevice/d
}
