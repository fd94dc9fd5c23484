"""Steps that are undone, taken off an agenda or annulled, and steps whose cause is told with a negation; in the languages of the markets."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_traps import answer

# market, status, text of a release about {N}
CASES = (
    ('fr', 'no', "La quatrième résolution, qui prévoyait la radiation des actions {N} d'Euronext Paris, n'a finalement pas été soumise au vote."),
    ('fr', 'no', "L'assemblée de {N} appelée à se prononcer sur la radiation a été ajournée faute de quorum."),
    ("es", "no", "El consejo de {N} acordó retirar del orden del día la propuesta de exclusión de negociación de sus acciones."),
    ('it', 'no', "Il CdA di {N} ha deciso di ritirare dall'ordine del giorno la proposta di revoca delle azioni dalla quotazione."),
    ("pt", "no", "O conselho da {N} decidiu retirar da pauta da assembleia a proposta de cancelamento de registro."),
    ("sv", "no", "Styrelsen i {N} beslutade i dag att dra tillbaka förslaget om avnotering från dagordningen."),
    ("da", "no", "Punktet om afnotering af {N} udgik af dagsordenen efter indsigelser fra mindretalsaktionærer."),
    ("no", "no", "Styret i {N} besluttet å trekke forslaget om strykning fra dagsordenen."),
    ("de", "no", "Der Vorstand der {N} hat beschlossen, den Tagesordnungspunkt zum Widerruf der Börsenzulassung abzusetzen."),
    ("nl", "no", "Het bestuur van {N} heeft besloten het voorstel tot beëindiging van de notering niet in stemming te brengen."),
    ("fi", "no", "{N}:n hallitus päätti vetää pois yhtiökokouksen asialistalta ehdotuksen osakkeiden poistamisesta pörssilistalta."),
    ("pl", "no", "Zarząd {N} zdecydował o wycofaniu z porządku obrad projektu uchwały o wycofaniu akcji z obrotu."),
    ("zh", "no", "{N}董事会决定将主动终止上市议案从股东大会议程中撤下。"),
    ("hk", "no", "{N}董事會決定不將撤銷上市地位之決議案提呈股東特別大會表決。"),
    ("ko", "no", "{N} 이사회는 임시주총 안건에서 자진 상장폐지 승인의 건을 제외하기로 결정했다."),
    ("ja", "no", "{N}取締役会は、臨時株主総会に付議する予定であった上場廃止に関する議案を撤回することを決議しました。"),
    ("vi", "no", "Hội đồng quản trị {N} quyết định rút nội dung hủy niêm yết khỏi chương trình đại hội."),
    ("sv", "no", "Förvaltningsrätten har upphävt Nasdaq Stockholms beslut att avnotera aktierna i {N}."),
    ("da", "no", "Erhvervsankenævnet har ophævet Nasdaq Copenhagens afgørelse om at slette aktierne i {N} fra handel."),
    ("nl", "no", "De voorzieningenrechter heeft het besluit van Euronext om de notering van {N} te beëindigen geschorst."),
    ("it", "no", "Il Consiglio di Stato ha annullato il provvedimento con cui Borsa Italiana aveva disposto la revoca delle azioni {N}."),
    ("es", "no", "El Tribunal Supremo ha dejado sin efecto la exclusión de negociación de las acciones de {N} acordada por la CNMV."),
    ("pt", "no", "O juiz suspendeu os efeitos da decisão da B3 que cancelou a listagem da {N}."),
    ('fr', 'no', "Le Conseil d'État a suspendu la décision de radiation des actions {N} prise par Euronext."),
    ("pl", "no", "Naczelny Sąd Administracyjny uchylił decyzję KNF o wykluczeniu akcji {N} z obrotu."),
    ("fi", "no", "Hallinto-oikeus kumosi Nasdaq Helsingin päätöksen poistaa {N}:n osakkeet pörssilistalta."),
    ("de", "no", "Der Hessische Verwaltungsgerichtshof hat die Entscheidung der Börse, die Zulassung der Aktien der {N} zu widerrufen, für rechtswidrig erklärt und aufgehoben."),
    ("ko", "no", "대법원은 {N}에 대한 거래소의 상장폐지 결정을 무효로 판단한 원심을 확정했다."),
    ("zh", "no", "法院判决撤销交易所对{N}作出的终止上市决定。"),
    ("hk", "no", "上市上訴委員會撤銷上市委員會取消{N}上市地位的決定。"),
    ("ja", "no", "東京地裁は、東証による{N}の上場廃止決定の効力を仮に停止する決定をした。"),
    ("vi", "no", "Tòa án đã tuyên hủy quyết định của HOSE về việc hủy niêm yết cổ phiếu {N}."),
    ("de", "yes", "Weil die Gesellschaft keinen geprüften Jahresabschluss vorgelegt hat, hat die Geschäftsführung der Frankfurter Wertpapierbörse die Zulassung der Aktien der {N} widerrufen."),
    ("de", "yes", "Die Frankfurter Wertpapierbörse hat die Zulassung der Aktien der {N} widerrufen, da kein ordnungsgemäßer Handel mehr gewährleistet ist."),
    ('fr', 'yes', "Euronext a décidé la radiation des actions {N}, la société n'ayant pas publié ses comptes depuis deux ans."),
    ('fr', 'yes', "Faute de comptes publiés, Euronext a décidé de radier les actions {N}, qui n'étaient plus cotées depuis 2018."),
    ("it", "yes", "Non essendo venute meno le ragioni della sospensione, Borsa Italiana ha disposto la revoca dalla quotazione delle azioni {N}."),
    ("es", "yes", "Al no haber presentado sus cuentas anuales, la CNMV ha acordado la exclusión de negociación de las acciones de {N}."),
    ("es", "yes", "La CNMV ha acordado excluir de negociación las acciones de {N} porque la sociedad no publica información desde 2018."),
    ("pt", "yes", "A B3 decidiu cancelar a listagem da {N}, uma vez que a companhia não entregou as informações exigidas."),
    ("pt", "yes", "Como a companhia não regularizou as pendências, a B3 determinou a exclusão das ações da {N} da negociação."),
    ("sv", "yes", "Eftersom bolaget inte har offentliggjort sin årsredovisning har Nasdaq Stockholm beslutat att avnotera aktierna i {N}."),
    ("no", "yes", "Oslo Børs har besluttet å stryke aksjene i {N} fordi selskapet ikke har lagt frem reviderte regnskaper."),
    ("da", "yes", "Nasdaq Copenhagen har besluttet at slette aktierne i {N}, da selskabet ikke har offentliggjort årsrapport."),
    ("nl", "yes", "Omdat de vennootschap geen jaarrekening publiceerde, heeft Euronext besloten de notering van {N} te beëindigen."),
    ("fi", "yes", "Nasdaq Helsinki on päättänyt poistaa {N}:n osakkeet pörssilistalta, koska yhtiö ei ole julkistanut tilinpäätöstään."),
    ("pl", "yes", "Zarząd GPW wykluczył akcje {N} z obrotu, ponieważ spółka nie opublikowała raportu rocznego."),
    ("zh", "yes", "因公司未在法定期限内披露年度报告,上海证券交易所决定终止{N}股票上市。"),
    ("hk", "yes", "由於本公司未能於期限前復牌,上市委員會決定取消{N}之上市地位。"),
    ("ko", "yes", "감사보고서를 제출하지 않은 {N}에 대해 한국거래소가 상장폐지를 확정했다."),
    ("ja", "yes", "有価証券報告書を提出期限までに提出しなかったため、東証は{N}の上場廃止を決定した。"),
    ("vi", "yes", "Do công ty không nộp báo cáo tài chính kiểm toán, HOSE quyết định hủy niêm yết cổ phiếu {N} từ ngày 20/05/2020."),
    ("de", "yes", "Mit Eintragung des Übertragungsbeschlusses in das Handelsregister sind heute alle Aktien der Minderheitsaktionäre der {N} auf die Hauptaktionärin übergegangen; die Börsennotierung wird in den nächsten Tagen eingestellt."),
    ("de", "no", "Das Verwaltungsgericht Frankfurt hat den Widerruf der Zulassung der Aktien der {N} aufgehoben."),
    ('fr', 'yes', "Euronext a fait savoir que les actions {N} seraient radiées du marché réglementé d'Euronext Paris le 20 mai, à la suite du jugement de liquidation judiciaire."),
    ("nl", "yes", "Euronext heeft definitief besloten de aandelen {N} van de beurs te verwijderen omdat het bedrijf geen goedgekeurde jaarrekening heeft gepubliceerd."),
    ("pt", "no", "O item referente ao fechamento de capital da {N} foi retirado da ordem do dia."),
    ("sv", "no", "Punkten om avnotering ströks från dagordningen vid årsstämman i {N}."),
    ("no", "no", "Børsklagenemnden har opphevet vedtaket om å stryke {N} fra notering."),
    ("pl", "yes", "Zarząd GPW podjął uchwałę o wykluczeniu z obrotu giełdowego akcji {N} w związku z ogłoszeniem upadłości likwidacyjnej."),
    ("zh", "no", "{N}发行的“15江重债”将于5月6日终止上市并摘牌,公司股票交易不受影响。"),
    ("zh", "no", "*ST蓝箭收到终止上市决定,{N}表示与该公司无任何关系。"),
    ("hk", "no", "聯交所已將{N}的除牌程序第二階段期限延長三個月。"),
    ("tw", "no", "{N}股東臨時會未通過終止上市案。"),
    ("in", "no", "The Exchange has accepted the request of {N} for removal from the list of companies under Additional Surveillance Measures."),
    ("au", "no", "{N} advises that ASX has agreed to remove the Company from the watch list of long-term suspended entities."),
    ("ch", "no", "Der Verwaltungsrat der {N} wird der ausserordentlichen Generalversammlung vom 12. Juni die Dekotierung beantragen."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "status", "text"), CASES, ids=[f"{market}: {text[:40]}" for market, _, text in CASES])
def test_undone(market: str, status: str, text: str) -> None:
    """An item off the agenda and an annulled decision are no step; a negation that gives the cause of a step does not deny it."""
    assert answer(market, text) == status
