# file: tools/site/serve.py
# test: tests/notes/site_serve.sh
/            seen = now/d
s/            make()/            make()\n            seen = saved()/
