# file: tools/site/glossary.py
# test: tests/notes/site_glossary.sh
s/WITHOUT_LINKS = ("<a ", "<summary>")/WITHOUT_LINKS = ("<a ",)/
s/use\[1\] in ("<\/a>", "<\/summary>")/use[1] == "<\/a>"/
