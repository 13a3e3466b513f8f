# file: tools/site/results.py
# test: tests/notes/site_pieces.sh
s/^    return {key: sorted(names, key=len)/    return {key: sorted(names, key=len, reverse=True)/
