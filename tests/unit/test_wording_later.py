"""Wordings of later readings: rules that only say what would happen, votes that wait for an offer, preliminary letters, panels whose vote is not the last."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_traps import MARKETS, answer

# market, status, text of a release about {N}
CASES = (
    ("uk", "no", "Under Rule 41 of the AIM Rules for Companies, the London Stock Exchange will cancel the admission of the securities of {N} where these have been suspended for six months."),
    ("uk", "yes", "The London Stock Exchange will cancel the admission of the securities of {N} on 12 May 2020, these having been suspended for six months."),
    ("in", "no", "{N}: result of postal ballot. The resolution for voluntary delisting is passed with the requisite majority. The delisting remains subject to the success of the delisting offer, that is the acquirer reaching 90 per cent."),
    ("in", "yes", "{N}: result of postal ballot. The resolution for voluntary delisting is passed with the requisite majority. The equity shares will be delisted from BSE on 12 May 2020."),
    ("au", "yes", "All resolutions put to the meeting of {N} were carried. Following the approval under resolution 3 the Company will be removed from the official list of ASX."),
    ("au", "no", "The resolutions are put to the meeting of {N} in June. If they are carried, the Company will be removed from the official list of ASX."),
    ("us", "yes", "NYSE Regulation announced that the common stock of {N} should be suspended at once. Application to the Securities and Exchange Commission to delist the issue is pending the completion of applicable procedures."),
    ("us", "no", "The delisting of {N} is pending the consent of holders."),
    ("ca", "yes", "{N} has final approval to list on Nasdaq. The shares will be delisted from Toronto Stock Exchange concurrently with the commencement of trading there."),
    ("ca", "no", "If approved, the shares of {N} would be delisted from Toronto Stock Exchange concurrently with the commencement of trading on Nasdaq."),
    ("de", "no", "Die Zulassung der Aktien der {N} zum Teilbereich des regulierten Marktes mit weiteren Zulassungsfolgepflichten (Prime Standard) wird auf Antrag widerrufen."),
    ("de", "yes", "Die Zulassung der Aktien der {N} zum regulierten Markt und zum Teilbereich des regulierten Marktes mit weiteren Zulassungsfolgepflichten (Prime Standard) wird auf Antrag widerrufen."),
    ("zh", "no", "{N}收到《终止上市事先告知书》,本所拟决定对你公司股票终止上市。"),
    ("zh", "yes", "{N}收到《终止上市决定书》,本所决定对你公司股票终止上市。"),
    ("ko", "no", "기업심사위원회는 {N}의 상장폐지 여부를 심의한 결과 주권을 상장폐지하는 것이 타당하다고 심의하였습니다."),
    ("ko", "yes", "시장위원회는 {N}의 주권을 상장폐지하기로 결정하였습니다."),
    ("pl", "no", "Zarząd Giełdy postanawia, na podstawie § 30 ust. 1 pkt 2 Regulaminu Giełdy, zawiesić od dnia 4 maja 2020 r. obrót akcjami spółki {N}."),
    ("pl", "no", "Komisja nie zdecydowała o wykluczeniu akcji {N} z obrotu."),
    ("pl", "yes", "Komisja zdecydowała o wykluczeniu akcji {N} z obrotu."),
    ("au", "yes", "The special resolution put to the meeting of {N} was carried on a poll. The Company will accordingly be removed from the official list of ASX."),
    ("au", "no", "{N} has asked ASX to remove it from the official list. ASX has advised that it would be likely to do so, on conditions which include that shareholders approve the removal."),
    ("uk", "no", "The boards of {N} and Almazora have agreed on an acquisition. It is intended that, prior to the effective date, applications will be made for the listing of the shares of {N} to be cancelled."),
    ("us", "no", "{N} corrects a report: a story on a website said that the SEC has revoked the registration of its common stock."),
    ("us", "yes", "The SEC said today that it has revoked the registration of the common stock of {N}."),
    ("de", "yes", "{N} beschließt Segmentwechsel. Der Vorstand hat beschlossen, die Zulassung der Aktien zum Regulierten Markt widerrufen zu lassen und die Einbeziehung in das Segment Scale zu beantragen."),
    ("de", "no", "{N} beschließt Segmentwechsel. Der Vorstand hat beschlossen, die Zulassung zum Prime Standard widerrufen zu lassen und künftig im General Standard notiert zu sein."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), CASES, ids=[f"{case[0]} {case[1]} {case[2][:40]}" for case in CASES])
def test_later_wording(market: str, expected: str, text: str) -> None:
    """A wording beside the one from which it has to be told."""
    assert answer(market, text) == expected, MARKETS[market]
