# file: tools/site/slides.py
# test: tests/notes/site_slides.sh
# a question in Chinese is not seen
s|<b>思考题</b>：|<b>思考题：</b>|
