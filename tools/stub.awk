# stub.awk: makes an exercise out of its solution. Between "// >>> answer" and "// <<< answer" everything goes, but for
# lines "// stub: TEXT", which become TEXT, so that the stub still compiles. All else is copied.
/^[ \t]*\/\/ >>> answer/ { inside = 1; next }
/^[ \t]*\/\/ <<< answer/ { inside = 0; next }
inside && /^[ \t]*\/\/ stub: / { sub(/\/\/ stub: /, ""); print; next }
!inside { print }
END { if (inside) { print "stub.awk: an answer is not closed" > "/dev/stderr"; exit 1 } }
