"""What on a page is not its matter: by tag, role, class words, and the headings of link lists."""

from __future__ import annotations

import re
from functools import cache


def words(text: str) -> frozenset[str]:
    """The set of blank-separated words."""
    return frozenset(text.split())


TAGS = frozenset({"nav", "footer", "aside", "menu", "select", "button", "dialog"})
ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "toolbar", "dialog", "alertdialog"})
_WORDS = words("""
nav navbar navigation navi menu menus submenu breadcrumb breadcrumbs crumb crumbs footer foot ftr ft sidebar sidebars sidenav aside
rail related rel also mostread mostpopular popular trending recommended recommendations recommendation recirc teasers promo promos
promotion share sharing social socials addthis addtoany comments commentlist disqus respond cookie cookies cookiebar consent gdpr ck
ckbar onetrust cmp newsletter newsletters nl subscribe subscription signup advert adverts advertisement ads ad sponsor sponsored
banner topbar topnav toolbar pagination pager paging pagenav prevnext tags tagcloud masthead mast copyright skip skiplink skiplinks
catlinks sitenotice sitemap navbox toc login signin searchform searchbox newsticker outbrain taboola
""")
_LEADS = words("has have with without no not is js can hide show")
_STRONG_HEADERS = re.compile(
    r"(?:^|[-_ ])(?:site|global|page|region|main|top)[-_]?(?:head(?:er)?|hdr)(?:$|[-_ ])|^(?:hdr|testata|kopf|entete|cabecera)$|^widget",
    re.I,
)
_SPLIT = re.compile(r"[^a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DIGITS = re.compile(r"\d+$")

_PHRASES = """
en: related
en: related (?:news|articles?|stories|posts|content|links|documents|announcements|releases|topics|reading|companies|coverage|quotes)
en: most (?:read|popular|viewed|shared|commented|recent)|more (?:from|news|stories|on|in|about|headlines|articles)\\b.{0,40}
en: read (?:more|next|also)|see also
en: also (?:moving|on|in|read|of interest)\\b.{0,40}|you (?:may|might) (?:also )?(?:like|be interested)\\b.{0,30}
en: (?:latest|recent|other|top|breaking|today's|popular|trending|recommended)
en: (?:latest|recent|other|top|breaking|today's|popular|trending|further|similar) (?:press )?releases\\b.{0,30}
en: (?:latest|recent|other|top|breaking|today's|popular|trending|further|similar|previous|next) (?:news|stories|headlines)\\b.{0,30}
en: (?:latest|recent|other|top|today's|popular|further|similar|previous|next) (?:articles?|posts?|tweets|comments)\\b.{0,30}
en: (?:latest|recent|other|today's|further|similar|previous|next) (?:notices?|announcements?|bulletins?|filings?)\\b.{0,30}
en: recommended(?: for you| reading| stories)?|trending(?: now)?|editor'?s'? (?:picks?|choice)
en: from (?:the|our) (?:archive|partners|web)\\b.{0,30}|sponsored(?: content| links)?|around the web
en: (?:leave|post|add) a (?:comment|reply)|comments?|\\d+ comments?|share (?:this|on)\\b.{0,30}|follow us|categories|archives?|tags
en: navigation|quick links|in this section|contents|newsletter|sign up\\b.{0,40}|previous|next
de: mehr (?:zum thema|zu|aus|von|news|nachrichten)\\b.{0,40}
de: weitere (?:meldungen|nachrichten|artikel|news|themen|ad-hoc-mitteilungen|mitteilungen|links|beiträge)\\b.{0,40}|meistgelesen\\w*
de: das könnte (?:sie|dich)\\b.{0,40}|ähnliche (?:artikel|beiträge|themen)|lesen sie (?:auch|mehr)|auch interessant
de: verwandte (?:artikel|themen)|kommentare?
fr: (?:à|a) lire (?:aussi|également)|lire aussi|voir aussi|articles? (?:liés?|similaires?|connexes?|associés?)
fr: sur le même (?:sujet|thème)|les plus (?:lus|consultés)|autres? (?:actualités|avis|communiqués|articles|infos)\\b.{0,30}
fr: (?:dernières?|toutes les) (?:actualités|nouvelles|infos)|à la une|commentaires?
es: (?:noticias|artículos|contenidos|temas|enlaces) relacionad[oa]s|relacionad[oa]s|lo más (?:leído|visto)
es: más (?:noticias|leídas|sobre|en)\\b.{0,30}|otr[oa]s (?:noticias|avisos|hechos|comunicados|anuncios)\\b.{0,30}|últimas noticias
es: (?:lea|lee|ver) también|te puede interesar|también te puede\\b.{0,30}|comentarios
it: (?:notizie|articoli|contenuti) correlat[ie]|correlati|leggi anche|(?:i )?più letti|altre notizie\\b.{0,30}
it: altri (?:avvisi|articoli|comunicati)\\b.{0,30}|avvisi (?:collegati|correlati|precedenti)|ultime notizie
it: potrebbe (?:interessarti|interessarvi)\\b.{0,30}|vedi anche
it: commenti
pt: (?:notícias|artigos|conteúdos|matérias) relacionad[oa]s|relacionad[oa]s|leia (?:também|mais)|veja (?:também|mais)
pt: mais (?:lidas|notícias|lidos|vistas)\\b.{0,30}|últimas notícias|(?:documentos|notícias|avisos) recentes
pt: outr[oa]s (?:notícias|avisos|ofícios|comunicados)\\b.{0,30}
pt: comentários
nl: lees (?:ook|verder|meer)|meer (?:nieuws|over|artikelen)\\b.{0,30}|gerelateerd\\w*(?: \\w+)?|ander nieuws
nl: andere (?:berichten|mededelingen)\\b.{0,30}|meest gelezen|laatste nieuws|reacties
sv: läs (?:också|även|mer)|mer (?:om|från|nyheter)\\b.{0,30}|relaterat\\w*|relaterade (?:artiklar|nyheter)|mest läst\\w*
sv: senaste nytt|fler (?:nyheter|artiklar)\\b.{0,30}|(?:andra|övriga) (?:nyheter|meddelanden)\\b.{0,30}|kommentarer
no: les (?:også|mer)|mer (?:om|fra)\\b.{0,30}|relatert\\w*(?: \\w+)?|mest lest|siste nytt
no: flere (?:nyheter|saker|meldinger)\\b.{0,30}|(?:andre|øvrige) (?:meldinger|nyheter)\\b.{0,30}
da: læs (?:også|mere)|mere (?:om|fra)\\b.{0,30}|relatere[dt]\\w*(?: \\w+)?|mest læste|seneste nyt
da: flere (?:nyheder|artikler|meddelelser)\\b.{0,30}|(?:andre|øvrige) (?:meddelelser|nyheder)\\b.{0,30}|kommentarer
fi: lue (?:myös|lisää)|lisää (?:aiheesta|uutisia)|aiheeseen liittyvää|luetuimmat|uusimmat(?: uutiset)?
fi: muut (?:tiedotteet|uutiset)\\b.{0,30}|kommentit
pl: (?:czytaj|przeczytaj|zobacz) (?:także|też|również|więcej)|powiązane(?: \\w+)?|najczęściej czytane|najnowsze(?: \\w+)?
pl: (?:inne|ostatnie) (?:komunikaty|wiadomości|raporty)\\b.{0,30}|więcej (?:na temat|wiadomości)|komentarze
tr: ilgili (?:haberler|içerikler)|son haberler|en çok okunanlar|diğer (?:haberler|duyurular)
en: people also \\w+|(?:hot|active|similar) (?:threads|topics)|(?:peer|sector|company) news|elsewhere (?:on|in)\\b.{0,30}
en: more \\w+ today
vi: tin (?:liên quan|khác|mới|cùng ngày|cùng chuyên mục|đọc nhiều|nổi bật)\\b.{0,30}|xem thêm|bài (?:liên quan|viết liên quan)|các tin khác
vi: đọc thêm|bình luận
ms: berita (?:berkaitan|lain|terkini|popular)|baca juga|artikel (?:berkaitan|lain)|lihat juga|pengumuman lain\\b.{0,20}
id: berita (?:terkait|lainnya|terpopuler|terbaru)|baca juga|artikel terkait
ja: 関連(?:記事|ニュース|リンク|情報|銘柄|開示)?
ja: (?:人気|新着|最新|おすすめ|その他の?|他の)(?:の)?(?:記事|ニュース|お知らせ|開示|適時開示|ランキング)?|あわせて読みたい
ja: アクセスランキング|ランキング|コメント
zh: 相关(?:阅读|新闻|文章|链接|推荐|公告|资讯|报道)|(?:热门|最新|推荐|更多|其他|热点)(?:新闻|文章|公告|资讯|阅读|内容)?|延伸阅读
zh: 猜你喜欢|评论|相關(?:閱讀|新聞|文章|連結|公告|報道)|(?:熱門|最新|推薦|更多|其他)(?:新聞|文章|公告|資訊)?|延伸閱讀|留言
ko: 관련(?: ?(?:기사|뉴스|글|공시|종목|링크))?|(?:인기|최신|많이 본|추천|다른|주요|실시간) ?(?:기사|뉴스|공시|글)?|댓글|더보기|이전글
ko: 다음글
hi: संबंधित (?:खबरें|समाचार|ख़बरें)|(?:ताज़ा|ताजा|अन्य|और) (?:खबरें|समाचार)|यह भी पढ़ें|ये भी पढ़ें
th: ข่าว(?:ที่เกี่ยวข้อง|อื่นๆ|ล่าสุด)|อ่านเพิ่มเติม
ar: أخبار (?:ذات صلة|متعلقة|أخرى)|اقرأ أيضا\\w*|مواضيع ذات صلة
ru: читайте также|(?:по теме|похожие)(?: \\w+)?|другие новости|последние новости
"""
_BODY = "|".join(line.split(": ", 1)[1].strip() for line in _PHRASES.strip().splitlines())
_NEXT = re.compile(
    r"[\W_]*(?:(?:previous|next|prev)(?: (?:article|notice|post|page|announcement))?|이전글|다음글|관련 ?공시|前の記事|次の記事|前へ|次へ"
    r"|関連記事|上一[篇条則则]|下一[篇条則则]|相关公告|vorige[rs]?|nächste[rs]?|précédent|suivant|anterior|siguiente|próximo|precedente|successivo"
    r"|föregående|nästa|forrige|neste|næste|edellinen|seuraava|poprzedni|następny|trước|sau)[\W_]*",
    re.I,
)
_MENTION = 70


@cache
def _whole() -> re.Pattern[str]:
    return re.compile(rf"[\W_]*(?:{_BODY})[\W_]*", re.I)


@cache
def _prefix() -> re.Pattern[str]:
    return re.compile(rf"[\W_]*(?:{_BODY})\s?[:：]|[\[【（(]\s?(?:{_BODY})\s?[\]】）)]|(?:上|下)一[条篇則则][:：]", re.I)


def is_related_heading(text: str) -> bool:
    """Whether a heading introduces related links, news lists, comments and the like (languages of the supported markets)."""
    return len(text) <= _MENTION and _whole().fullmatch(text.strip()) is not None


def is_next_link(text: str) -> bool:
    """Whether a table cell only labels the notice before or after this one."""
    return _NEXT.fullmatch(text.strip()) is not None


def is_related_line(text: str) -> bool:
    """Whether a block begins with such a heading and a colon: "Läs också: ..."."""
    return _prefix().match(text[:_MENTION]) is not None


def class_words(name: str) -> list[str]:
    """Lower-case words of one class name or id: "relatedPosts-2" gives related, posts, 2."""
    return [word for word in _SPLIT.split(_CAMEL.sub("-", name).lower()) if word]


def is_boilerplate_class(classes: str) -> bool:
    """Whether any class name or id says that an element is not the page's matter; "has-sidebar" does not."""
    for name in classes.split():
        found = class_words(name)
        if not found or found[0] in _LEADS or found[:2] == ["ad", "hoc"]:
            continue
        if _STRONG_HEADERS.search(name) or any(word in _WORDS or _DIGITS.sub("", word) in _WORDS for word in found):
            return True
    return False
