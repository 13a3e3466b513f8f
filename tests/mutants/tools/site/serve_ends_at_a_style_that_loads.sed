# file: tools/site/make.py
# test: tests/notes/site_serve.sh
s/(SiteError, OSError, ValueError) as problem/(SiteError, OSError) as problem/
