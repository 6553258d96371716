"""A phone without scripts: it sees a page's links and forms, and can only tap and type there."""

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

VOID = {"input", "img", "meta", "link", "br", "use", "rect", "line", "polygon", "path", "circle"}
Attributes = dict[str, str | None]


@dataclass
class FoundForm:
    """A form: where it leads, and what its fields hold."""

    attributes: Attributes
    fields: list[tuple[str, str]] = field(default_factory=list)

    def put(self, name, value):
        """Write into a field, or choose one of its values."""
        assert name in dict(self.fields), (name, self.fields)
        self.fields = [(key, value if key == name else held) for key, held in self.fields]


@dataclass
class Control:
    """A link or a button, told as a screen reader would."""

    attributes: Attributes
    form: FoundForm | None = None
    text: str = ""
    within: frozenset[str] = frozenset()  # ids of what it stands in

    @property
    def says(self):
        return self.attributes.get("aria-label") or " ".join(self.text.split())


class _Reader(HTMLParser):
    """Gather what can be tapped, what every field holds, and what each could hold instead."""

    def __init__(self, page):
        super().__init__()
        self.controls: list[Control] = []
        self.forms: list[FoundForm] = []
        self.fields: dict[str, tuple[FoundForm, str]] = {}  # by the words of their labels
        self.choices: dict[str, tuple[FoundForm, str, str]] = {}  # with the value, by their words
        self._ids: dict[str, str] = {}  # the words of a label, by the id of its field
        self._open: list[tuple[str, Attributes]] = []
        self._form: FoundForm | None = None
        self._tapped: Control | None = None
        self._words = ""  # of the label or the option at hand
        self._of = ""  # the id of the field whose label is at hand
        self._select = ""
        self._choice: tuple[str, str] | None = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag not in VOID:
            self._open.append((tag, given))
        if tag == "form":
            self._form = FoundForm(given)
            self.forms.append(self._form)
        elif tag == "a" or (tag == "button" and given.get("type", "submit") == "submit"):
            within = frozenset(each["id"] or "" for _, each in self._open if "id" in each)
            self._tapped = Control(given, self._form, within=within)
        elif self._form:
            self._field(self._form, tag, given)

    def _field(self, form, tag, given):
        name, value, kind = given.get("name") or "", given.get("value") or "", given.get("type")
        if tag in ("label", "option"):
            self._words, self._of = "", given.get("for") or ""
        if tag in ("input", "select") and given.get("id") in self._ids:
            self.fields[self._ids[given["id"] or ""]] = (form, name)
        if tag == "select":
            self._select = name
            form.fields.append((name, ""))
        elif tag == "option":
            self._choice = (self._select, value)
            if "selected" in given:
                form.put(self._select, value)
        elif kind == "radio":
            self._choice = (name, value)
        if tag == "input" and (kind not in ("radio", "file") or "checked" in given):
            form.fields.append((name, value))

    def handle_data(self, data):
        self._words += data
        if self._tapped is not None:
            self._tapped.text += data

    def handle_endtag(self, tag):
        if any(tag == opened for opened, _ in self._open):
            while self._open.pop()[0] != tag:
                pass
        if tag in ("a", "button") and self._tapped is not None:
            self.controls.append(self._tapped)
            self._tapped = None
        elif tag in ("label", "option") and self._form:
            words = " ".join(self._words.split())
            if tag == "label":
                self._ids[self._of] = words
            if self._choice:
                self.choices[words] = (self._form, *self._choice)
                self._choice = None
        elif tag == "form":
            self._form = None


class PlainPhone:
    """A browser in which scripts are off."""

    def __init__(self, client, front_door="/"):
        self._client = client
        self.path = ""
        self.page = ""
        self._read = _Reader("")
        self._show(front_door)

    def _show(self, path, **sent):
        answer = self._client.open(path, follow_redirects=True, **sent)
        assert answer.status_code == 200, (answer.status_code, path, answer.text[-3000:])
        self.path = answer.request.script_root + answer.request.full_path
        self.page = answer.text
        self._read = _Reader(self.page)

    @property
    def over(self):
        return 'id="result-title"' in self.page

    @property
    def game(self):
        """The game that the front door offers."""
        return self._words(r'aria-pressed="true".*?class="name">(.*?)</span>')

    @property
    def prompt(self):
        return self._words(r'id="prompt">(.*?)</p>')

    def _words(self, pattern):
        found = re.search(pattern, self.page, re.DOTALL)
        return unescape(re.sub("<[^>]*>", "", found[1])).strip() if found else ""

    @property
    def rows(self):
        """The rows for names."""
        return self.page.count('name="name"')

    def shows(self, words):
        return words in self.page

    def moves(self):
        """Return the links and buttons that say a move."""
        return [one for one in self._read.controls if {"entry", "correction-entry"} & one.within]

    def press(self, words):
        """Tap the first control of these words."""
        found = self._found(words)
        assert found, (words, [one.says for one in self._read.controls])
        self.tap(found[0])

    def _found(self, words):
        offered = [one for one in self._read.controls if "main" in one.within]
        return [one for one in offered if re.search(words, one.says)]

    def tap(self, control):
        """Follow a link, or send the form of a button."""
        if control.form is None or "href" in control.attributes:
            self._show(control.attributes["href"] or "")
        else:
            self._send(control.form, control.attributes)

    def _send(self, form, button):
        sent = [*form.fields]
        if "name" in button:
            sent.append((button["name"] or "", button.get("value") or ""))
        method = button.get("formmethod") or form.attributes.get("method") or "get"
        path = button.get("formaction") or form.attributes.get("action") or self.path
        by_name: dict[str, list[str]] = {}
        for name, value in sent:
            by_name.setdefault(name, []).append(value)
        if method == "get":
            self._show(path, query_string=by_name)
        else:
            self._show(path, method="POST", data=by_name)

    def choose(self, words):
        """Choose one value of a field, by its words."""
        form, name, value = self._read.choices[words]
        form.put(name, value)

    def fill(self, label, value):
        """Write into the field of a label."""
        form, name = self._read.fields[label]
        form.put(name, value)

    def write(self, label, value):
        """Write into the field of a label, and press Enter."""
        form, name = self._read.fields[label]
        form.put(name, value)
        button = next(one for one in self._read.controls if one.form is form)
        self._send(form, button.attributes)

    def enter(self, control, value):
        """Write into the text field beside a button, and press that."""
        control.form.put("dice", value)
        self.tap(control)

    def type_names(self, names):
        """Write the names of the players."""
        form = next(one for one in self._read.forms if one.attributes.get("id") == "start")
        rows = [held for held in form.fields if held[0] == "name"]
        assert len(rows) == len(names)
        form.fields = [held for held in form.fields if held[0] != "name"]
        form.fields += [("name", name) for name in names]
