"""What stands before a day in its line or row: the label of another day than that of the notice, the place where the notice was made."""

from __future__ import annotations

import re

# the label of another day, of which "date" is but the end: "Implementation Date", "Vollzugsdatum"
OTHER_DAY = re.compile(
    r"\b(?:implementation|completion|closing|settlement|record|meeting|effective|ex(?:-\w+)?|conversion|redemption|maturity|expiry|exercise|payment|allotment|delisting|suspension|reference|valuation|hearing|consolidation|distribution|subscription"
    r"|entitlement|trading|transfer|cut-?off|start|end|commencement|admission|listing|scheme|election|offer|acquisition|merger)[ -]dates?:? *$"
    r"|(?:vollzugs|abschluss|zahlungs|wirksamkeits|fälligkeits|verfall\w?|umtausch|liefer\w*|abwicklungs|handels|uitvoerings|afwikkelings|betaal|registratie|verval|ingangs|slot|avstämnings|likvid|genomförande|förfallo|inlösen|oppgjørs|afviklings|betalings)"
    r"(?:datum|dato|datoen|datumet):? *$"
)
# the cell of a day beside the headline: nothing, or the place where the notice was made
PLACE_OF_ISSUE = re.compile(r"(?:[A-ZÀ-Þ][\w'’. -]{1,30}, ?(?:le|den|am|il|lì|a|em|on|op|dnia)? ?)?")
OTHER_LABEL = re.compile(
    r"\W*(?:conformed )?(?:period|event|effective|meeting|record|payment|expiry|maturity|last trading|suspension|removal)\b[^.:]{0,30}: *$"
)
NUMBERED = re.compile(  # the number of a notice, beside which a row gives its day: "Avviso n. 8321 | 4 Maggio 2020"
    r"\W*(?:avviso|notice|avis|aviso|comunicado|comunicato|bulletin|circular|bekanntmachung|mitteilung|kennisgeving|bericht|meddelande|meddelelse|melding|tiedote|komunikat|raport \w+|uchwała|公告|公告编号|公告編號|공시)"
    r" ?(?:n|no|nr|nro|num)?[.°º:]{0,2} ?[\w/.-]{1,16} ?"
)
