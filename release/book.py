"""Makes a built book stand alone, and checks its links.

    python3 release/book.py finish BOOK [ADDRESS]
    python3 release/book.py check BOOK

`finish` copies pictures and notebooks of the repository into the book. A link to a crate's `lib.rs`
leads to the documentation of the crate in the book's folder `api`. Links to other files of the
repository lead to ADDRESS, or nowhere. `check` says which pages, files and anchors are named and
not there.
"""

from __future__ import annotations

import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

REPOSITORY = Path(__file__).resolve().parents[1]
# From a page of the book to the repository, as in docs/src.
OUTSIDE = re.compile(r'(href|src)="\.\./\.\./([^"#]*)(#[^"]*)?"')


def api_of(source: Path) -> str | None:
    """The page of a library, by the manifest of its crate."""
    manifest = source.parents[1] / "Cargo.toml"
    name = re.search(r'^\[lib\]\nname = "(.+)"', manifest.read_text(), re.MULTILINE)
    name = name or re.search(r'^name = "(.+)"', manifest.read_text(), re.MULTILINE)
    return f"api/{name[1].replace('-', '_')}/index.html" if name else None


def finish(book: Path, address: str | None) -> int:
    """Leaves no link that leads out of the book by its path."""

    def inside(found: re.Match[str]) -> str:
        attribute, path, anchor = found[1], unquote(found[2]), found[3] or ""
        if not (REPOSITORY / path).exists():
            path = str(Path(path).with_suffix(".md"))  # mdBook writes `.html` for every `.md`.
        source = REPOSITORY / path
        if not source.exists():
            raise SystemExit(f"a page of the book names {path}, which is not in the repository")
        if attribute == "src" or source.suffix in (".png", ".svg", ".ipynb"):
            copy = book / "files" / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            save = " download" if source.suffix == ".ipynb" else ""
            return f'{attribute}="files/{path}"{save}'
        if source.name == "lib.rs" and (page := api_of(source)) and (book / page).exists():
            return f'href="{page}"'
        return f'href="{address}/{path}{anchor}"' if address else f'title="{path}"'

    for page in book.glob("*.html"):
        page.write_text(OUTSIDE.sub(inside, page.read_text()))
    return 0


class Page(HTMLParser):
    """What a page links to, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if name in ("href", "src") and value and tag != "base":
                self.links.append(value)


def check(book: Path) -> int:
    """Prints what is wrong; the result is the exit status."""
    pages = {path: Page(path.read_text()) for path in sorted(book.glob("*.html"))}
    # These are copies of other pages, or shown under any address. What rustdoc links to, it checks.
    own = [path for path in pages if path.name not in ("print.html", "404.html", "toc.html")]
    wrong = [] if own else [f"{book}: no pages"]
    count = 0
    for path in own:
        for link in pages[path].links:
            split = urlsplit(link)
            if split.scheme or split.netloc:
                continue
            count += 1
            to = (path.parent / unquote(split.path)).resolve() if split.path else path
            if not to.is_relative_to(book) or not to.exists():
                wrong.append(f"{path.relative_to(book)}: {link} is not there")
            elif (
                split.fragment
                and to in pages
                and unquote(split.fragment) not in pages[to].anchors
            ):
                wrong.append(f"{path.relative_to(book)}: {link} names no anchor")
    print("\n".join([*wrong, f"{len(own)} pages, {count} links, {len(wrong)} wrong"]))
    return min(len(wrong), 1)


def main() -> int:
    match sys.argv[1:]:
        case ["finish", book]:
            return finish(Path(book).resolve(), None)
        case ["finish", book, address]:
            return finish(Path(book).resolve(), address.rstrip("/"))
        case ["check", book]:
            return check(Path(book).resolve())
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
