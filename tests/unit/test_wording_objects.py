"""Acts whose object is not the listing, disclosures that were none, and names that another company is given by."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.models import Page
from s2r.policy import source_kind
from tests import factories
from tests.unit.test_wording_buyers import MARKET
from tests.unit.test_wording_traps import POLICY

WIRE = "https://www.globenewswire.com/a.html"
# market, expected answer, text; {N} is the issuer
OBJECTS = (
    # share capital is cancelled, or a lot of the company's own shares leaves the list
    ("uk", "no", "The High Court has today approved the cancellation of {N}'s share premium account and capital redemption reserve."),
    ("uk", "no", "The directors of {N} have resolved to cancel the ordinary shares bought back on the London Stock Exchange since March."),
    ("es", "no", "{N} comunica que la CNMV ha acordado la exclusión de negociación de las 300.000 acciones amortizadas en la reducción de capital."),
    ("lis", "no", "A assembleia geral da {N} deliberou a extinção de ações próprias e a correspondente exclusão da negociação de 400.000 ações."),
    ("da", "no", "Bestyrelsen i {N} har besluttet sletning af 400.000 egne aktier."),
    ("hk", "no", "{N}宣佈,公司於聯交所購回的40萬股股份已於今日註銷,上市地位隨之註銷。"),
    ("tw", "no", "{N}董事會決議註銷庫藏股40萬股並終止上市該等股份。"),
    ("vi", "no", "{N}: Sở Giao dịch Chứng khoán TP.HCM quyết định hủy niêm yết 400.000 cổ phiếu quỹ do giảm vốn điều lệ."),
    ("id", "no", "{N}: RUPS menyetujui penarikan kembali saham treasuri dan pembatalan pencatatan 400.000 saham hasil pembelian kembali."),
    # a request, notice or form is taken back
    ("us", "no", "{N} announced that the Form 25 filed with the Commission on April 20 has been withdrawn."),
    ("us", "no", "{N} said the Form 25 was filed in error and has been rescinded."),
    ("us", "no", "{N} announced that it has revoked its notice of redemption of all outstanding common stock."),
    ("us", "no", "{N} announced that the notice of redemption of its common stock is of no further effect."),
    ("fr", "no", "{N} annonce que sa demande de radiation d'Euronext Paris est retirée."),
    ("es", "no", "{N} comunica que la solicitud de exclusión de negociación presentada en abril ha sido retirada."),
    ("pt", "no", "A {N} informa que o pedido de cancelamento de registro foi retirado pelo conselho de administração."),
    ("no", "no", "Styret i {N} har besluttet å trekke søknaden om strykning fra Oslo Børs."),
    ("pl", "no", "Wniosek {N} o wycofanie akcji z obrotu na GPW został cofnięty."),
    ("pl", "no", "Zarząd {N} podjął decyzję o cofnięciu wniosku o wycofanie akcji z obrotu."),
    ("hk", "no", "{N}宣佈撤回有關撤銷上市地位的申請。"),
    ("vi", "no", "HĐQT {N} quyết định rút hồ sơ hủy niêm yết cổ phiếu."),
    ("us", "no", "An amended form withdrawing the Form 25 of {N} has been filed with the Commission today."),
    # the end, or the work on it, is put off to no day
    ("us", "no", "The board of {N} has decided to postpone its study of a delisting from the NYSE until further notice."),
    ("uk", "no", "The board of {N} has resolved to defer the cancellation of its listing indefinitely."),
    ("uk", "no", "The board of {N} has decided to put its review of the cancellation of its listing on hold."),
    ("uk", "no", "The directors have decided to shelve the work on a delisting of {N}."),
    ("de", "no", "Der Vorstand der {N} hat beschlossen, die Prüfung eines Delistings zurückzustellen."),
    ("ch", "no", "Der Verwaltungsrat der {N} hat entschieden, die Prüfung der Dekotierung zu sistieren."),
    ("fr", "no", "Le conseil d'administration de {N} a décidé de reporter l'étude d'une radiation d'Euronext Paris."),
    ("es", "no", "El consejo de {N} ha decidido posponer la exclusión de la Bolsa de Madrid."),
    ("it", "no", "Il consiglio di {N} ha deliberato di rinviare l'esame del delisting da Borsa Italiana."),
    ("sv", "no", "Styrelsen i {N} har beslutat att pausa arbetet med avnotering från Nasdaq Stockholm."),
    ("no", "no", "Styret i {N} har besluttet å legge planene om strykning fra Oslo Børs på is."),
    ("zh", "no", "{N}董事会决定中止主动终止上市。"),
    ("tw", "no", "{N}董事會決議暫緩申請終止上市案。"),
    ("ko", "no", "{N} 이사회는 상장폐지 검토를 보류하기로 결정했다."),
    ("ko", "no", "{N} 이사회는 자진 상장폐지 추진을 무기한 연기하기로 결의했다."),
    ("vi", "no", "HĐQT {N} quyết định hoãn việc nghiên cứu hủy niêm yết cổ phiếu."),
    ("ms", "no", "Lembaga pengarah {N} memutuskan untuk menangguhkan kajian penyahsenaraian."),
    ("tr", "no", "{N} yönetim kurulu, borsa kotundan çıkma çalışmalarının ertelenmesine karar verdi."),
    ("tr", "no", "{N} yönetim kurulu kottan çıkma sürecinin durdurulmasına karar verdi."),
    ("ar", "no", "قرر مجلس إدارة {N} إرجاء الشطب الاختياري."),
    ("ar", "no", "وافق مجلس إدارة {N} على تعليق السير في إجراءات الشطب الاختياري."),
    ("th", "no", "คณะกรรมการ {N} มีมติเลื่อนการพิจารณาเพิกถอนหุ้นออกไปอย่างไม่มีกำหนด"),
    ("hi", "no", "{N} के निदेशक मंडल ने डीलिस्टिंग के अध्ययन को स्थगित करने का निर्णय लिया है।"),
    ("ar", "no", "وافق مجلس إدارة {N} على تجميد خطة الشطب الاختياري من البورصة."),
    # the list is not the list of quoted securities
    ("uk", "no", "The shares of {N} were placed on the watch list in March. The shares are removed from the list today."),
    ("us", "no", "{N} was added to the NYSE's late filers list in March. The company has been removed from the list as of today."),
    ("sv", "no", "Aktierna i {N} har varit placerade på observationslistan sedan den 2 mars. Budet har fullföljts och aktierna tas bort från listan i dag."),
    ("fi", "no", "{N}:n osakkeet ovat olleet tarkkailulistalla. Osakkeet poistetaan listalta tänään."),
    ("de", "no", "Die Aktien der {N} standen seit März auf der Beobachtungsliste. Die Aktien werden heute von der Liste gestrichen."),
    ("fr", "no", "L'action {N} faisait partie de la liste des valeurs éligibles au SRD. Elle est radiée de la liste à compter du 12 mai."),
    ("pt", "no", "As ações da {N} constavam da lista de empresas em observação. A companhia foi excluída da lista hoje."),
    ("it", "no", "Le azioni {N} erano inserite nella black list Consob. Il titolo è stato cancellato dalla lista oggi."),
    ("nl", "no", "De aandelen {N} stonden op de strafbank. De aandelen worden vandaag van de lijst geschrapt."),
    ("in", "no", "{N} has been on the graded surveillance list since March. The scrip is removed from the list with effect from today."),
    ("au", "no", "{N} was named in ASX's list of entities suspended for more than two years. It has been taken off the list."),
    ("us", "no", "{N} common stock was on the Regulation SHO threshold list since April. It came off the list today and has been removed from the list."),
    ("uk", "no", "{N} was a member of the list of stocks eligible for short selling. The stock was struck off the list yesterday."),
    ("ar", "no", "كانت أسهم {N} مدرجة في قائمة المراقبة. وتقرر شطب الأسهم من القائمة اليوم."),
    ("da", "no", "Aktierne i {N} blev flyttet til observationslisten i marts. I dag slettes aktierne fra listen."),
    # a bidder weighs a request, or keeps it open
    ("lis", "no", "O Oferente reserva-se o direito de requerer à CMVM a exclusão de negociação das ações da {N}."),
    ("es", "no", "El oferente se plantea solicitar la exclusión de {N} de la Bolsa de Madrid."),
    ("it", "no", "L'offerente si riserva di richiedere a Borsa Italiana la revoca dalla quotazione di {N}."),
    ("de", "no", "Die Bieterin zieht in Betracht, den Widerruf der Zulassung der Aktien der {N} zu beantragen."),
    ("lis", "no", "Passando os 90%, o oferente equaciona requerer à CMVM a perda da qualidade de sociedade aberta da {N}."),
    ("fr", "no", "L'initiateur se réserve le droit de demander à Euronext la radiation des actions {N}."),
    # and acts that end the listing, in like words
    ("uk", "yes", "The FCA gives notice that the listing of the ordinary shares of {N} is cancelled with effect from today."),
    ("uk", "yes", "Following its application the listing of the ordinary shares of {N} has been withdrawn from the Official List."),
    ("uk", "yes", "By notice of the FCA the listing of the ordinary shares of {N} has been cancelled."),
    ("uk", "yes", "The listing of the ordinary shares of {N} was cancelled today, after the Court confirmed the reduction of capital under the scheme."),
    ("uk", "yes", "{N} has applied for the cancellation of the listing of its 212,000,000 ordinary shares, excluding 3,000,000 treasury shares."),
    ("uk", "yes", "The board of {N} has resolved to postpone the annual general meeting and to cancel the listing of the shares on the London Stock Exchange."),
    ("us", "yes", "The exchange has determined to suspend trading and delist the common stock of {N}."),
    ("us", "yes", "{N} withdrew its proxy statement and announced that it has filed a Form 25 to delist its common stock from the NYSE."),
    ("us", "yes", "The board of {N} rescinded the share buyback and resolved to voluntarily delist the common stock from the NYSE."),
    ("de", "yes", "Auf Antrag der {N} wurde die Zulassung der Aktien an der Frankfurter Wertpapierbörse widerrufen."),
    ("de", "yes", "Die Frankfurter Wertpapierbörse hat beschlossen, den Handel auszusetzen und die Zulassung der Aktien der {N} zu widerrufen."),
    ("de", "yes", "Der Vorstand der {N} hat beschlossen, das Delisting zu beantragen und die Hauptversammlung zu verschieben."),
    ("fr", "yes", "À la demande de la société, les actions {N} sont radiées d'Euronext Paris le 12 mai."),
    ("fr", "yes", "Euronext a décidé de suspendre la cotation et de radier les actions {N} d'Euronext Paris."),
    ("es", "yes", "A solicitud de la emisora, la CNMV ha acordado la exclusión de negociación de las acciones de {N}."),
    ("pt", "yes", "A pedido da companhia foi cancelado o registro da {N} e as ações deixam de ser negociadas na B3."),
    ("it", "yes", "Su richiesta dell'emittente Borsa Italiana ha disposto la revoca dalla quotazione delle azioni {N}."),
    ("nl", "yes", "Op verzoek van {N} heeft Euronext Amsterdam besloten de notering van de aandelen te beëindigen."),
    ("pl", "yes", "Na wniosek spółki Zarząd Giełdy postanowił wykluczyć z obrotu akcje spółki {N}."),
    ("pl", "yes", "Komisja zezwoliła na wniosek {N} na wycofanie akcji z obrotu na rynku regulowanym."),
    ("sv", "yes", "På begäran av bolaget har Nasdaq Stockholm beslutat att avnotera aktierna i {N}."),
    ("da", "yes", "Nasdaq Copenhagen har besluttet at slette aktierne i {N} fra handel efter kapitalnedsættelsen."),
    ("no", "yes", "Oslo Børs har besluttet at aksjene i {N} skal strykes fra notering etter kapitalnedsettelsen."),
    ("zh", "yes", "上交所决定终止{N}股票上市。公司此前已回购股份并注销。"),
    ("hk", "yes", "聯交所已批准{N}撤回上市地位的申請,股份將於5月12日撤銷上市。"),
    ("ko", "yes", "한국거래소는 {N} 보통주의 상장폐지를 결정하고 매매거래를 중단한다고 밝혔다."),
    ("tr", "yes", "Borsa İstanbul, {N} paylarının kottan çıkarılmasına ve işlemlerin durdurulmasına karar verdi."),
    ("id", "yes", "BEI menyetujui delisting saham {N} setelah penghentian sementara perdagangan."),
    ("ar", "yes", "قررت لجنة القيد بالبورصة المصرية شطب أسهم شركة {N} من جداول البورصة."),
    ("uk", "yes", "{N}: the shares have been removed from the Official List. The list can be found on the FCA website."),
    ("nl", "yes", "Euronext Amsterdam heeft besloten de aandelen van {N}, die op de strafbank staan, van de lijst te schrappen."),
    ("uk", "yes", "The board of {N} has resolved to postpone the cancellation of its listing to 12 May 2020."),
    ("ja", "yes", "東京証券取引所は{N}の普通株式の上場廃止を決定した。同社は株主総会を延期した。"),
)  # fmt: skip


def notice(listing_day: str, text: str, url: str, title: str) -> Page:
    """A page of one headline and paragraphs."""
    body = "".join(f"<p>{part}</p>" for part in (listing_day, *text.split("|")))
    html = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"
    return extract(html.encode(), "text/html; charset=utf-8", url, digest=f"sha256:{abs(hash((url, text)))}")


@pytest.mark.parametrize(("market", "expected", "text"), OBJECTS, ids=[f"{m} {e} {t[:40]}" for m, e, t in OBJECTS])
def test_object(market: str, expected: str, text: str) -> None:
    """An act ends a listing where the listing is its object."""
    issuer, mic, country, ticker, day, security = MARKET[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    assert adjudicate(listing, [notice(day, text.replace("{N}", issuer), WIRE, issuer)], POLICY).status.value == expected


ENDED = "<p>The FCA hereby cancels the listing of the following securities from the Official List:</p><p>ALDERWICK INSTRUMENTS PLC Ordinary Shares of 10p each GB0002634946</p>"
ADMITTED = (
    ("no", "<p>and hereby admits:</p><p>ALDERWICK INSTRUMENTS PLC 41,000,000 Ordinary Shares of 25p each GB00BH4HKS39</p>"),
    ("no", "<p>The following new line is admitted today:</p><p>ALDERWICK INSTRUMENTS PLC Ordinary Shares of 2 1/2p each GB00BH4HKS39</p>"),
    ("yes", ""),
    ("yes", "<p>and hereby admits:</p><p>ALDERWICK INSTRUMENTS PLC 6.5% Notes due 2028 GB00BH4HKS39</p>"),
    ("yes", "<p>and hereby admits:</p><p>CORVANE PLC 41,000,000 Ordinary Shares of 25p each GB00BH4HKS39</p>"),
    ("yes", "<p>Admission to trading on AIM:</p><p>ALDERWICK INSTRUMENTS PLC Ordinary Shares of 25p each; AIM GB00BH4HKS39</p>"),
)
UK = factories.listing(
    issuer="Alderwick Instruments plc",
    mic="XLON",
    country="GB",
    ticker="ALD",
    security="Ordinary shares of 10p each",
    security_type="common",
    venue="",
    isin="GB0002634946",
)


@pytest.mark.parametrize(("expected", "text"), ADMITTED, ids=range(len(ADMITTED)))
def test_admitted_line(expected: str, text: str) -> None:
    """A notice that ends a line and admits another one of the same class at the same venue ends no listing."""
    html = f"<html><body><h1>Official List Notice</h1><p>4 May 2020</p>{ENDED}{text}</body></html>"
    page = extract(html.encode(), "text/html; charset=utf-8", "https://officiallist-notices.example/a.html", digest="sha256:1")
    assert adjudicate(UK, [page], POLICY).status.value == expected


NOTICES, RNS = "https://officiallist-notices.example/b.html", "https://rns-archive.example/b.html"
ENDS = "The FCA has cancelled the listing of the ordinary shares of Alderwick Instruments plc with effect from today."
# expected answer; day, address and text of a second document beside the notice of 4 May 2020
BESIDE = (
    ("no", "5 May 2020", NOTICES, "Correction: the cancellation of the listing of Alderwick Instruments plc was published in error yesterday. It concerns another company."),
    ("no", "6 May 2020", RNS, "Alderwick Instruments plc notes that a notice of cancellation of its listing was inadvertently released on Monday."),
    ("yes", "6 May 2020", RNS, "Alderwick Instruments plc notes that its annual report was inadvertently released on Monday. The shares have left the Official List."),
    ("no", "9 April 2020", RNS, "On 4 May the existing ordinary shares of Alderwick Instruments plc will be removed from the Official List and dealings in the new ordinary shares of 25p will begin."),
    ("yes", "9 April 2020", RNS, "On 18 April the existing ordinary shares of Alderwick Instruments plc will be removed from the Official List and dealings in the new ordinary shares of 25p will begin."),
)  # fmt: skip


@pytest.mark.parametrize(("expected", "day", "url", "text"), BESIDE, ids=[t[:30] for *_, t in BESIDE])
def test_document_beside(expected: str, day: str, url: str, text: str) -> None:
    """A notice that is called a mistake, or whose day is that of a change of a line, ends no listing."""
    pages = [
        notice("4 May 2020", ENDS, "https://officiallist-notices.example/a.html", "Alderwick Instruments plc"),
        notice(day, text, url, "Alderwick Instruments plc"),
    ]
    assert adjudicate(UK, pages, POLICY).status.value == expected


FORM = "FORM TYPE: 25-NSE FILED AS OF DATE: 20200504 SUBJECT COMPANY: ALDERWICK INSTRUMENTS INC|NOTIFICATION OF REMOVAL FROM LISTING|Issuer: {} Exchange: New York Stock Exchange LLC|Common Stock"
FILED = (
    ("no", "Alderwick Timber Corp."),
    ("yes", "ALDERWICK INSTRUMENTS INC"),
    ("yes", "Alderwick Instruments, Inc."),
    ("yes", "Corvane Industries Inc."),
)


@pytest.mark.parametrize(("expected", "named"), FILED)
def test_filed_in_another_name(expected: str, named: str) -> None:
    """A filing under the issuer's name whose own line names a company of like name is that one's; another name may be a former one."""
    listing = factories.listing(
        issuer="Alderwick Instruments Inc.",
        mic="XNYS",
        country="US",
        ticker="ALD",
        security="Common stock",
        security_type="common",
        venue="",
    )
    page = notice(
        "2020-05-04", FORM.format(named), "https://www.sec.gov/Archives/edgar/data/1/25.htm", "FORM 25-NSE ALDERWICK INSTRUMENTS INC"
    )
    assert adjudicate(listing, [page], POLICY).status.value == expected


# market, expected answer, text with the short name {S} that it defines
DEFINED = (
    ("sv", "no", 'Ägarbolaget har nu 94 procent av Norrvik Skog AB ("Norrvik"). Styrelsen för Norrvik har i dag beslutat att ansöka om avnotering av Norrviks aktier från Nasdaq Stockholm.'),
    ("uk", "no", 'Alderwick Timber plc ("Alderwick") announces that Alderwick has applied for the cancellation of its listing on the London Stock Exchange.'),
    ("de", "no", 'Der Vorstand der Weserhafen Reederei AG ("Weserhafen") teilt mit: Weserhafen hat heute den Widerruf der Zulassung an der Frankfurter Wertpapierbörse beantragt.'),
    ("nl", "no", 'Waalstroom Vastgoed NV (hierna "Waalstroom") maakt bekend dat Waalstroom heeft besloten de notering aan Euronext Amsterdam te beëindigen.'),
    ("sv", "yes", 'Norrvik Industrier AB ("Norrvik") meddelar. Styrelsen för Norrvik har i dag beslutat att ansöka om avnotering av Norrviks aktier från Nasdaq Stockholm.'),
    ("uk", "yes", 'Alderwick Instruments plc ("Alderwick") announces that Alderwick has applied for the cancellation of its listing on the London Stock Exchange.'),
    ("de", "yes", 'Die Weserhafen Technik AG ("Weserhafen") teilt mit: Weserhafen hat heute den Widerruf der Zulassung an der Frankfurter Wertpapierbörse beantragt.'),
    ("no", "no", "Heleide Fjordvik Eiendom ble strøket fra Oslo Børs i dag."),
    ("uk", "no", "Wholly-owned Alderwick Timber has been delisted from the London Stock Exchange today."),
    ("uk", "yes", "Alderwick has been delisted from the London Stock Exchange today."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), DEFINED, ids=[f"{m} {e} {t[:30]}" for m, e, t in DEFINED])
def test_defined_name(market: str, expected: str, text: str) -> None:
    """A short name that a document defines for a namesake, or that goes on as a subsidiary's, is not the issuer's."""
    issuer, mic, country, ticker, day, security = MARKET[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    assert adjudicate(listing, [notice(day, text, WIRE, "Meddelande")], POLICY).status.value == expected


PAPER = "https://valley-times.example/2020/05/04/a"
HEARD = (
    (
        "no",
        "Alderwick leaves the exchange",
        "Alderwick has applied to the London Stock Exchange for the cancellation of its listing.",
        "Alderwick Timber plc",
    ),
    (
        "yes",
        "Alderwick leaves the exchange",
        "Alderwick has applied to the London Stock Exchange for the cancellation of its listing.",
        "Alderwick Instruments plc",
    ),
)


@pytest.mark.parametrize(("expected", "title", "text", "who"), HEARD)
def test_report_of_a_like_name(expected: str, title: str, text: str, who: str) -> None:
    """A report by the first word of a name is of the company of that day's release."""
    release = notice("4 May 2020", f"{who} has today applied for the cancellation of its listing on the London Stock Exchange.", RNS, who)
    assert adjudicate(UK, [notice("4 May 2020", text, PAPER, title), release], POLICY).status.value == expected


def test_paper_named_after_an_exchange() -> None:
    """A site of news about an exchange is a newspaper; the exchange's own name is the exchange."""
    assert [
        source_kind(f"https://{host}/a", POLICY)
        for host in ("valley-bourse-news.example", "boerse-nachrichten.example", "bolsa-sur.example")
    ] == ["press", "unknown", "exchange"]
