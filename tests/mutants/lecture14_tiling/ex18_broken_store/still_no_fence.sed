# caught by: check
/^        fence_proxy_async();$/d
