# file: tools/site/serve.py
# test: tests/notes/site_serve.sh
s/"no-cache"/"max-age=60"/
