"""How Sphinx builds the slides from what `tools/site/slides.py` has written to build/slides-source."""

project = "CUDA, lecture by lecture"
author = ""
extensions = ["myst_parser", "sphinx_revealjs"]
source_suffix = {".md": "markdown"}
suppress_warnings = ["myst.header", "toc.not_included"]
smartquotes = False

revealjs_style_theme = "white"
revealjs_static_path = ["_static"]
revealjs_css_files = ["slides.css"]
revealjs_script_conf = {
    "width": 1280,
    "height": 720,
    "margin": 0.04,
    "center": False,
    "hash": True,
    "slideNumber": "c/t",
    "transition": "none",
    "pdfSeparateFragments": False,
}
revealjs_script_plugins = [{"name": "RevealNotes", "src": "revealjs/plugin/notes/notes.js"}]
pygments_style = "friendly"
