# file: tools/site/serve.py
# test: tests/notes/site_serve.sh
s/MADE_FROM = .*/MADE_FROM = (".md", ".svg", ".cu", ".csv")/
