"""Text of a pool as the index and its queries see it: plain words, and runs of scripts without spaces as bigrams; pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise

from s2r.lang.markup import decode_body, looks_like_markup, visible_text

# Han, kana, Hangul, Thai, Lao, Khmer, Burmese: scripts where words are not set apart, or carry particles
_UNSPACED = (
    "々〆぀-ゟ゠-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿"
    "가-힣ᄀ-ᇿ㄰-㆏"
    "฀-๿຀-໿ក-៿က-႟"
    "\U00020000-\U0003134f"
)  # fmt: skip
_RUN = re.compile(f"[{_UNSPACED}]+")
_SPLIT_WORD = re.compile(r"(?<=[々〆぀-ゟ゠-ヿ㐀-䶿一-鿿])\s+(?=[々〆぀-ゟ゠-ヿ㐀-䶿一-鿿])")
_QUOTED = re.compile(r'["“”„«»]([^"“”„«»]+)["“”„«»]')
_OPERATOR = re.compile(r"(?:^|\s)(?:-\S+|(?:site|inurl|intitle|filetype|before|after|lang):\S*|OR\b|AND\b|NOT\b|\|)")
_WORD = re.compile(r"\w+")
SAME = 3  # letters at the start that all spellings of a word share


def index_text(text: str) -> str:
    """`text` in compatibility form with unspaced runs as overlapping bigrams ("東京都" becomes "東京 京都")."""
    text = _SPLIT_WORD.sub("", unicodedata.normalize("NFKC", text))
    return _RUN.sub(_bigrams, text)


def body_text(body: bytes, content_type: str) -> str:
    """Readable text of a body for the index; "" for binary types other than PDF, and for PDF without text."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/pdf" or body.startswith(b"%PDF-"):
        return _pdf_text(body)
    if kind.startswith(("image/", "audio/", "video/", "font/")) or _is_binary(body):
        return ""
    text = decode_body(body, content_type)
    return visible_text(text) if looks_like_markup(content_type, text) else text


def parse_query(text: str) -> tuple[list[str], list[str]]:
    """FTS5 terms of a query: phrases that must occur, and words that only help ranking. Any text is accepted."""
    text = unicodedata.normalize("NFKC", text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8"))
    phrases = [term for part in _QUOTED.findall(text) if (term := _term(part))]
    rest = _OPERATOR.sub(" ", _QUOTED.sub(" ", text))
    words = [term for word in rest.split() if (term := _term(word))]
    return list(dict.fromkeys(phrases)), list(dict.fromkeys(words))


def match_expressions(text: str) -> list[str]:
    """FTS5 expressions to try in order until there are enough hits; [] when the query holds no word.

    Quoted phrases must all occur. Without quotes all words must occur, and if too few pages have them, any.
    """
    phrases, words = parse_query(text)
    if phrases:
        must = " AND ".join(phrases)
        return [f"({must}) AND ({' OR '.join([*words, phrases[0]])})" if words else must]
    if len(words) > 1:
        return [" AND ".join(words), " OR ".join(words)]
    return words


def tolerant_word(text: str) -> str:
    """The word of a query that is one quoted Latin word of six letters or more, folded as the index folds; else ""."""
    quoted = _QUOTED.findall(unicodedata.normalize("NFKC", text))
    word = fold_word(quoted[0].strip()) if len(quoted) == 1 else ""
    return word if len(word) >= 6 and word.isalpha() and not _RUN.search(word) else ""


def fold_word(word: str) -> str:
    """Lower case without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))


def alike_words(word: str, terms: Iterable[str]) -> list[str]:
    """The terms, all with the first three letters of `word`, that are an inflected form of it (up to four letters more) or another
    spelling (one letter differs, two in long words); x counts as ks, as Polish, Finnish and Turkish write it. `word` itself is none."""
    spelt, most = word.replace("x", "ks"), 2 if len(word) >= 8 else 1
    start = len(word[:SAME].replace("x", "ks"))
    pieces = _pieces(spelt[start:], most + 1)
    return [term for term in terms if term != word and _is_alike(word, term, spelt, most, start, pieces)]


def _is_alike(word: str, term: str, spelt: str, most: int, start: int, pieces: Sequence[str]) -> bool:
    if term.startswith(word):
        return len(term) - len(word) <= 4
    other = term.replace("x", "ks")
    if abs(len(other) - len(spelt)) > most or not any(piece in other[start:] for piece in pieces):
        return False
    return _distance(spelt, other, most)


def _pieces(text: str, count: int) -> list[str]:
    """`text` in so many pieces. One change fewer than there are pieces leaves one of them whole: a term that holds none of them is not
    looked at letter by letter, since a large pool has very many words with the same first letters."""
    marks = [len(text) * place // count for place in range(count + 1)]
    return [text[begin:end] for begin, end in pairwise(marks)]


def _distance(a: str, b: str, most: int) -> bool:
    """Whether at most `most` letters have to be put in, taken out or exchanged to make one word the other."""
    if abs(len(a) - len(b)) > most:
        return False
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
        if min(row) > most:
            return False
    return row[-1] <= most


def _bigrams(match: re.Match[str]) -> str:
    run = match.group()
    pairs = [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
    return f" {' '.join(pairs)} "


def _term(part: str) -> str:
    """One FTS5 phrase, "" when it holds nothing to search; a single unspaced character matches any pair it begins."""
    text = index_text(part)
    if not _WORD.search(text):
        return ""
    quoted = '"' + " ".join(text.replace('"', " ").split()) + '"'
    return f"{quoted}*" if len(text.strip()) == 1 and _RUN.fullmatch(text.strip()) else quoted


def _is_binary(body: bytes) -> bool:
    return b"\0" in body[:1024] and not body.startswith((b"\xff\xfe", b"\xfe\xff"))


def _pdf_text(body: bytes, most_pages: int = 200) -> str:
    import pypdfium2  # heavy, and most pools hold no PDF

    parts: list[str] = []
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError:
        return ""
    try:
        for number in range(min(len(document), most_pages)):
            page = document[number]
            text = page.get_textpage()
            parts.append(text.get_text_bounded())
            text.close()
            page.close()
    except pypdfium2.PdfiumError:
        pass  # a damaged page ends the text of the index, not the page's use as evidence
    finally:
        document.close()
    return "\n".join(parts)
