"""Classes of wording in seven languages: the same step said by other authors, and the sentences that only look like a step."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
WIRE = "https://www.globenewswire.com/news-release/a.html"
# mic -> country, issuer, security, date line
LISTINGS = {
    "XSWX": ("CH", "Weserhafen Technik AG", "Namenaktien", "4. Mai 2020"),
    "XTSE": ("CA", "Alderwick Instruments Corp.", "Common shares", "May 4, 2020"),
    "XHKG": ("HK", "Alderwick Instruments Limited", "Ordinary shares", "4 May 2020"),
    "XLON": ("GB", "Alderwick Instruments plc", "Ordinary shares", "4 May 2020"),
    "AIMX": ("GB", "Alderwick Instruments plc", "Ordinary shares", "4 May 2020"),
    "XDUB": ("IE", "Alderwick Instruments plc", "Ordinary shares", "4 May 2020"),
    "XNAS": ("US", "Alderwick Instruments Inc.", "Common stock", "May 4, 2020"),
    "XNYS": ("US", "Alderwick Instruments Inc.", "Common stock", "May 4, 2020"),
    "XTSX": ("CA", "Alderwick Instruments Corp.", "Common shares", "May 4, 2020"),
    "XASX": ("AU", "Alderwick Instruments Limited", "Ordinary shares", "4 May 2020"),
    "XBOM": ("IN", "Alderwick Instruments Limited", "Equity shares", "4 May 2020"),
    "XJSE": ("ZA", "Alderwick Instruments Limited", "Ordinary shares", "4 May 2020"),
    "XFRA": ("DE", "Weserhafen Technik AG", "Inhaberaktien", "4. Mai 2020"),
    "XSTO": ("SE", "Norrvik Industrier AB", "Aktier", "4 maj 2020"),
    "XOSL": ("NO", "Fjordvik Havbruk ASA", "Aksjer", "4. mai 2020"),
    "XOAS": ("NO", "Fjordvik Havbruk ASA", "Aksjer", "4. mai 2020"),
    "MERK": ("NO", "Fjordvik Havbruk ASA", "Aksjer", "4. mai 2020"),
    "XCSE": ("DK", "Bredsund Maskiner A/S", "Aktier", "4. maj 2020"),
    "XHEL": ("FI", "Koskivirta Oyj", "Osakkeet", "4.5.2020"),
    "XAMS": ("NL", "Waalstroom NV", "Gewone aandelen", "4 mei 2020"),
}
NO = (
    (
        "XNAS",
        "{}'s units will no longer trade as of 12 May; each unit will be separated into one share of Class A common stock and one warrant, which will continue to trade on Nasdaq.",
    ),
    (
        "XLON",
        "At the general meeting held today, the special resolution to cancel the listing of {}'s ordinary shares received 72.4 per cent. of votes cast and accordingly was not passed.",
    ),
    (
        "XLON",
        "The Court today sanctioned the scheme of arrangement of {}. The scheme will become effective upon delivery of the court order to the Registrar, and the listing will be cancelled the day after it becomes effective.",
    ),
    (
        "XASX",
        "{} has requested that ASX remove it from the official list. ASX has advised that removal would be subject to the approval of shareholders by special resolution.",
    ),
    (
        "XASX",
        "ASX policy is that entities suspended for a continuous period of two years are removed from the official list. {} has been suspended since 12 September 2018.",
    ),
    (
        "XJSE",
        "Shareholders of {} are advised that the scheme meeting will be held on 9 June; should all conditions precedent be fulfilled, application will be made to the JSE for the termination of the listing.",
    ),
    ("XFRA", "Der Vorstand der {} hat heute beschlossen, die Hauptversammlung über ein Delisting entscheiden zu lassen."),
    (
        "XFRA",
        "Die {} lädt zur außerordentlichen Hauptversammlung. Die Hauptversammlung möge beschließen, den Vorstand zu ermächtigen, den Widerruf der Zulassung zu beantragen.",
    ),
    ("XSTO", "Styrelsen i {} har beslutat att kalla till extra bolagsstämma för att ta ställning till en avnotering."),
    ("XSTO", "Disciplinnämnden tilldelar {} en varning och vite. Ärendet om avnotering har lämnats över för senare prövning."),
    (
        "XOSL",
        "Styret i {} har besluttet å innkalle til ekstraordinær generalforsamling for å behandle et forslag om strykning fra Oslo Børs.",
    ),
    ("XOSL", "Generalforsamlingen i {} har vedtatt å søke om strykning, men vedtaket er betinget av at långiverne samtykker."),
    ("XCSE", "Bestyrelsen i {} har besluttet at indkalde til ekstraordinær generalforsamling med forslag om afnotering."),
    (
        "XNAS",
        "{} has agreed with its lenders to sell itself to Harrow Group for $4.10 a share. Closing is planned for the third quarter. After closing there will be no public market for the stock and Nasdaq will be asked to strike it.",
    ),
    (
        "XNAS",
        "{}'s rights, each entitling the holder to one-tenth of a share, expired on Friday and were removed from Nasdaq. Trading in its ordinary shares goes on.",
    ),
    (
        "XLON",
        "{} is moving. From 1 June its shares will be in the equity shares (transition) category instead of the commercial companies category of the Official List. The current listing in that category is cancelled at the same moment.",
    ),
    (
        "XBOM",
        "{}: SEBI has asked BSE and NSE to look into compulsory delisting of companies that have been suspended for more than seven years. The company's scrip has been suspended since 2014; a show-cause notice has been issued, to be answered within 21 days.",
    ),
    (
        "XFRA",
        "Für den Antrag auf Delisting der {} stimmten 68 Prozent; notwendig gewesen wären drei Viertel. Die Aktie bleibt damit im Regulierten Markt.",
    ),
    ("XFRA", "Die Tochter Weserhafen Logistik SE der {} zieht sich von der Börse zurück. Ihr Vorstand hat das heute beschlossen."),
    ("XSTO", "Huvudägaren i {} har begärt att styrelsen kallar till extra stämma för att besluta om avnotering."),
    ("XSTO", "58 procent röstade för avnotering av {}, men det krävdes två tredjedelar. Aktien handlas vidare."),
    ("XOSL", "{} har avvist rykter om at selskapet tas av børs."),
    ("XCSE", "Storaktionæren i {} har anmodet bestyrelsen om at indkalde generalforsamlingen for at behandle en afnotering."),
    ("XAMS", "De notering van de cumulatief preferente aandelen {} is beëindigd. De gewone aandelen worden gewoon verhandeld."),
    ("XHEL", "{}:n hallitus on päättänyt kutsua koolle ylimääräisen yhtiökokouksen käsittelemään pörssilistauksen lopettamista."),
    ("XOSL", "Allerede i 2010 ble {} strøket fra børsen i Stockholm. Aksjen er notert i Oslo."),
    ("XSTO", "Redan 2012 avnoterades {} från Oslo Børs. Bolagets aktie är noterad på Nasdaq Stockholm."),
    (
        "XNYS",
        "Hedge fund Pallas wants {} off the exchange. It has asked the NYSE to delist the company, accusing it of false accounts. The NYSE declined to comment.",
    ),
    ("XNAS", "A former subsidiary of {}, Bexley Optics Inc., was delisted from Nasdaq yesterday."),
    (
        "XHKG",
        "The independent board committee of {} recommends that shareholders vote for the resolution on the voluntary withdrawal of the listing at the EGM. The resolution needs 75 per cent and not more than 10 per cent against.",
    ),
    ("XFRA", "Der Aufsichtsrat der {} hat die Entscheidung über das vom Vorstand vorgeschlagene Delisting vertagt."),
    (
        "XFRA",
        "Ein Aktionär hat beim Verwaltungsgericht beantragt, die Frankfurter Börse zum Widerruf der Zulassung der {} zu verpflichten.",
    ),
    (
        "XNAS",
        "{} received written notice from the Office of the General Counsel of Nasdaq that the delisting determination of 9 March is moot, the company having filed its 10-K.",
    ),
    (
        "XNYS",
        "{} has retained advisers to look at alternatives, among them a sale, a merger or a voluntary delisting. It has not set a timetable.",
    ),
    (
        "XBOM",
        "{} seeks members' consent by postal ballot for voluntary delisting of its equity shares from the Bombay exchange. Voting opens on 8 May and ends on 6 June.",
    ),
    (
        "XNYS",
        "{} today gave notice that it will redeem all of its common shares of the second issue on 12 June. The redemption depends on a sale of new shares closing by 5 June. The common stock would then leave the NYSE.",
    ),
    (
        "XLON",
        "The board of {} has resolved to cancel the listing of its shares. The cancellation is subject to the approval of shareholders at a meeting in June.",
    ),
    ("XNYS", "{} expects that, as a result, the NYSE will suspend trading in its common stock and start proceedings to delist it."),
    (
        "XFRA",
        "{} – Widerruf der Zulassung</p><p>Auf Antrag der Emittentin wird die Zulassung der Aktien zum Teilbereich des regulierten Marktes mit weiteren Zulassungsfolgepflichten (Prime Standard) mit Ablauf des 14.12.2020 widerrufen.",
    ),
    (
        "XFRA",
        "Vorstand und Aufsichtsrat der {} haben noch keinen Beschluss gefasst. Ob es zu einem Antrag auf Widerruf der Börsenzulassung kommt, ist offen.",
    ),
    ("XFRA", "Die Gespräche dauern an. Kommt das Angebot zustande, wird der Vorstand der {} den Widerruf der Zulassung beantragen."),
    (
        "XNAS",
        "The Panel wrote to {} on Thursday. Its exception ends on 30 June; on that day the company must show equity of $2.5 million or its stock will be taken off Nasdaq.",
    ),
    ("XTSE", "The TSX has accepted {}'s notice of a normal course issuer bid. Shares bought will be cancelled."),
    ("XTSX", "Trading in {} resumes. The Exchange has withdrawn its bulletin of last week that announced the delisting of the shares."),
)
YES = (
    (
        "XNYS",
        "{} will move its stock exchange listing to the Nasdaq Global Select Market from the New York Stock Exchange, effective 18 May, after market close.",
    ),
    (
        "AIMX",
        "No replacement nomad having been appointed, the admission to trading on AIM of {} has been cancelled pursuant to AIM Rule 1.",
    ),
    (
        "XFRA",
        "Der Übertragungsbeschluss der {} wurde heute in das Handelsregister eingetragen. Die Börsennotierung wird in Kürze eingestellt.",
    ),
    ("XFRA", "Mit Ablauf des 7. Mai 2020 endet die Zulassung der Aktien der {} zum Regulierten Markt. Die Geschäftsführung"),
    (
        "XFRA",
        "Die Verschmelzung der {} auf die Corvane SE wurde heute in das Handelsregister eingetragen. Damit erlischt die Börsenzulassung der {}.",
    ),
    ("XOSL", "Tvangsinnløsningen er gjennomført og aksjene i {} strykes fra notering fra og med 6. mai."),
    ("XOSL", "Oslo Børs har innvilget {} sin søknad om avnotering."),
    ("XOAS", "{} flyttes fra Oslo Axess til Oslo Børs; siste dag på Oslo Axess er 8. mai, vedtok børsen i dag."),
    ("MERK", "{} avnoteres fra Merkur Market, etter at det er åpnet konkurs. Siste dag er i dag, opplyser Oslo Børs."),
    ("XCSE", "Nasdaq Copenhagen har imødekommet anmodningen fra {} om sletning fra handel. Sidste handelsdag er den 20. maj."),
    ("XHEL", "Helsingin pörssi poistaa {}:n osakkeet päälistalta 11.5.2020 alkaen."),
    ("XAMS", "Per 11 mei 2020 zijn de aandelen {} niet langer genoteerd aan Euronext Amsterdam, aldus Euronext."),
    (
        "XNYS",
        "NYSE Regulation announced that it has suspended dealings in {} and is starting the procedure to remove the shares, whose price has been abnormally low.",
    ),
    (
        "XNAS",
        "{} said Nasdaq's staff had refused its plan and determined that the stock be removed. It will ask for a hearing, which keeps the shares trading for now.",
    ),
    (
        "XNAS",
        "{} closed its sale to Harrow this morning. Nasdaq has been told of the closing and asked to halt the stock and file the removal form with the SEC.",
    ),
    (
        "XDUB",
        "{} will cancel its Dublin quotation: the board today resolved to keep London only. Notice has been given to Euronext Dublin; the final Dublin session is 29 May.",
    ),
    (
        "XTSX",
        "{} has obtained the consent of the TSXV to delist voluntarily; the shares will come off the board on 8 May and trade on the CSE thereafter.",
    ),
    (
        "XFRA",
        "Die {} gibt bekannt, dass sie die Zulassung ihrer Aktien zurückgibt. Vorstand und Aufsichtsrat fassten heute den entsprechenden Beschluss; eine Zustimmung der Aktionäre ist nicht nötig.",
    ),
    (
        "XFRA",
        "Mit Eintragung der Verschmelzung heute ist die {} erloschen. Die Frankfurter Wertpapierbörse stellt die Notierung mit sofortiger Wirkung ein.",
    ),
    ("XFRA", "Nach Abschluss des Squeeze-out wird der Börsenhandel mit Aktien der {} zum Tagesende eingestellt; die Zulassung entfällt."),
    ("XOSL", "Oslo Børs imøtekommer søknaden fra {}. Aksjene noteres siste gang 22. mai og strykes deretter."),
    ("XOSL", "Børsen har kommet til at {} ikke lenger er egnet for notering. Aksjene strykes 11. mai."),
    (
        "XNYS",
        "{} notified the Exchange today of its intention to take its common shares off the NYSE and will file a Form 25 with the SEC about 14 May. The shares should then trade over the counter.",
    ),
    (
        "AIMX",
        "Holders of 82 per cent. of {} present at today's meeting agreed to quit AIM. The shares will be traded there for the last time on 13 May.",
    ),
    ("XDUB", "{} is to end its quotation in Dublin, its directors decided today. London will be its only market from 2 June."),
    ("XSWX", "SIX hat die Dekotierung der Namenaktien der {} auf den 15. Mai festgesetzt."),
    ("XSTO", "Nasdaq Stockholm avnoterar {}. Sista dag för handel är 12 maj, meddelade börsen i dag."),
    ("XCSE", "{} opgiver børsnoteringen. Bestyrelsen har truffet beslutning herom, og ansøgning er sendt."),
    ("XCSE", "Efter tvangsindløsningen ophører noteringen af {} på Nasdaq Copenhagen den 11. maj."),
    ("XAMS", "De aandelen {} verdwijnen per 12 mei van Euronext Amsterdam; dat heeft Euronext bekendgemaakt."),
    ("XAMS", "{} vraagt Euronext om beëindiging van de notering. Het besluit daartoe is vandaag genomen."),
    (
        "XNAS",
        "{} reported that, on receiving word of its chapter 11 petition, Nasdaq decided that its securities will be delisted. Trading is suspended from 13 May.",
    ),
    ("AIMX", "{} (AIM: ALD): shareholder approval having been received today, the AIM cancellation will happen at 7 a.m. on 14 May."),
    ("XHKG", "The Exchange has rejected the resumption proposal of {} and decided to cancel its listing with effect from 18 May."),
    ("XSTO", "Efter att skiljenämnden beslutat om förhandstillträde upphör {}:s aktie att vara noterad; sista handelsdag är den 12 maj."),
    ("XOSL", "{} har fått ja fra Oslo Børs til å bli strøket."),
    ("XCSE", "{} har fået grønt lys af Nasdaq Copenhagen til at blive afnoteret; sidste handelsdag er den 15. maj."),
    (
        "XLON",
        "The board of {} has resolved to cancel the listing of its shares. The cancellation is subject to the consent of the exchange.",
    ),
    (
        "XNAS",
        "{} was advised that the Panel had determined to delist its shares from Nasdaq; trading will be suspended at the open on 6 May.",
    ),
    (
        "XAMS",
        "De raad van bestuur heeft besloten dat {} voortaan alleen nog aan Oslo Børs genoteerd zal zijn. De notering in Amsterdam wordt opgegeven.",
    ),
    (
        "XCSE",
        "Ejerstrukturen taler ikke længere for en plads på børsen. Bestyrelsen i {} har derfor i dag besluttet at lade aktierne udgå og har sendt anmodning herom til Nasdaq Copenhagen.",
    ),
    ("XLON", "{}: on a poll, 93.2 per cent. backed the cancellation of listing. It takes effect at 8.00 a.m. on 3 June."),
    ("XJSE", "The listing of {} will be removed by the JSE on 12 May; approval was given today at the request of the liquidators."),
    ("XFRA", "Die Frankfurter Börse streicht die {} zum 12. Mai aus dem Regulierten Markt, teilte die Geschäftsführung mit."),
    ("XCSE", "Nasdaq Copenhagen: Sletning af {} fra handel. Sidste handelsdag er den 15. maj."),
)


def answer(mic: str, text: str) -> str:
    """`status date` for one first-hand page of 4 May 2020."""
    country, issuer, security, day = LISTINGS[mic]
    listing = factories.listing(issuer=issuer, mic=mic, venue="", country=country, security=security, ticker="ALD")
    html = f"<html><body><p>{day}</p><p>{text.replace('{}', issuer)}</p></body></html>"
    page = extract(html.encode(), "text/html", WIRE, digest="sha256:1")
    verdict = adjudicate(listing, [page], POLICY)
    return " ".join(str(part) for part in (verdict.status.value, verdict.announcement_date) if part)


@pytest.mark.parametrize(("mic", "text"), YES, ids=lambda value: value[:40])
def test_step_in_other_words(mic: str, text: str) -> None:
    """A qualifying step counts however its author words it."""
    assert answer(mic, text) == "yes 2020-05-04"


@pytest.mark.parametrize(("mic", "text"), NO, ids=lambda value: value[:40])
def test_no_step(mic: str, text: str) -> None:
    """Calls of meetings, failed votes, provisos, rules, other classes and companies, and history do not count."""
    assert answer(mic, text) == "no"
