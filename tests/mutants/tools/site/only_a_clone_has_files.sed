# file: tools/site/tree.py
# test: tests/notes/site_pages.sh
s/except (OSError, subprocess.CalledProcessError)/except OSError/
