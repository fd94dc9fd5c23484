"""Language: detected from the text, declared tags, and which of the two wins."""

from __future__ import annotations

import pytest

from s2r.extract import extract
from s2r.lang.detect import detect_language, normalise_language

SENTENCES = [
    ("en", "The Exchange has determined to remove the common stock of the company from listing."),
    ("de", "Der Vorstand hat heute beschlossen, die Zulassung der Aktien zum Regulierten Markt widerrufen zu lassen."),
    ("fr", "Le conseil d'administration a décidé de demander la radiation de ses actions du marché."),
    ("it", "La società comunica che le azioni ordinarie sono escluse dalle negoziazioni con effetto dal giorno della fusione."),
    ("es", "El Consejo de Administración ha acordado proponer a la Junta la exclusión de negociación de las acciones."),
    ("pt", "A companhia informa que o pedido de cancelamento do registro foi deferido e que as ações não serão mais negociadas."),
    ("nl", "De raad van bestuur heeft besloten om de schrapping van de aandelen van de vennootschap aan te vragen."),
    ("sv", "Börsen har beslutat att bolagets aktier ska avnoteras och att sista dag för handel är den 9 mars."),
    ("no", "Oslo Børs har besluttet å stryke selskapets aksjer fra notering etter søknad fra selskapet."),
    ("da", "Børsen har besluttet at slette selskabets aktier fra handel efter anmodning fra bestyrelsen."),
    ("fi", "Yhtiön hallitus on päättänyt hakea osakkeen poistamista pörssilistalta, eikä se edellytä yhtiökokouksen käsittelyä."),
    ("pl", "Zarząd Giełdy postanowił wykluczyć z obrotu akcje spółki z dniem 17 maja, o czym informuje uczestników."),
    ("vi", "Sở Giao dịch Chứng khoán thông báo về việc hủy niêm yết cổ phiếu của công ty từ ngày 20 tháng 3."),
    ("ms", "Bursa telah memutuskan untuk mengeluarkan syarikat itu daripada senarai rasmi dan rayuan telah ditolak."),
    ("id", "Bursa telah memutuskan untuk menghapus pencatatan saham perseroan karena tidak memenuhi persyaratan pada tahun ini."),
    ("tr", "Borsa İstanbul şirketin paylarının kottan çıkarılmasına karar verdiğini ve işlem sırasının kapatılacağını duyurdu."),
    ("ja", "当社株式は平成28年6月20日付で上場廃止となります。"),
    ("ko", "코스닥시장 상장규정에 의하여 주권의 상장폐지가 확정되었음을 알려드립니다."),
    ("zh-Hans", "本所决定公司股票自2020年5月15日起暂停上市,公司应当继续履行信息披露义务。"),
    ("zh-Hant", "本公司宣布股份之上市地位將於七月撤銷,股份今早復牌。"),
    ("hi", "बीएसई ने कंपनियों को डीलिस्ट किया और प्रवर्तकों को शेयर खरीदने होंगे।"),
    ("th", "ตลาดหลักทรัพย์แห่งประเทศไทยเพิกถอนหุ้นสามัญของบริษัทจากการเป็นหลักทรัพย์จดทะเบียน"),
    ("ar", "أعلنت البورصة شطب أسهم الشركة من القائمة الرسمية اعتبارا من يوم الأحد"),
    ("", "KJR 601743 ISIN GB0003821739"),
    ("", ""),
    ("", "Müller Söhne"),
]


@pytest.mark.parametrize(("lang", "text"), SENTENCES)
def test_one_sentence_is_enough(lang: str, text: str) -> None:
    """A single sentence of a notice gives its language; identifiers and names alone give none."""
    assert detect_language(text) == lang


TAGS = [
    ("en-US", "en"),
    ("de_AT", "de"),
    ("nb-NO", "no"),
    ("zh-TW", "zh-Hant"),
    ("zh-CN", "zh-Hans"),
    ("zh-Hant-HK", "zh-Hant"),
    ("zh", "zh"),
    ("x", ""),
    ("", ""),
]


@pytest.mark.parametrize(("tag", "lang"), TAGS)
def test_declared_tags_are_normalised(tag: str, lang: str) -> None:
    """BCP 47 and locale tags become the codes of the policy files."""
    assert normalise_language(tag) == lang


def lang_of(source: str) -> str:
    return extract(source.encode(), "text/html", "u", digest="d").lang


def test_a_declaration_holds_unless_the_text_clearly_contradicts() -> None:
    """Templates declare English on Swedish pages; short texts leave the declaration alone."""
    swedish = "<p>Börsen har beslutat att bolagets aktier ska avnoteras och att sista dag för handel är den 9 mars.</p>"
    assert lang_of(f'<html lang="en">{swedish}</html>') == "sv"
    assert lang_of('<html lang="fi"><p>BKA1S 30.4.2009</p></html>') == "fi"
    assert lang_of('<html><meta property="og:locale" content="pl_PL"><p>PMX 7.840.500</p></html>') == "pl"
    assert lang_of('<html lang="zh-HK"><p>文東地產 2797 股份</p></html>') == "zh-Hant"
