"""What keeps a vote open, what only opens proceedings, and what was obtained before the step; in the languages of the markets."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_traps import answer

# market: a vote about {N}, and the reserves under which it can stand
VOTES = {
    "de": (
        "Die Hauptversammlung der {N} hat heute das Delisting der Aktien von der Frankfurter Wertpapierbörse beschlossen",
        (", vorbehaltlich der Genehmigung des Gerichts.", ", unter dem Vorbehalt, dass die Hauptaktionärin ein Angebot vorlegt.", "; Voraussetzung ist die Zustimmung der Vorzugsaktionäre.", ", sobald die BaFin die Angebotsunterlage gestattet hat.", " unter der aufschiebenden Bedingung, dass 90 Prozent angedient werden.", ". Der Beschluss steht unter der Bedingung, dass die Gläubiger zustimmen.", ". Wirksam wird das Delisting nur, wenn das Angebot zustande kommt.", ", falls die Finanzierung gesichert ist."),
    ),
    "fr": (
        "L'assemblée générale de {N} a approuvé ce jour la radiation des actions d'Euronext Paris",
        (", sous réserve de l'accord des créanciers.", ", à condition que l'offre atteigne 90 %.", ", dès que l'AMF aura déclaré l'offre conforme.", " sous la condition suspensive de la réalisation de la fusion.", ". Cette décision ne prendra effet que si l'offre de rachat aboutit.", ". La radiation reste subordonnée à l'homologation du tribunal.", ", pour autant que les porteurs d'obligations y consentent.", ", une fois obtenu le feu vert du régulateur."),
    ),
    "nl": (
        "De algemene vergadering van {N} heeft vandaag besloten de notering aan Euronext Amsterdam te beëindigen",
        (", onder voorbehoud van goedkeuring door de schuldeisers.", ", mits de bieder 95% verwerft.", ", op voorwaarde dat de fusie doorgaat.", ", zodra de AFM het biedingsbericht heeft goedgekeurd.", "; het besluit wordt pas van kracht na goedkeuring door de rechtbank.", ". Het besluit is afhankelijk van instemming van de obligatiehouders.", ", indien de terugkoop slaagt.", " onder de opschortende voorwaarde van afwikkeling van het bod."),
    ),
    "it": (
        "L'assemblea di {N} ha approvato oggi la revoca delle azioni dalla quotazione su Borsa Italiana",
        (", subordinatamente all'assenso dei creditori.", ", a condizione che l'offerta raggiunga il 90%.", ", purché il recesso non superi 10 milioni.", ", condizionatamente al perfezionamento della fusione.", ", una volta ottenuta l'autorizzazione della Consob.", "; la delibera è sospensivamente condizionata all'esito dell'OPA.", ". La revoca resta subordinata all'omologa del tribunale.", ", salvo che gli obbligazionisti si oppongano."),
    ),
    "es": (
        "La junta general de {N} ha aprobado hoy la exclusión de negociación de sus acciones",
        (", sujeta a la autorización de los acreedores.", ", siempre que la opa alcance el 75 %.", ", a condición de que se complete la fusión.", ", una vez que la CNMV autorice la opa.", "; el acuerdo queda condicionado a la homologación judicial.", ". La exclusión solo será efectiva si se liquida la opa.", ", supeditada al visto bueno de los bonistas.", ", en caso de que el oferente cumpla los compromisos."),
    ),
    "pt": (
        "A assembleia geral da {N} aprovou hoje o cancelamento de registro e a saída da B3",
        (", sujeito à concordância dos credores.", ", desde que a OPA atinja dois terços.", ", condicionado à conclusão da incorporação.", ", assim que a CVM registrar a oferta.", ". A saída só ocorrerá se a oferta for bem-sucedida.", "; a deliberação depende de homologação judicial.", ", caso os debenturistas concordem.", " sob condição suspensiva da liquidação da OPA."),
    ),
    "sv": (
        "Bolagsstämman i {N} beslutade i dag om avnotering från Nasdaq Stockholm",
        (", under förutsättning att budet fullföljs.", ", villkorat av långivarnas godkännande.", ", förutsatt att fusionen registreras.", ", så snart Finansinspektionen godkänt erbjudandehandlingen.", ". Beslutet är villkorat av att tingsrätten lämnar tillstånd.", ", om inlösen godkänns.", ". Avnoteringen sker endast om återköpet genomförs.", " med förbehåll för obligationsinnehavarnas samtycke."),
    ),
    "no": (
        "Generalforsamlingen i {N} vedtok i dag å søke om strykning fra Oslo Børs",
        (", under forutsetning av at tilbudet gjennomføres.", ", betinget av långivernes samtykke.", ", forutsatt at fusjonen registreres.", ", så snart Finanstilsynet har godkjent tilbudsdokumentet.", ". Vedtaket er betinget av godkjenning fra retten.", ", dersom tilbyder oppnår 90 prosent.", ", med forbehold om obligasjonseiernes godkjenning.", ". Søknaden sendes først når oppgjøret er gjennomført."),
    ),
    "da": (
        "Generalforsamlingen i {N} vedtog i dag afnotering fra Nasdaq Copenhagen",
        (", under forudsætning af at tilbuddet gennemføres.", ", betinget af långivernes samtykke.", ", forudsat at fusionen registreres.", ", så snart Finanstilsynet har godkendt tilbudsdokumentet.", ". Beslutningen er betinget af rettens godkendelse.", ", såfremt tilbudsgiver opnår 90 pct.", ", med forbehold for obligationsejernes accept.", ". Afnoteringen sker kun, hvis tilbagekøbet gennemføres."),
    ),
    "fi": (
        "{N}:n yhtiökokous päätti tänään hakea osakkeiden poistamista Nasdaq Helsingin pörssilistalta",
        (", edellyttäen että tarjous toteutuu.", ", ehdollisena rahoittajien suostumukselle.", ", mikäli sulautuminen rekisteröidään.", ", kunhan Finanssivalvonta hyväksyy tarjousasiakirjan.", ". Päätös on ehdollinen käräjäoikeuden luvalle.", ", jos tarjouksentekijä saa 90 prosenttia.", ". Poistaminen toteutuu vain, jos takaisinosto toteutuu.", ", sillä edellytyksellä että velkakirjanhaltijat suostuvat."),
    ),
    "pl": (
        "Walne zgromadzenie {N} uchwaliło dzisiaj wycofanie akcji z obrotu na GPW",
        (", pod warunkiem zgody wierzycieli.", ", o ile wezwanie zakończy się powodzeniem.", ", z zastrzeżeniem rejestracji połączenia.", ", po uzyskaniu zezwolenia KNF.", ". Uchwała wejdzie w życie po wydaniu zezwolenia przez KNF.", ", jeżeli wzywający osiągnie 90 procent.", ". Wycofanie jest uzależnione od zgody obligatariuszy.", ", gdy sąd zarejestruje połączenie."),
    ),
    "zh": (
        "{N}股东大会今日通过主动终止上市议案",
        (",但须经中国证监会批准。", ",以要约收购完成为前提。", ",尚需取得债权人同意。", ";该议案自法院裁定后生效。", ",如要约未达到90%则不实施。", ",待交易所同意后方可实施。", ",附生效条件。", ",仍需提交类别股东会议审议。"),
    ),
    "hk": (
        "{N}股東特別大會今日批准撤銷股份於聯交所的上市地位",
        (",惟須待法院認許。", ",前提是要約獲接納達90%。", ",須取得債權人同意方可作實。", ",待計劃生效後方會進行。", ",視乎執行人員的同意。", ";倘條件未獲達成,計劃將告失效。", ",須獲H股類別股東批准。", ",惟須獲豁免或達成所有先決條件。"),
    ),
    "tw": (
        "{N}股東臨時會今日決議申請終止上市",
        (",惟須經主管機關核准。", ",俟股份轉換完成後辦理。", ",以公開收購成就為條件。", ",尚待投審會核准。", ",如異議股東比例過高則不予實施。"),
    ),
    "ko": (
        "{N} 임시주주총회는 오늘 상장폐지 신청의 건을 가결했다",
        ("; 다만 채권자의 동의를 조건으로 한다.", "; 단, 공개매수가 성공하는 경우에 한한다.", ". 상장폐지는 금융당국의 승인을 받아야 효력이 발생한다.", ". 합병 등기가 완료되면 상장폐지를 신청할 예정이다.", ". 법원의 인가를 전제로 한다."),
    ),
    "ja": (
        "{N}の臨時株主総会は本日、上場廃止の申請を行う議案を可決した",
        ("。ただし、公開買付けの成立を条件とする。", "。裁判所の許可が得られることを前提とする。", "が、債権者の同意が得られた場合に限り申請する。", "。効力は監督官庁の認可を停止条件として生じる。"),
    ),
    "vi": (
        "Đại hội đồng cổ đông {N} hôm nay thông qua việc hủy niêm yết tự nguyện trên HOSE",
        (", với điều kiện chào mua công khai thành công.", ", sau khi được UBCKNN chấp thuận.", "; nghị quyết chỉ có hiệu lực khi có chấp thuận của ngân hàng.", ", nếu tỷ lệ cổ đông đồng ý bán đạt 90%.", ". Việc hủy niêm yết phụ thuộc vào phán quyết của tòa án."),
    ),
}  # fmt: skip
# market, status, text of a release about {N}
CASES = (
    ("de", "no", "Die außerordentliche Hauptversammlung der {N} hat heute dem Delisting zugestimmt. Der Beschluss wird erst wirksam, wenn das Landgericht über die anhängigen Anfechtungsklagen entschieden hat."),
    ("de", "yes", "Der Vorstand der {N} hat beschlossen, das Delisting zu beantragen. Die Börse entscheidet über den Zeitpunkt des Wirksamwerdens."),
    ("de", "no", "Vorstand und Aufsichtsrat der {N} haben grundsätzlich entschieden, ein Delisting anzustreben, sofern sich die Großaktionäre auf ein Erwerbsangebot verständigen."),
    ("fr", "no", "Le conseil de {N} a autorisé le dépôt d'une demande de radiation, sous condition suspensive de l'obtention de 90 % des droits de vote par l'actionnaire majoritaire."),
    ("fr", "no", "L'assemblée générale de {N} a autorisé le conseil à demander la radiation si le prix de cession volontaire est accepté par 75 % des porteurs."),
    ("nl", "no", "De aandeelhouders van {N} hebben ingestemd met de juridische fusie waardoor de notering eindigt; de fusie wordt van kracht na het verstrijken van de verzetstermijn van crediteuren."),
    ("nl", "no", "{N} heeft met Euronext afgesproken dat de notering eindigt zodra de bieder 95% van de aandelen houdt."),
    ("it", "no", "L'assemblea straordinaria di {N} ha deliberato la revoca dalla quotazione, condizionatamente all'ammissione delle azioni su un altro mercato regolamentato."),
    ("es", "no", "La junta de {N} aprobó la exclusión, que queda supeditada a que la CNMV autorice la opa de exclusión."),
    ("es", "no", "La exclusión de {N}, aprobada por la junta, solo será efectiva si el oferente alcanza el 75 % del capital."),
    ("pt", "no", "A assembleia da {N} aprovou o cancelamento de registro, condicionado à aceitação da OPA por titulares de dois terços das ações em circulação."),
    ("pt", "no", "A assembleia da {N} autorizou a administração a requerer a exclusão da negociação assim que a CMVM aprovar a OPA."),
    ("sv", "no", "Bolagsstämman i {N} beslutade om likvidation; styrelsen avser att ansöka om avnotering när skifteslikviden har betalats ut."),
    ("no", "no", "Generalforsamlingen i {N} godkjente søknad om strykning under forutsetning av at tilbyder gjør opp tilbudet innen 30. juni."),
    ("da", "no", "Generalforsamlingen i {N} vedtog afnotering betinget af, at hovedaktionæren fremsætter et frivilligt købstilbud."),
    ("fi", "no", "{N}:n yhtiökokous hyväksyi jakautumisen; osakkeet poistetaan pörssilistalta, jos täytäntöönpano rekisteröidään kaupparekisteriin."),
    ("pl", "no", "Walne zgromadzenie {N} podjęło uchwałę o wycofaniu akcji z obrotu pod warunkiem uzyskania zezwolenia KNF."),
    ("ja", "no", "{N}は本日の取締役会で、臨時株主総会の承認を条件として上場廃止を申請することを決議しました。"),
    ("zh", "no", "{N}股东大会通过了被吸收合并议案,该事项尚需中国证监会核准,核准后公司股票将终止上市。"),
    ("hk", "no", "{N}股東特別大會已批准撤銷上市地位,惟仍須待百慕達法院認許計劃。"),
    ("tw", "no", "{N}股東臨時會通過終止上市案,尚待主管機關核准後生效。"),
    ("ko", "no", "{N} 임시주총은 주식교환을 승인했다. 금융위원회 승인 후 주권은 상장폐지될 예정이다."),
    ("vi", "no", "ĐHĐCĐ {N} thông qua việc hủy niêm yết tự nguyện với điều kiện được UBCKNN chấp thuận phương án mua lại cổ phiếu."),
    ("de", "yes", "Nachdem das Oberlandesgericht den Freigabebeschluss erlassen hat, wurde der Squeeze-out bei der {N} heute ins Handelsregister eingetragen; die Börse stellt die Notierung der Aktien mit Ablauf des heutigen Tages ein."),
    ("fr", "yes", "La condition suspensive étant levée, {N} a déposé ce jour sa demande de radiation auprès d'Euronext Paris."),
    ("nl", "yes", "Nu aan alle voorwaarden is voldaan en het bod is afgewikkeld, eindigt de notering van {N} aan Euronext Amsterdam op 2 juni 2020, zo is met Euronext overeengekomen."),
    ("it", "yes", "Essendosi verificata la condizione, la fusione di {N} è efficace da oggi e le azioni sono revocate dalla quotazione a partire da domani, come disposto da Borsa Italiana."),
    ("es", "yes", "Cumplidas todas las condiciones y liquidada la venta forzosa, las acciones de {N} han quedado hoy excluidas de negociación en las Bolsas españolas."),
    ("pt", "yes", "Atendido o quórum de dois terços no leilão de hoje, a {N} requereu à CVM o cancelamento do registro de companhia aberta."),
    ("sv", "yes", "Då budgivaren nu innehar 97 procent har styrelsen för {N} i dag ansökt om avnotering från Nasdaq Stockholm."),
    ("no", "yes", "Tvangsinnløsningen er gjennomført, og Oslo Børs har besluttet at aksjene i {N} strykes fra notering per 8. mai."),
    ("da", "yes", "Betingelserne for afnotering er opfyldt, og Nasdaq Copenhagen har i dag imødekommet {N}s anmodning om sletning."),
    ("fi", "yes", "Oikeus vähemmistöosakkeisiin on siirtynyt lunastajalle, ja {N}:n osakkeet on tänään poistettu Nasdaq Helsingin pörssilistalta."),
    ("pl", "yes", "Po uzyskaniu zezwolenia KNF Zarząd GPW uchwałą z dzisiejszego dnia wykluczył akcje {N} z obrotu giełdowego z dniem 8 maja 2020 r."),
    ("ja", "yes", "本日の臨時株主総会で株式併合が承認され、{N}の株式は6月1日をもって上場廃止となります。東証は同日、整理銘柄に指定しました。"),
    ("zh", "yes", "中国证监会已核准换股吸收合并,{N}股票将自2020年5月20日起终止上市,上交所今日作出终止上市决定。"),
    ("hk", "yes", "大法院已認許計劃,所有條件均已達成。{N}股份之上市地位將於二零二零年五月六日下午四時正撤銷。"),
    ("de", "no", "Die {N} hat Insolvenz angemeldet. Ob die Börsenzulassung widerrufen wird, entscheidet die Geschäftsführung der Börse nach Anhörung."),
    ("it", "no", "Borsa Italiana ha avviato il procedimento di revoca delle azioni {N} e assegnato 15 giorni per le osservazioni."),
    ("es", "no", "La CNMV ha iniciado un expediente para la exclusión de negociación de {N} y da audiencia a la sociedad."),
    ("pl", "no", "KNF wszczęła z urzędu postępowanie administracyjne w sprawie wykluczenia akcji {N} z obrotu."),
    ("nl", "no", "Euronext heeft {N} een vooraankondiging gestuurd van het besluit tot verwijdering van de notering."),
    ("fr", "yes", "Après avoir obtenu l'accord d'Euronext, {N} annonce que ses actions seront radiées d'Euronext Paris le 20 mai."),
    ("fr", "yes", "Une fois réglées les actions apportées, l'initiateur a demandé et obtenu la radiation des actions {N}, effective ce jour."),
    ("es", "yes", "Tras obtener la autorización de la CNMV, las acciones de {N} quedarán excluidas de negociación el 20 de mayo."),
    ("es", "yes", "Una vez liquidada la opa de exclusión, la CNMV ha acordado que las acciones de {N} queden excluidas de negociación desde hoy."),
    ("pt", "yes", "Após a liquidação da OPA, a CVM deferiu o cancelamento de registro da {N}."),
    ("pt", "yes", "Obtida a autorização da CMVM, as ações da {N} foram hoje excluídas da negociação na B3."),
    ("it", "yes", "Ottenuto il nulla osta, Borsa Italiana ha disposto che le azioni {N} siano revocate dalla quotazione dal 12 maggio."),
    ("sv", "yes", "Efter att ha fått besked om tillträde till minoritetsaktierna har Nasdaq Stockholm beslutat att {N} avnoteras; sista handelsdag är den 15 maj."),
    ("no", "yes", "Etter at tvangsinnløsningen ble vedtatt har Oslo Børs i dag besluttet å stryke aksjene i {N} med virkning fra 8. mai."),
    ("da", "yes", "Efter gennemførelsen af tvangsindløsningen har Nasdaq Copenhagen i dag besluttet at slette aktierne i {N} fra handel."),
    ("fi", "yes", "Saatuaan välimiesoikeuden päätöksen Nasdaq Helsinki on tänään hyväksynyt {N}:n osakkeiden poistamisen pörssilistalta."),
    ("pl", "yes", "W następstwie zezwolenia KNF Zarząd Giełdy postanowił dzisiaj wykluczyć akcje {N} z obrotu giełdowego."),
    ("nl", "yes", "Na instemming van Euronext wordt de notering van de aandelen {N} op 12 mei beëindigd, zo maakt de vennootschap vandaag bekend."),
    ("de", "yes", "Nach Zustimmung der Börse endet die Notierung der Aktien der {N} mit Ablauf des 15. Mai 2020, teilte die Gesellschaft mit."),
    ("zh", "yes", "经上市委员会审议通过后,上交所作出终止{N}股票上市的决定。"),
    ("hk", "yes", "於計劃獲法院認許後,{N}之股份已於今日撤銷上市地位。"),
    ("ja", "yes", "臨時株主総会の承認を受けて、東証は{N}の上場廃止を決定した。"),
    ("ko", "yes", "이사회 승인 후 {N}은 오늘 거래소에 상장폐지 신청서를 제출했다고 공시했다."),
    ("vi", "yes", "Sau khi nhận được hồ sơ đầy đủ, HOSE đã ra quyết định hủy niêm yết cổ phiếu {N} kể từ 20/05/2020."),
    ("fr", "no", "Euronext a engagé la procédure de radiation des actions {N} et invité la société à présenter ses observations."),
    ("de", "no", "Die Börse hat ein Verfahren zum Widerruf der Zulassung der Aktien der {N} eingeleitet und die Gesellschaft zur Stellungnahme aufgefordert."),
    ("nl", "no", "Euronext is een procedure tot verwijdering van de notering van {N} gestart."),
    ("no", "no", "Oslo Børs har innledet sak om strykning av {N} og bedt selskapet om merknader."),
    ("da", "no", "Nasdaq Copenhagen har indledt en sag om sletning af aktierne i {N} og sendt et udkast til afgørelse i høring."),
    ("pt", "no", "A B3 instaurou procedimento de cancelamento de listagem da {N}, que terá prazo para defesa."),
    ("fi", "no", "Nasdaq Helsinki on aloittanut menettelyn {N}:n osakkeiden poistamiseksi pörssilistalta ja pyytänyt yhtiöltä vastinetta."),
    ("sv", "no", "Nasdaq Stockholm har inlett en granskning som kan leda till att {N} avnoteras."),
    ("ja", "no", "東証は{N}について、上場廃止基準に該当するかの審査を開始した。"),
    ("ko", "no", "거래소는 {N}의 상장폐지 여부를 심의하기 위해 기업심사위원회를 개최한다고 밝혔다."),
    ("zh", "no", "上交所上市委员会将召开会议审议{N}股票是否终止上市。"),
    ("hk", "no", "聯交所已就{N}展開覆核程序,以決定是否取消其上市地位。"),
    ("vi", "no", "HOSE đang xem xét việc hủy niêm yết bắt buộc cổ phiếu {N} và yêu cầu công ty giải trình."),
    ("it", "no", "Consob ha chiesto a Borsa Italiana di valutare la revoca delle azioni {N}."),
    ("es", "no", "La CNMV ha incoado el procedimiento para excluir de negociación las acciones de {N}, que dispone de diez días para alegaciones."),
    ("pl", "no", "Zarząd GPW zwrócił się do {N} o wyjaśnienia przed podjęciem decyzji o wykluczeniu akcji z obrotu."),
    ("fr", "no", "Selon des analystes, une radiation de {N} de la cote parisienne ne serait pas surprenante."),
    ("nl", "no", "Volgens bronnen overweegt de grootaandeelhouder {N} van de beurs te halen."),
    ("it", "no", "Indiscrezioni parlano di un possibile addio di {N} a Piazza Affari."),
    ("es", "no", "El primer accionista baraja sacar a {N} de Bolsa, según publica la prensa."),
    ("pt", "no", "Controlador avalia fechar o capital da {N}, dizem fontes."),
    ("sv", "no", "Enligt uppgifter överväger huvudägaren att köpa ut {N} från börsen."),
    ("pl", "no", "Jak wynika z nieoficjalnych informacji, inwestor rozważa zdjęcie {N} z giełdy."),
    ("ja", "no", "関係者によると、{N}の創業家は同社の非公開化を検討している。上場廃止となる可能性がある。"),
    ("ko", "no", "최대주주가 {N}의 자진 상장폐지를 검토 중인 것으로 알려졌다."),
    ("zh", "no", "据媒体报道,控股股东正考虑将{N}私有化退市。"),
    ("vi", "no", "Cổ đông lớn đang cân nhắc phương án hủy niêm yết {N}, theo nguồn tin."),
    ("fi", "no", "Tietojen mukaan pääomistaja harkitsee {N}:n poistamista pörssistä."),
    ("da", "no", "Ifølge kilder overvejer hovedaktionæren at tage {N} af børsen."),
    ("no", "no", "Ifølge kilder vurderer hovedeieren å ta {N} av børs."),
)  # fmt: skip


@pytest.mark.parametrize("market", VOTES)
def test_reserve_keeps_a_vote_open(market: str) -> None:
    """A vote to leave counts; with each of the reserves in its sentence or the next it does not."""
    vote, reserves = VOTES[market]
    assert answer(market, vote + ("。" if market in ("zh", "hk", "tw", "ja") else ".")) == "yes"
    assert [reserve for reserve in reserves if answer(market, vote + reserve) != "no"] == []


@pytest.mark.parametrize(("market", "status", "text"), CASES, ids=[f"{market}: {text[:40]}" for market, _, text in CASES])
def test_open_or_done(market: str, status: str, text: str) -> None:
    """Proceedings, questions referred and considerations are no step; a step after an approval that was obtained is one."""
    assert answer(market, text) == status
