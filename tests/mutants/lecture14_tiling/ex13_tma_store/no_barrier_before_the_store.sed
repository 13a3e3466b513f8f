# caught by: check
/^        fence_proxy_async();$/{n
d
}
