# file: tools/site/serve.py
# test: tests/notes/site_serve.sh
s/contextlib.suppress(FileNotFoundError)/contextlib.suppress(PermissionError)/
