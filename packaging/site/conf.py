"""The pages of `docs/` as a site: `make docs`. Sphinx runs this, in an environment of its own.

The pages stay where they are and are plain Markdown. Sphinx wants all of them under one folder, so
they are laid there first, at the same places to each other, with what they link to.
"""

import re
import shutil
from pathlib import Path

from vision import __version__

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCE = ROOT / "build" / "docs" / "source"
LINKED = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")  # a file of the tree that a page links to


def lay(page: Path) -> None:
    """Copy a page to the source, with all that it links to."""
    place = SOURCE / page.relative_to(ROOT)
    if place.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(page, place)
    if page.suffix == ".md":
        for link in LINKED.findall(page.read_text(encoding="utf-8")):
            if (target := (page.parent / link).resolve()).is_file():
                lay(target)


shutil.rmtree(SOURCE, ignore_errors=True)
lay(ROOT / "README.md")
for own in HERE.glob("*.md"):
    shutil.copy2(own, SOURCE)
shutil.copytree(ROOT / "docs" / "pictures", SOURCE / "docs" / "pictures", dirs_exist_ok=True)

project = "Pipsight"
copyright = "the Pipsight authors, Apache-2.0"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_design"]
myst_enable_extensions = ["colon_fence"]
default_role = "code"  # of docstrings, which write as Markdown does
smartquotes = False  # an option begins with two hyphens
myst_heading_anchors = 4  # links to headings, as forges make them
autodoc_typehints_format = "short"
autodoc_type_aliases = {"PhotoSource": "PhotoSource"}
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"Pipsight {version}"
html_logo = html_favicon = str(ROOT / "webui" / "static" / "icons" / "favicon.svg")
html_static_path = [str(HERE / "site.css")]
html_css_files = ["site.css"]
html_copy_source = False
ACTING = ("brand-primary", "brand-content", "brand-visited", "api-name", "api-pre-name")
DAY = dict.fromkeys(ACTING, "#1b5a46") | {"background-secondary": "#f8f1e4"}
NIGHT = dict.fromkeys(ACTING, "#8fd6b9")
NIGHT |= {"background-primary": "#16110d", "background-secondary": "#221b15"}
html_theme_options = {
    f"{scheme}_css_variables": {f"color-{name}": value for name, value in colours.items()}
    for scheme, colours in (("light", DAY), ("dark", NIGHT))
}
