"""Classes of wording in the languages of the markets: one short notice each, dated 4 May 2020, and its answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate, names_listing
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
# language: issuer, venue, country, ticker, date line
MARKETS = {
    "fr": ("Mécanique Dauphine SA", "XPAR", "FR", "MDA", "4 mai 2020"),
    "es": ("Cerámicas Turia SA", "XMAD", "ES", "CTU", "4 de mayo de 2020"),
    "pt": ("Usina Paraopeba SA", "BVMF", "BR", "UPA3", "4 de maio de 2020"),
    "it": ("Officine Brenta SpA", "XMIL", "IT", "OBR", "4 maggio 2020"),
    "pl": ("Zakłady Warta SA", "XWAR", "PL", "WAR", "4 maja 2020"),
    "ja": ("鴨川精器工業株式会社", "XTKS", "JP", "6398", "2020年5月4日"),
    "zh": ("江洲重工股份有限公司", "XSHG", "CN", "600999", "2020年5月4日"),
    "hk": ("聯港實業有限公司", "XHKG", "HK", "1876", "2020年5月4日"),
    "tw": ("昇璟電子股份有限公司", "XTAI", "TW", "2998", "2020年5月4日"),
    "ko": ("한빛정공", "XKRX", "KR", "099990", "2020년 5월 4일"),
    "vi": ("Công ty Cổ phần Thép Sông Lam", "XSTC", "VN", "TSL", "Ngày 04/05/2020"),
    "id": ("PT Samudra Karya Tbk", "XIDX", "ID", "SMKR", "4 Mei 2020"),
    "ms": ("Gemilang Tani Berhad", "XKLS", "MY", "GTB", "4 Mei 2020"),
    "tr": ("Anadolu Çark Sanayi A.Ş.", "XIST", "TR", "ACARK", "4 Mayıs 2020"),
    "ar": ("دلتا النخيل للسكر", "XCAI", "EG", "DNSC", "4 مايو 2020"),
    "th": ("บริษัท สยามเครื่องกล จำกัด (มหาชน)", "XBKK", "TH", "SKM", "4 พฤษภาคม 2020"),
    "hi": ("विंध्य इस्पात लिमिटेड", "XBOM", "IN", "532999", "4 मई 2020"),
}
NO = (
    (
        "tr",
        "resolved to ask the meeting",
        "{N} yönetim kurulu, payların borsa kotundan çıkarılması hususunu genel kurulun onayına sunmaya karar verdi.",
    ),
    ("ar", "resolved to call a meeting", "قرر مجلس إدارة {N} دعوة الجمعية العامة غير العادية للنظر في الشطب الاختياري لأسهم الشركة."),
    ("th", "resolved to ask the meeting", "คณะกรรมการ {N} มีมติเสนอที่ประชุมผู้ถือหุ้นพิจารณาเพิกถอนหุ้นออกจากตลาดหลักทรัพย์"),
    ("tw", "resolved to call a meeting", "{N}董事會決議召開股東臨時會,討論終止上市案。"),
    (
        "fr",
        "a vote subject to a regulator",
        "L'assemblée générale de {N} a approuvé la demande de radiation, sous réserve de la décision de conformité de l'AMF sur l'offre.",
    ),
    ("es", "a holder asks for it", "Un accionista con el 5 % de {N} pide que la compañía sea excluida de bolsa."),
    ("zh", "holders ask for it", "中小投资者请求证券交易所对{N}作出终止上市决定。"),
    ("hk", "holders ask for it", "主要股東要求聯交所將{N}除牌。"),
    (
        "pt",
        "a generic rule",
        "Os emissores suspensos há mais de 12 meses têm a listagem cancelada de ofício, lembra a {N} no formulário de referência.",
    ),
    (
        "it",
        "a generic rule",
        "Le società sospese da oltre 18 mesi sono revocate dalla quotazione, si legge nel regolamento richiamato da {N}.",
    ),
    ("zh", "a generic rule", "上市公司连续20个交易日收盘价低于1元的,由交易所决定终止其股票上市。{N}提醒投资者注意。"),
    ("pl", "proceedings opened", "KNF wszczęła postępowanie w sprawie wykluczenia akcji {N} z obrotu."),
    ("pl", "a draft resolution", "Projekt uchwały: Walne Zgromadzenie {N} postanawia wycofać z obrotu wszystkie akcje spółki."),
    ("pl", "a court stays it", "Wojewódzki Sąd Administracyjny wstrzymał wykonanie decyzji KNF o wykluczeniu akcji {N} z obrotu."),
    ("hk", "decision overturned", "上市委員會決定取消{N}的上市地位,惟公司已申請覆核,上市覆核委員會已推翻該決定。"),
    ("ms", "appeal allowed", "Bursa Malaysia membenarkan rayuan {N} terhadap keputusan penyahsenaraian."),
    ("zh", "vote not carried", "{N}股东大会未通过主动退市的议案,同意股数未达三分之二。"),
    ("ar", "vote not carried", "لم توافق الجمعية العامة غير العادية لشركة {N} على بند الشطب الاختياري (58% موافقة)."),
    ("zh", "B shares leave, A shares stay", "{N}B股转板方案获通过,B股将终止上市并转为H股;A股不受影响。"),
    ("vi", "bonds leave, shares stay", "Trái phiếu của {N} bị hủy niêm yết do đáo hạn, cổ phiếu vẫn giao dịch bình thường."),
    ("hk", "from GEM to the main board", "{N}由GEM轉往主板上市,GEM上市地位將予取消。"),
    (
        "pt",
        "a line replaced",
        "Grupamento: as ações da {N} na antiga quantidade deixam de ser negociadas e as grupadas passam a ser negociadas em 1º de junho.",
    ),
    ("zh", "insolvency as a risk", "法院裁定受理{N}重整申请,公司股票存在因被宣告破产而被终止上市的风险。"),
    ("it", "a court stays it", "Il TAR ha sospeso il provvedimento di revoca delle azioni {N}."),
    ("it", "holders ask for it", "Gli azionisti di minoranza di {N} chiedono a Consob la revoca della quotazione."),
    (
        "it",
        "threatened",
        "{N} ha revocato il mandato allo specialist e ne nominerà uno nuovo entro 30 giorni, pena l'esclusione dalle negoziazioni.",
    ),
    (
        "it",
        "from one market of the venue to another",
        "Le azioni {N} passano dal mercato MIV al mercato MTA; Borsa Italiana ne dispone la revoca dal MIV.",
    ),
    (
        "pt",
        "registration of an offer",
        "A {N} esclarece que o pedido de registro da OPA unificada para cancelamento foi protocolado na CVM e está em análise.",
    ),
    ("pt", "registration of somebody else", "A CVM cancelou de ofício o registro do agente fiduciário que atuava para a {N}."),
    ("pl", "taken off the agenda", "Sprawa zezwolenia na wycofanie akcji {N} została zdjęta z porządku posiedzenia Komisji."),
    ("pl", "certificates on the shares", "Certyfikaty strukturyzowane na akcje {N} zostały wycofane z obrotu giełdowego."),
    ("zh", "submitted to a meeting", "{N}董事会决定将主动终止上市事项提交6月25日召开的临时股东大会。"),
    ("hk", "a hearing to come", "法院將於6月12日聆訊{N}的協議安排,獲認可後股份將撤銷上市。"),
    ("hk", "an associate", "{N}的聯營公司聯港能源遭聯交所除牌。"),
    ("ko", "submitted to a meeting", "{N} 이사회는 상장폐지 승인의 건을 6월 25일 주주총회에 부의하기로 결의했다."),
    ("ko", "preference shares leave", "{N} 제3우선주는 정리매매 후 상장폐지되나 보통주에는 영향이 없다."),
    ("ko", "a subsidiary", "{N} 종속회사인 한빛부품이 상장폐지됐다고 {N}이 공시했다."),
    ("ja", "a subsidiary", "{N}の完全子会社となる山辺化成株式会社は、株式交換に伴い5月28日付で上場廃止となる。"),
    ("tr", "a subsidiary", "{N} bağlı ortaklığı Çark Enerji borsa kotundan çıkarıldı."),
    ("hi", "a subsidiary", "{N} की सहायक कंपनी को बीएसई ने डीलिस्ट किया।"),
    ("hi", "holders ask for it", "निवेशकों ने बीएसई से {N} को डीलिस्ट करने की मांग की।"),
    ("vi", "an open question", "Chưa rõ {N} có bị hủy niêm yết hay không."),
    (
        "fr",
        "a judge stays the squeeze-out",
        "Le juge des référés a suspendu la mise en œuvre du retrait obligatoire visant les actions {N}.",
    ),
    (
        "es",
        "power given to ask for it",
        "El consejo de {N} acordó delegar en el presidente la facultad de solicitar, cuando proceda, la exclusión.",
    ),
    ("it", "no such resolution", "{N} precisa che nessuna delibera di revoca è stata assunta."),
    (
        "pl",
        "in force with a permission",
        "NWZ {N} przyjęło uchwałę o wycofaniu akcji z obrotu, jednak wejdzie ona w życie z chwilą udzielenia zezwolenia przez KNF.",
    ),
    ("zh", "no effect during the review", "上交所受理{N}的复核申请,复核期间终止上市决定不生效。"),
    ("hk", "no longer in force", "上市覆核委員會決定給予{N}額外六個月復牌,除牌決定不再有效。"),
    ("ko", "an authority must consent", "{N} 주총서 포괄적 주식교환이 승인됐으나 공정위 승인을 받아야 상장폐지 절차가 진행된다."),
    ("ar", "put to a meeting", "وافق مجلس إدارة {N} على عرض الشطب الاختياري على الجمعية العامة."),
    ("ar", "decision stayed", "علقت البورصة قرار شطب {N} لحين البت في التظلم."),
    ("th", "under consideration", "{N} อยู่ระหว่างพิจารณาขอเพิกถอนหุ้น"),
    ("pl", "put off", "Komisja odroczyła decyzję w sprawie wycofania akcji {N} z obrotu."),
    ("pl", "a permission still needed", "Uchwała w sprawie wycofania akcji {N} wymaga jeszcze zgody Komisji."),
    ("ja", "held back", "東証は{N}について上場廃止の決定を留保した。"),
    ("ja", "to be avoided", "{N}の上場廃止を回避するため、増資を実施する。"),
    ("ja", "an associate", "{N}の関連会社である鴨川商事が上場廃止を申請した。"),
    ("zh", "not approved for now", "证监会暂不核准{N}的吸收合并退市方案。"),
    ("zh", "a related company", "{N}关联公司江洲地产的股票被终止上市。"),
    ("hk", "a vote to come", "{N}將於股東特別大會表決自願除牌,須獲75%票數。"),
    ("hk", "if trading has not resumed by then", "聯交所延長{N}的復牌期限至年底,屆時未復牌將除牌。"),
    ("hk", "a rumour", "有傳{N}遭除牌,公司澄清並無此事。"),
    ("ko", "before the decision", "{N}은 상장폐지 결정 전 마지막 소명 기회를 얻었다."),
    ("ja", "one venue given up for the other", "{N}はシンガポール取引所の上場を廃止し、東証への一本化を図ることを決定した。"),
    ("hk", "decision not yet carried out", "上市委員會就取消{N}上市地位之決定將由覆核委員會審議,暫緩執行。"),
    ("hk", "voted down", "{N}股東否決撤回上市之決議。"),
    ("ko", "holders protest", "{N} 주주들이 상장폐지 반대 서명을 거래소에 제출했다."),
    ("vi", "not approved yet", "HOSE chưa chấp thuận hồ sơ hủy niêm yết của {N}."),
    ("th", "voted down", "ผู้ถือหุ้น {N} ลงมติไม่เห็นชอบการเพิกถอนหุ้น"),
    ("hi", "put off", "बोर्ड ने {N} की स्वैच्छिक डीलिस्टिंग पर निर्णय टाल दिया।"),
)
YES = (
    ("fr", "squeeze-out goes ahead", "L'initiateur procédera au retrait obligatoire des actions {N} non apportées le 20 mai."),
    ("fr", "withdrawal notice", "Avis : retrait des actions {N} de la cote à compter du 14 mai 2020."),
    (
        "es",
        "gives up its listing",
        "El consejo de {N} ha decidido renunciar a la cotización de sus acciones y así lo ha notificado a la Bolsa.",
    ),
    (
        "es",
        "excluded by the exchange",
        "Se excluyen de la contratación, con efectos de 8 de mayo de 2020, las acciones de {N}, en liquidación.",
    ),
    ("pt", "short page", "A B3 aprovou a deslistagem voluntária da {N}."),
    (
        "it",
        "gives up its listing",
        "Il consiglio di amministrazione di {N} ha deliberato di rinunciare alla quotazione e ne ha informato la Borsa.",
    ),
    ("it", "short bulletin", "Borsa Italiana revoca {N} per fallimento."),
    ("pl", "ceases to be quoted", "Z dniem 12 maja akcje {N} przestają być notowane na GPW na podstawie uchwały Zarządu Giełdy."),
    ("ja", "reason with a condition in it", "上場廃止等の決定:{N} 理由 上場契約について重大な違反を行った場合に該当するため"),
    ("hk", "no appeal is meant", "{N}接獲聯交所函件,上市委員會已決定取消公司股份的上市地位,公司不擬申請覆核。"),
    ("ko", "states that it delists", "한국거래소는 주식의 포괄적 교환에 따라 {N} 보통주를 상장폐지한다고 공시했다."),
    ("id", "short page", "BEI menyetujui permohonan delisting sukarela {N}."),
    ("fr", "a bulletin of one line", "Radiation des actions {N} le 14 mai 2020 suite au retrait obligatoire initié par Corvane."),
    ("fr", "minutes addressed to holders", "Vous avez approuvé, à la majorité de 93 %, la radiation des actions {N}."),
    ("es", "struck off", "La Bolsa de Madrid da de baja desde el 11 de mayo las acciones de {N} por absorción."),
    ("pt", "leaves the exchange", "Cancelado o registro, as ações da {N} deixam a B3 a partir de 5 de maio."),
    ("it", "order first", "Disposta la revoca di {N}: il provvedimento di Borsa Italiana fa seguito alla dichiarazione di fallimento."),
    ("ja", "noun at the end", "親会社による株式売渡請求を{N}取締役会が承認、5月26日に上場廃止。"),
    ("zh", "vote carried and filed", "{N}关于主动终止上市的议案获股东大会通过,现金选择权申报已完成,公司已向上交所递交申请。"),
    (
        "fr",
        "quotation ceases",
        "La cotation des actions {N} cesse définitivement ce soir, Euronext ayant accédé à la demande de la société.",
    ),
    ("it", "voted", "L'assemblea dei soci di {N} ha votato la revoca dalla quotazione, con effetto immediato e senza condizioni."),
    ("pl", "without any condition", "Walne Zgromadzenie {N} zdecydowało o wycofaniu akcji z giełdy, bez żadnych warunków."),
    ("zh", "day and verb", "换股合并完成,{N}5月18日起终止上市。"),
    ("tr", "removed by the exchange", "Borsa İstanbul {N} paylarını kottan çıkardı."),
    ("th", "removed by the exchange", "หุ้น {N} ถูกเพิกถอนจากตลาดหลักทรัพย์ตามคำสั่งคณะกรรมการ"),
    ("fr", "has taken its shares off", "Par suite de la liquidation de {N}, Euronext Paris a retiré ses actions de la cote."),
    (
        "es",
        "announces it with its day",
        "{N} anuncia la exclusión de cotización de sus acciones con efectos 15 de mayo, tras la autorización de la CNMV.",
    ),
    ("pt", "the exchange will remove", "A B3 excluirá as ações da {N} em 11 de maio, conforme decisão do seu presidente."),
    (
        "it",
        "excluded at the issuer's request",
        "Con efficacia 18 maggio le azioni {N} sono escluse da Euronext Milan su richiesta dell'emittente.",
    ),
    ("pl", "voted", "Walne {N} przegłosowało wycofanie akcji z obrotu."),
    ("hk", "scheme effective", "{N}私有化計劃生效,今日除牌。"),
    ("ja", "its own shares through a subsidiary", "{N}の子会社である鴨川商事との株式併合により、{N}の株式の上場廃止が決定した。"),
    ("ja", "announced by the exchange", "東証が{N}の上場廃止を発表。破産手続開始決定のため。"),
    ("hk", "day and hour", "聯交所公佈:{N}於5月13日上午九時起除牌。"),
    ("ms", "taken off the official list", "Bursa Malaysia Securities akan mengeluarkan {N} daripada Senarai Rasmi pada 15 Mei."),
)


def answer(lang: str, text: str) -> str:
    """The status for a notice of a wire service about the listing of `lang`."""
    issuer, mic, country, ticker, day = MARKETS[lang]
    listing = factories.listing(
        issuer=issuer, mic=mic, country=country, ticker=ticker, security="Ordinary shares", security_type="common", venue=""
    )
    body = f"<html><body><p>{day}</p><p>{text.replace('{N}', issuer)}</p></body></html>"
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    return adjudicate(listing, [page], POLICY).status.value


@pytest.mark.parametrize(("lang", "text"), [(lang, text) for lang, _, text in NO], ids=[f"{lang}: {name}" for lang, name, _ in NO])
def test_no(lang: str, text: str) -> None:
    """Wording that speaks of the end of a listing and does not disclose a qualifying step."""
    assert answer(lang, text) == "no"


@pytest.mark.parametrize(("lang", "text"), [(lang, text) for lang, _, text in YES], ids=[f"{lang}: {name}" for lang, name, _ in YES])
def test_yes(lang: str, text: str) -> None:
    """Wording of qualifying steps as different authors put them."""
    assert answer(lang, text) == "yes"


def test_declined_name_names_the_listing() -> None:
    """A Polish page that only holds the issuer's name in the genitive is a page about it."""
    listing = factories.listing(issuer="Zakłady Włókiennicze Tkalmor S.A.", mic="XWAR", country="PL")
    text = "Komisja udzieliła zezwolenia na przywrócenie formy dokumentu akcjom Zakładów Włókienniczych Tkalmor z siedzibą w Łodzi."
    page = extract(
        f"<html lang='pl'><body><p>{text}</p></body></html>".encode(), "text/html", "https://urzad.example/319", digest="sha256:1"
    )
    assert names_listing(listing, page)
