#!/bin/sh
# view_labs.sh: pages of lectures' labs in a browser: see view_page.sh.
exec "$(dirname "$0")/view_page.sh" labs
