"""Growth markets: an issuer names its own by the short name that several share, or the operator to which it applies."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_reasons import html

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
WIRE = "https://www.globenewswire.com/news-release/a.html"
# market, country, expected status, issuer, lines
ROWS = (
    ("SSME", "SE", "yes", "Björkfall Data AB", "4 maj 2020\nStyrelsen för {N} har beslutat att ansöka om avnotering från First North. Sista dag för handel meddelas senare."),
    ("SSME", "SE", "yes", "Björkfall Data AB", "4 maj 2020\n{N} har i dag ansökt hos Nasdaq Stockholm om att bolagets aktier avnoteras."),
    ("FNSE", "SE", "yes", "Björkfall Data AB", "4 maj 2020\nStyrelsen för {N} har beslutat att lämna First North Growth Market och har ansökt om avnotering."),
    ("FSME", "FI", "yes", "Rautalampi Data Oyj", "4.5.2020\n{N}:n hallitus on päättänyt hakea osakkeiden poistamista First North -listalta."),
    ("FSME", "FI", "yes", "Rautalampi Data Oyj", "4.5.2020\n{N} on tänään jättänyt Nasdaq Helsingille hakemuksen osakkeidensa poistamisesta kaupankäynnistä."),
    ("DSME", "DK", "yes", "Bredmose Data A/S", "4. maj 2020\nBestyrelsen for {N} har besluttet at anmode Nasdaq Copenhagen om at slette selskabets aktier fra handel."),
    ("DSME", "DK", "yes", "Bredmose Data A/S", "4. maj 2020\n{N} forlader First North: selskabet har anmodet om at få aktierne afnoteret."),
    ("MERK", "NO", "yes", "Vikfjell Data AS", "4. mai 2020\nGeneralforsamlingen i {N} har vedtatt å søke om strykning fra Euronext Growth."),
    ("MERK", "NO", "yes", "Vikfjell Data AS", "4. mai 2020\n{N} har i dag sendt søknad til Oslo Børs om strykning av selskapets aksjer."),
    ("ALXB", "BE", "yes", "Polderdata SA", "4 mai 2020\nLe conseil de {N} a décidé de retirer les actions de la société d'Alternext ; la radiation interviendra le 29 mai 2020."),
    ("ALXB", "BE", "yes", "Polderdata SA", "4 mai 2020\nEuronext Brussels a approuvé la radiation des actions de {N} d'Euronext Growth, avec effet au 29 mai 2020."),
    ("EXGM", "IT", "yes", "Lagodati S.p.A.", "4 maggio 2020\nBorsa Italiana ha disposto la revoca delle azioni di {N} dalle negoziazioni su AIM con efficacia dal 29 maggio 2020."),
    ("XESM", "IE", "yes", "Shannon Data plc", "4 May 2020\nThe board of {N} has resolved to cancel the admission of its shares to Euronext Growth. Euronext Dublin has been notified."),
    ("AIMX", "GB", "yes", "Trentdale Data plc", "4 May 2020\n{N} has given notice to the London Stock Exchange that the admission of its shares to trading will be cancelled on 29 May 2020."),
    ("XNCO", "PL", "yes", "Wartadane SA", "4 maja 2020\nZarząd Giełdy podjął uchwałę o wykluczeniu akcji spółki {N} z obrotu na NewConnect z dniem 8 maja 2020 r."),
    ("NMTF", "SE", "yes", "Björkfall Data AB", "4 maj 2020\nNGM har beslutat att avnotera aktierna i {N} från Nordic SME. Sista dag för handel är den 29 maj 2020."),
    # the short name stands beside the place of another market, or the regulated market of the operator is meant
    ("SSME", "SE", "no", "Björkfall Data AB", "4 maj 2020\nStyrelsen för {N} har beslutat att avsluta sekundärnoteringen på First North Finland och har ansökt om avnotering där."),
    ("DSME", "DK", "no", "Bredmose Data A/S", "4. maj 2020\n{N} har anmodet om at få selskabets aktier slettet fra First North Sweden; handlen på First North Denmark fortsætter."),
    ("SSME", "SE", "no", "Björkfall Data AB", "4 maj 2020\nDisciplinnämnden vid Nasdaq Stockholm ålägger {N} ett vite. Bolagets aktier förblir upptagna till handel på First North."),
    ("MERK", "NO", "no", "Vikfjell Data AS", "4. mai 2020\n{N} ASA har søkt om strykning av sine sekundærnoterte aksjer fra Nasdaq Stockholm. Selskapet forblir notert på Euronext Growth."),
    ("EXGM", "IT", "no", "Lagodati S.p.A.", "4 maggio 2020\n{N} ha chiesto il ritiro delle azioni da Euronext Growth Paris; restano negoziate su Euronext Growth Milan."),
    ("XSTO", "SE", "no", "Björkfall Data AB", "4 maj 2020\n{N} avnoterar de gamla aktierna från First North; bolagets aktier handlas sedan i måndags på Nasdaq Stockholm."),
)  # fmt: skip


@pytest.mark.parametrize(("mic", "country", "expected", "issuer", "text"), ROWS, ids=[f"{n} {r[0]} {r[2]}" for n, r in enumerate(ROWS)])
def test_growth_market(mic: str, country: str, expected: str, issuer: str, text: str) -> None:
    """The short name and the operator stand for the market of the listing, another place does not."""
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker="BJRK", security="Shares", security_type="common", venue="")
    page = extract(html(text.replace("{N}", issuer)).encode(), "text/html", WIRE, digest="sha256:0")
    assert adjudicate(listing, [page], POLICY).status.value == expected


def test_codes_of_segments_are_known() -> None:
    """A listing delivered under the code of a segment is judged as one of its venue."""
    assert POLICY.venues["SSME"] is POLICY.venues["FNSE"]
    assert POLICY.venues["XNGS"].mic == "XNAS"
