"""What stands beside the issuer and its listing: holders who move something, places where it lives on, companies of which the page tells too."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.models import Stage
from tests import factories
from tests.unit.test_wording_heard import answer
from tests.unit.test_wording_traps import MARKETS, POLICY

# market, expected answer, text; {N} is the issuer
HOLDERS = (
    ("de", "no", "Der Aktionär Olaf Brandt hat beantragt, den Vorstand der {N} anzuweisen, den Widerruf der Zulassung der Aktien zu betreiben. Der Antrag fand keine Mehrheit."),
    ("uk", "no", "Shareholder Martin Webb has asked the general meeting of {N} to direct the board to cancel the listing of the ordinary shares. The board advises a vote against; the resolution was lost."),
    ("fr", "no", "L'actionnaire Paul Roux a demandé que l'assemblée de {N} décide la radiation des actions d'Euronext Paris. La résolution a été rejetée."),
    ("sv", "no", "Aktieägaren Karin Ek har yrkat att {N} ska ansöka om avnotering av aktierna. Stämman röstade nej."),
    ("ja", "no", "{N}の株主である田中氏は、東京証券取引所に株式の上場廃止を申請するよう会社に提案した。"),
    ("ko", "no", "{N} 주주인 김씨는 회사가 한국거래소에 보통주의 상장폐지를 신청하도록 요구했다."),
    # it is carried, the company acts, or the one who asks controls it
    ("de", "yes", "Der Aktionär Olaf Brandt hat beantragt, den Vorstand der {N} anzuweisen, den Widerruf der Zulassung der Aktien zu beantragen. Der Antrag wurde mit 92 % der Stimmen angenommen."),
    ("de", "yes", "Der Vorstand der {N} hat heute beschlossen, den Widerruf der Zulassung der Aktien zum regulierten Markt zu beantragen. Aktionäre hatten das verlangt."),
    ("uk", "yes", "The board of {N} has resolved to apply for the cancellation of the listing of its ordinary shares on 4 June 2020. Shareholders had asked for lower costs."),
    ("fr", "yes", "L'actionnaire majoritaire a demandé à Euronext Paris la radiation des actions de {N}, qui a été acceptée et prendra effet le 12 mai."),
    ("ja", "yes", "{N}は、特別支配株主からの株式売渡請求を承認した。当社株式は2020年5月29日をもって上場廃止となります。"),
)  # fmt: skip
PLACES = (
    ("us", "no", "Since 2018, when its shares were delisted from the Toronto Stock Exchange, the common stock of {N} listed on the New York Stock Exchange has been its only listed security."),
    ("es", "no", "Desde 2018, cuando sus acciones fueron excluidas de la Bolsa de Londres, las acciones de {N} cotizan solo en la Bolsa de Madrid."),
    ("de", "no", "Seit 2018, als die Aktien an der SIX Swiss Exchange dekotiert wurden, ist die Frankfurter Wertpapierbörse der einzige Handelsplatz der {N}."),
    ("fr", "no", "Depuis mars 2018, date à laquelle ses actions ont été radiées d'Euronext Bruxelles, {N} n'est plus cotée que sur Euronext Paris."),
    # this venue is left as well, or is the one that is left
    ("us", "yes", "{N} announced that its common stock, listed on the New York Stock Exchange since 2018, will be delisted from it on May 29, 2020 upon the company's Form 25."),
    ("us", "yes", "Following the delisting from the New York Stock Exchange, which takes effect on May 14, 2020, the common stock of {N} will be listed only on the Toronto Stock Exchange."),
    ("de", "yes", "Die Zulassung der Aktien der {N} zum regulierten Markt der Frankfurter Wertpapierbörse ist auf Antrag widerrufen worden; seit 2018 werden sie auch an der SIX Swiss Exchange gehandelt."),
)  # fmt: skip
STEPS = (Stage.DECISION, Stage.DETERMINATION, Stage.REMOVAL)
# market, whether a step is read of the issuer, sentences of a report
REPORTS = (
    ("tr", "no", "{N} temettü açıkladı. Aynı gün Ege Boya ise gönüllü kottan çıkma başvurusunun SPK'ca kabul edildiğini duyurdu."),
    ("uk", "no", "{N} raised its dividend. The same day, Harrow Finch said that its delisting from the London Stock Exchange had been approved."),
    ("de", "no", "{N} erhöht die Dividende. Am selben Tag hat die Holm Brandt ihr Delisting beschlossen."),
    ("fr", "no", "{N} relève son dividende. Le même jour, Verrerie Blanche a obtenu la radiation de ses actions d'Euronext Paris."),
    ("ko", "no", "유가증권시장 한빛금속은 자본전액잠식으로 상장폐지가 확정돼 30일부터 정리매매에 들어간다. {N}과 이름이 비슷해 투자자 주의가 요구된다."),
    ("es", "no", "La CNMV acuerda la exclusión de negociación de las acciones de la inmobiliaria. No se debe confundir con {N}, de nombre parecido."),
    # the issuer itself, with a bidder or a rival beside it
    ("tr", "yes", "Ege Boya temettü açıkladı. {N} ise gönüllü kottan çıkma başvurusunun SPK'ca kabul edildiğini duyurdu."),
    ("uk", "yes", "Shares of {N} fell. The same day, the London Stock Exchange said that it had cancelled the listing of the shares."),
    ("uk", "yes", "Harrow Finch owns 96% of {N}. Meanwhile, Harrow Finch said that the listing of {N}'s ordinary shares had been cancelled."),
    ("ko", "yes", "{N}은 자본전액잠식으로 상장폐지가 확정돼 30일부터 정리매매에 들어간다. 한빛금속과 이름이 비슷해 투자자 주의가 요구된다."),
)  # fmt: skip
# a panel whose vote another committee still has to confirm, as it is the exchange of Seoul's growth market that has one
PANELS = (
    ("no", "기업심사위원회는 2020.05.04 {N} 주권의 상장폐지로 심의하였음."),
    ("no", "{N}이 기심위에서 상장폐지 결정을 받았다."),
    ("yes", "시장위원회는 {N} 주권의 상장폐지를 의결하였음."),
    ("yes", "기업심사위원회 심의와 이의신청을 거쳐 {N}의 상장폐지가 최종 확정되었습니다."),
)


@pytest.mark.parametrize(("market", "expected", "text"), HOLDERS + PLACES)
def test_beside(market: str, expected: str, text: str) -> None:
    """A holder's wish and a place where the listing goes on are no end of it; what the company does is."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(("market", "expected", "text"), REPORTS)
def test_report(market: str, expected: str, text: str) -> None:
    """A report goes from one company to another; one that it only tells the issuer apart from is not the issuer."""
    issuer, mic, country, ticker, day, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    body = f"<html><body><p>{day}</p><p>{text}</p></body></html>".replace("{N}", issuer)
    page = extract(body.encode(), "text/html", "https://www.reuters.com/markets/a.html", digest="sha256:1")
    told = [finding for finding in adjudicate(listing, [page], POLICY).findings if finding.stage in STEPS and finding.target == "this"]
    assert ("yes" if told else "no") == expected


@pytest.mark.parametrize(("expected", "text"), PANELS)
def test_panel(expected: str, text: str) -> None:
    """The vote of a panel is no decision before the committee above it has decided."""
    assert answer("ko", text) == expected


# head, rows and lines of a notice, its day
DAYS = (
    ("Mise en œuvre du retrait obligatoire – {N}", ("Mise en œuvre du retrait obligatoire – {N} | Paris, le 4 mai 2020", "Le retrait obligatoire visant les actions {N} interviendra le 20 mai 2020 et les actions seront radiées d'Euronext Paris."), "2020-05-04"),
    ("Radiation des actions de {N}", ("Radiation des actions de {N} | 4 mai 2020", "Les actions {N} seront radiées d'Euronext Paris le 20 mai 2020."), "2020-05-04"),
    ("Avis", ("Publié le 4 mai 2020", "Date de radiation | 20 mai 2020", "Les actions {N} seront radiées d'Euronext Paris le 20 mai 2020."), "2020-05-04"),
)  # fmt: skip


@pytest.mark.parametrize(("title", "lines", "day"), DAYS)
def test_day_beside_the_headline(title: str, lines: tuple[str, ...], day: str) -> None:
    """A row that is the headline of the page and a day gives the day of the notice, whatever the headline speaks of."""
    issuer, mic, country, ticker, _, security = MARKETS["fr"]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    cells = ("".join(f"<td>{cell}</td>" for cell in line.split(" | ")) for line in lines)
    rows = "".join(f"<table><tr>{row}</tr></table>" if row.count("<td>") > 1 else f"<p>{row[4:-5]}</p>" for row in cells)
    body = f"<html><head><title>{title}</title></head><body>{rows}</body></html>".replace("{N}", issuer)
    page = extract(body.encode(), "text/html", "https://live.euronext.com/a.html", digest="sha256:1")
    verdict = adjudicate(listing, [page], POLICY)
    assert (verdict.status.value, str(verdict.announcement_date)) == ("yes", day)


def test_label_of_another_day() -> None:
    """The day of the implementation in a timetable is not the day of the page."""
    issuer, mic, country, ticker, _, security = MARKETS["au"]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    body = (
        f"<html><body><h1>Scheme effective</h1><p>4 May 2020</p><p>{issuer} has applied to ASX for its removal from the official list.</p>"
        "<p>Implementation Date Friday, 15 May 2020</p></body></html>"
    )
    page = extract(body.encode(), "text/html", "https://www.alderwick.example/a.html", digest="sha256:1")
    assert str(adjudicate(listing, [page], POLICY).announcement_date) == "2020-05-04"


OUTSIDE = (
    # terms that are defined, an index that is left
    ("us", "no", "Definitions. 'Delisting Event' means that the common stock of {N} has ceased to be listed on the NYSE. Holders may then require repurchase of the notes."),
    ("de", "no", "„Delisting-Ereignis“ bedeutet, dass die Zulassung der Aktien der {N} zum regulierten Markt widerrufen worden ist."),
    ("fr", "no", "« Événement de radiation » désigne le fait que les actions de {N} ont été radiées d'Euronext Paris."),
    ("nl", "no", "Euronext schrapt {N} uit de AMX-index per 22 juni."),
    ("id", "no", "BEI mengeluarkan {N} dari indeks LQ45 mulai 2 Juni."),
    ("da", "no", "Aktierne i {N} slettes fra C25-indekset den 22. juni."),
    # a subsidiary of which the issuer tells, a fund that it manages
    ("no", "no", "Datterselskapet Salmarin Settefisk ASA er besluttet strøket fra Oslo Børs, opplyser {N}."),
    ("pl", "no", "Spółka zależna Odra Nieruchomości SA została wykluczona z obrotu na GPW, poinformowały {N}."),
    ("fr", "no", "La filiale Verrerie Blanche SA a été radiée d'Euronext Paris, indique {N}."),
    ("es", "no", "La filial Baldosas Norte SA ha sido excluida de cotización en la Bolsa de Madrid, informa {N}."),
    ("sv", "no", "Dotterbolaget Holmen Fisk AB har avnoterats från Nasdaq Stockholm, meddelar {N}."),
    ("lu", "no", "Les parts du fonds Ardenne Obligations, géré par {N}, sont retirées de la cote de la Bourse de Luxembourg."),
    # a company in which the issuer holds a stake
    ("de", "no", "Die {N} hält 12 % an der Isarwerk AG, deren Vorstand heute das Delisting beschlossen hat."),
    ("fr", "no", "{N} détient 12 % de Verrerie Blanche SA, dont le conseil a décidé ce jour de demander la radiation d'Euronext Paris."),
    ("sv", "no", "{N} äger 20 procent av Holmen Fisk AB, vars styrelse i dag beslutade att ansöka om avnotering."),
    ("no", "no", "{N} eier 30 prosent av Salmarin ASA, som i dag vedtok å søke strykning fra Oslo Børs."),
    ("ja", "no", "{N}が30%を出資する東海電装株式会社は本日、上場廃止を申請した。"),
    ("ko", "no", "{N}이 지분 30%를 보유한 동해전자는 오늘 상장폐지가 결정됐다."),
    ("tw", "no", "{N}轉投資之海城科技股份有限公司今日終止上市。"),
    ("tr", "no", "{N}, Ege Döküm A.Ş.'nin yüzde 30'una sahip olup, bu şirketin payları bugün kottan çıkarıldı."),
    ("uk", "yes", "{N}, which holds 30% of Brackley Foods plc, has resolved to cancel the listing of its ordinary shares on the London Stock Exchange on 4 June 2020."),
    ("uk", "yes", "The ordinary shares of {N}, 96% of which are held by Harrow Finch Limited, which made an offer in March, have been delisted from the London Stock Exchange today."),
    ("de", "yes", "Die {N}, die 12 % an der Isarwerk AG hält, hat heute beschlossen, den Widerruf der Zulassung der Inhaberaktien zum regulierten Markt zu beantragen."),
    ("fr", "yes", "Holding Verre SA détient 96 % de {N}, dont les actions ont été radiées ce jour d'Euronext Paris à la suite du retrait obligatoire."),
    ("ja", "yes", "{N}は、株式の90%を保有する特別支配株主の請求を承認した。当社株式は2020年5月29日をもって上場廃止となります。"),
    # the listing itself
    ("us", "yes", "The common stock of {N} (\"{N}\" means the company and its subsidiaries) will be delisted from the New York Stock Exchange on May 29, 2020 at its request."),
    ("nl", "yes", "Euronext beëindigt de notering van {N} per 22 juni; het aandeel verdwijnt daardoor ook uit de AMX-index."),
    ("da", "yes", "Nasdaq Copenhagen har besluttet at slette aktierne i {N} fra handel, hvorfor de også udgår af C25-indekset."),
    ("sv", "yes", "Nasdaq Stockholm har beslutat att aktierna i {N} avnoteras den 29 maj, meddelar Norrvik."),
    ("fr", "yes", "La filiale Verrerie Blanche SA détient 96 % de {N}, dont les actions ont été radiées ce jour d'Euronext Paris à la suite du retrait obligatoire."),
    ("lu", "yes", "La Bourse de Luxembourg a radié les actions de {N} de la cote à la demande de la société ; ses fonds restent gérés par Mersch Gestion."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), OUTSIDE)
def test_outside(market: str, expected: str, text: str) -> None:
    """Definitions, an index that is left, a subsidiary and a fund that is managed are not the listing."""
    assert answer(market, text) == expected
