"""Language of a text: by script for scripts that tell, by function words for Latin script."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from s2r.models import Page

_SAMPLE = 6000


def words(text: str) -> frozenset[str]:
    """The set of blank-separated words."""
    return frozenset(text.split())


_HANGUL = re.compile("[\uac00-\ud7a3\u1100-\u11ff]")
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u4e00-\u9fff\u3400-\u4dbf]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_SCRIPTS = (
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
)
_OTHER_SCRIPT = re.compile("[\u0370-\u06ff\u0900-\u097f\u0e00-\u0e7f\u1100-\u11ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_PROFILES = {
    "en": (
        "the of and to in a is that for on by with as was at be from this will which are it an or not has its have been their "
        "company said would were after"
    ),
    "de": (
        "der die das und in den von zu mit des auf für ist im dem nicht ein eine als auch werden wird sich aus an dass nach bei "
        "der einer wurde hat sind zum zur oder durch über gesellschaft"
    ),
    "fr": (
        "le la les de des du et en à un une est dans que pour qui sur par au aux avec ce cette plus ne pas ses sont été sera a "
        "été la société l d"
    ),
    "es": (
        "el la los las de del y en que a un una por con se para es al su sus lo como más no ha fue sobre esta este acciones "
        "sociedad entre"
    ),
    "it": (
        "il la di del della dei delle e in che un una per con è al alla sono da le gli i non si nel nella dal ha società azioni "
        "come anche stato"
    ),
    "pt": (
        "o a os as de do da dos das e em no na que um uma por para com se ao não foi é são sua seu companhia ações pela pelo mais "
        "como será"
    ),
    "nl": (
        "de het een van en in op te dat is voor met zijn aan door bij niet worden wordt als ook naar om er uit deze zal was heeft "
        "aandelen vennootschap"
    ),
    "sv": (
        "och att i det som en på är av för med den till har inte ett om var kommer vid från bolaget aktier styrelsen aktien under "
        "sina efter hos"
    ),
    "no": (
        "og i det som på er av for med til den en har ikke et om ble vil fra ved selskapet aksjer styret aksjene etter seg etter "
        "blir være at"
    ),
    "da": (
        "og i det som på er af for med til den en har ikke et om blev vil fra ved selskabet aktier bestyrelsen aktierne efter sig "
        "bliver være kr at"
    ),
    "fi": (
        "ja on ei se että oli joka sekä myös tai kun mutta ovat mukaan sen yhtiö yhtiön osakkeiden osakkeet osakkeen hallitus jos "
        "ole kanssa jälkeen päättänyt tämä"
    ),
    "pl": (
        "w i na z do się nie że o jest przez od oraz po za dla ze są akcji spółki spółka jak przy był być został roku zarząd dnia "
        "których"
    ),
    "vi": "và của các là có được cho trong với không một này đã công ty cổ phiếu phần về từ tại theo ngày đến những niêm yết sẽ khi",
    "ms": (
        "yang dan di untuk dengan dalam kepada pada adalah ini telah akan daripada oleh itu tidak syarikat saham bursa sebagai "
        "bagi tersebut ialah mengenai"
    ),
    "id": (
        "yang dan di untuk dengan dalam kepada pada adalah ini telah akan dari oleh itu tidak perusahaan saham bursa sebagai bagi "
        "tersebut atas perseroan tahun"
    ),
    "tr": (
        "ve bir bu için ile olarak da de en olan daha şirket payları sayılı tarafından kadar gibi ise tarihinde sonra kurulu "
        "borsa olduğu"
    ),
}  # fmt: skip
_WORDS = {lang: words(text) for lang, text in _PROFILES.items()}
_SPEAK: dict[str, list[str]] = {}  # languages of each word
for _lang, _profile in _WORDS.items():
    for _word in _profile:
        _SPEAK.setdefault(_word, []).append(_lang)
_SHARED = Counter(word for profile in _WORDS.values() for word in profile)
# Letters that hardly occur outside a language.
_MARKS = {
    "de": "ßẞ",
    "pl": "łżśćńęąźŁŻŚ",
    "vi": "ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđơưĐƯƠ",
    "tr": "ğışĞİŞ",
    "es": "ñ¿¡",
    "pt": "ãõ",
    "fr": "œêèûîç",
    "it": "ìò",
}
_FINNISH = ("ää", "yy", "öö", "ssa ", "ssä ", "sta ", "stä ", "lla ", "llä ", "lle ", "een ", "ksi ")  # doubled letters and endings
_MARKED: dict[str, list[str]] = {}  # languages of each letter
for _lang, _letters in _MARKS.items():
    for _letter in _letters:
        _MARKED.setdefault(_letter, []).append(_lang)
_NO_ASCII = re.compile(r"[^\x00-\x7f]")
_TOKEN = re.compile(r"[^\W\d_]+")
_CONFUSED = (
    (
        "da",
        "no",
        words("af blev efter hvad selskabet bestyrelsen nogle mellem aktierne aktier aktie meddelelse oplysninger yderligere deres"),
        words("av ble etter hva selskapet styret noen mellom aksjene aksjer aksje melding opplysninger ytterligere deres"),
    ),
    (
        "ms",
        "id",
        words("daripada syarikat ialah berkenaan sesuatu mesyuarat penyenaraian senarai dikeluarkan kerana beliau kewangan ringgit bhd"),
        words("dari perusahaan perseroan karena tahun rapat pencatatan emiten tercatat keuangan bahwa efek pihak rupiah tbk"),
    ),
)
_MIN_WORDS = 6


def detect_language(text: str) -> str:
    """ISO 639-1 code (zh-Hans, zh-Hant for Chinese) of the main language of a text; "" when unsure."""
    sample = text[:_SAMPLE]
    if sample.isascii() or not _OTHER_SCRIPT.search(sample):
        return _latin(sample)
    han, kana, hangul, latin = (len(p.findall(sample)) for p in (_HAN, _KANA, _HANGUL, _LATIN))
    wide = han + kana + hangul
    if wide * 3 > latin and wide >= 8:
        if hangul > wide * 0.3:
            return "ko"
        if kana > wide * 0.06:
            return "ja"
        return _chinese(sample)
    for lang, pattern in _SCRIPTS:
        if (count := len(pattern.findall(sample))) >= 12 and count * 2 > latin:
            return lang
    return _latin(sample)


def _chinese(sample: str) -> str:
    """Simplified or Traditional by which national character set (GB 2312, Big5) lacks the other's characters."""
    han = _HAN.findall(sample)
    simplified = sum(1 for c in han if _fits(c, "gb2312") and not _fits(c, "big5"))
    traditional = sum(1 for c in han if _fits(c, "big5") and not _fits(c, "gb2312"))
    if simplified == traditional:
        return "zh"
    return "zh-Hans" if simplified > traditional else "zh-Hant"


@lru_cache(maxsize=20_000)
def _fits(char: str, charset: str) -> bool:
    try:
        char.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _latin(sample: str) -> str:
    found = _TOKEN.findall(sample.lower())
    if len(found) < _MIN_WORDS:
        return ""
    counts = Counter(found)
    scores = dict.fromkeys(_WORDS, 0.0)
    for word, count in counts.items():
        for lang in _SPEAK.get(word, ()):
            scores[lang] += min(count, 40) / _SHARED[word]
    marks = Counter(lang for char in _NO_ASCII.findall(sample) for lang in _MARKED.get(char, ()))
    marks["fi"] += sum(map(sample.count, _FINNISH))
    for lang, count in marks.items():
        scores[lang] += count * (0.5 if lang in ("pl", "vi", "tr") else 0.25)
    order = sorted(scores, key=lambda lang: -scores[lang])
    best, second = order[0], order[1]
    for left, right, left_words, right_words in _CONFUSED:
        if best not in (left, right):
            continue
        left_count, right_count = sum(counts[word] for word in left_words), sum(counts[word] for word in right_words)
        if left_count != right_count:
            return left if left_count > right_count else right
    if scores[best] < max(1.5, len(found) * 0.04) or scores[best] < scores[second] * 1.15:
        return ""
    return best


def settle_language(page: Page) -> Page:
    """The page with its language settled: a declared one (html lang, locale) unless clear detection contradicts it."""
    declared = normalise_language(page.lang)
    main = " ".join(page.text[block.start : block.end] for block in page.blocks[:60] if block.main) or page.text
    found = detect_language(main) or detect_language(page.text)
    if not found or (declared and found.split("-")[0] == declared.split("-")[0] and found == "zh"):
        lang = declared
    else:
        lang = found
    return page if lang == page.lang else page.model_copy(update={"lang": lang})


def normalise_language(tag: str) -> str:
    """Language code as used here from a BCP 47 or locale tag: de-AT gives de, zh_TW gives zh-Hant, nb gives no; "" when unknown."""
    parts = re.split(r"[-_]", tag.strip().lower())
    code = {"nb": "no", "nn": "no", "in": "id", "iw": "he", "jp": "ja", "kr": "ko", "cn": "zh", "se": "sv", "dk": "da"}.get(
        parts[0], parts[0]
    )
    if not re.fullmatch(r"[a-z]{2,3}", code):
        return ""
    if code == "zh":
        rest = set(parts[1:])
        return "zh-Hant" if rest & {"tw", "hk", "mo", "hant"} else "zh-Hans" if rest & {"cn", "sg", "hans"} else "zh"
    return code
