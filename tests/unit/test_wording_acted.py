"""Whom an exchange acts on where a page tells of several, moves between segments, matters that a board will come back to."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_heard import answer
from tests.unit.test_wording_traps import MARKETS, POLICY

# market, expected answer, text; {N} is the issuer
OBJECTS = (
    ("es", "no", "Breves: {N} mejora su beneficio. La CNMV excluye de negociación a Aceites Duero."),
    ("es", "no", "Los analistas elevan el precio objetivo de {N}. La Bolsa de Madrid da de baja a Papelera Ebro."),
    ("uk", "no", "Briefs: {N} raised its guidance. The London Stock Exchange has delisted Brackley Foods."),
    ("uk", "no", "{N} won a contract in Leeds. The FCA has cancelled the listing of Brackley Foods."),
    ("us", "no", "{N} shares rose 3%. The NYSE has determined to delist Bramble Retail."),
    ("fr", "no", "En bref : {N} relève ses objectifs. Euronext Paris radie Verrerie Blanche."),
    ("it", "no", "In breve: {N} alza le stime. Borsa Italiana revoca dalla quotazione Cartiere Adda."),
    ("pt", "no", "Curtas: {N} eleva projeção. A B3 cancela a listagem da Papel Iguaçu."),
    ("sv", "no", "Kort: {N} höjer utdelningen. Nasdaq Stockholm avnoterar Holmen Fisk."),
    ("no", "no", "Kort: {N} øker utbyttet. Oslo Børs stryker Salmarin."),
    ("da", "no", "Kort: {N} hæver udbyttet. Nasdaq Copenhagen sletter Havmand Shipping fra handel."),
    ("nl", "no", "Kort: {N} verhoogt het dividend. Euronext schrapt Brouwerij Maas van de beurs."),
    ("pl", "no", "W skrócie: {N} podnosi dywidendę. GPW wyklucza z obrotu akcje Huty Wisła."),
    ("tr", "no", "Kısaca: {N} temettü açıkladı. Borsa İstanbul, Ege Döküm'ü kottan çıkardı."),
    ("ja", "no", "{N}は増配を発表した。東京証券取引所は東海電装の上場廃止を決定した。"),
    ("ko", "no", "{N}은 배당을 늘렸다. 한국거래소는 동해전자의 상장폐지를 결정했다."),
    ("zh", "no", "{N}宣布增加分红。上海证券交易所决定终止海城科技股票上市。"),
    ("id", "no", "{N} menaikkan dividen. BEI menghapus pencatatan saham Lautan Biru."),
    ("es", "yes", "{N} mejora su beneficio. La CNMV excluye de negociación a la compañía."),
    ("uk", "yes", "{N} has been in breach for months. The London Stock Exchange has now delisted the company."),
    ("sv", "yes", "{N} har brutit mot reglerna. Nasdaq Stockholm avnoterar bolaget."),
    ("it", "yes", "{N} è fallita. Borsa Italiana revoca dalla quotazione la società."),
)  # fmt: skip
SEGMENTS = (
    ("de", "no", "Die Aktien der {N} verlassen zum 30. Juni den Prime Standard und werden ab 1. Juli im General Standard notiert."),
    ("de", "no", "Auf Antrag der {N} wurde die Zulassung zum Teilbereich des regulierten Marktes mit weiteren Zulassungsfolgepflichten (Prime Standard) widerrufen; die Zulassung zum regulierten Markt (General Standard) bleibt bestehen."),
    ("ch", "no", "SIX hat dem Gesuch der {N} um Wechsel des Regulatory Standard stattgegeben; die Namenaktien werden ab 2. Juni nicht mehr im International Reporting Standard, sondern im Domestic Standard gehandelt."),
    ("sv", "no", "Aktierna i {N} flyttas från Mid Cap till Small Cap den 2 januari; sista dag på Mid Cap är den 30 december."),
    ("fi", "no", "{N}:n osakkeet siirretään Mid Cap -segmentistä Small Cap -segmenttiin; viimeinen kaupankäyntipäivä Mid Cap -segmentissä on 30.12."),
    ("uk", "no", "The listing category of {N} changes: its ordinary shares leave the premium segment on 4 June 2020 and will from that date be listed in the standard segment of the Official List."),
    ("us", "no", "{N} announced that its common stock will cease trading on the Nasdaq Global Select Market and begin trading on the Nasdaq Capital Market on May 14, 2020."),
    ("nas", "no", "{N} received approval to transfer the listing of its common stock from the Nasdaq Global Market to the Nasdaq Capital Market; the stock will no longer trade on the Global Market after May 12, 2020."),
    ("fr", "no", "Les actions {N} quitteront le compartiment B et seront admises au compartiment C d'Euronext Paris le 29 janvier."),
    ("it", "no", "Le azioni {N} escono dal segmento STAR e dal 15 giugno sono negoziate sul mercato Euronext Milan, segmento ordinario."),
    ("ja", "no", "{N}の株式は東京証券取引所市場第一部から市場第二部へ指定替えとなります。"),
    ("ko", "no", "{N}은 코스닥 우량기업부에서 중견기업부로 소속부가 변경되었다."),
    ("pl", "no", "Akcje {N} opuszczają segment 250 PLUS i od 2 lipca będą notowane w segmencie 50 PLUS."),
    ("tr", "no", "{N} payları Ana Pazar'dan çıkarılarak Yakın İzleme Pazarı'nda işlem görmeye başlayacaktır."),
    ("no", "no", "Aksjene i {N} flyttes fra OB Match til OB Standard; siste dag i OB Match er 18. juni."),
)  # fmt: skip
LATER = (
    ("fi", "no", "{N} kertoo palaavansa listalta poistamista koskevaan kysymykseen syksyllä."),
    ("sv", "no", "Styrelsen i {N} återkommer till frågan om avnotering efter årsstämman."),
    ("de", "no", "Die {N} wird auf einen möglichen Antrag auf Widerruf der Zulassung nach Abschluss des Squeeze-out zurückkommen."),
    ("uk", "no", "{N} will revert to shareholders on the application for cancellation of listing once the offer has closed."),
    ("nl", "no", "{N} komt na de uitkoopprocedure terug op de beëindiging van de notering."),
    ("fr", "no", "Le conseil de {N} reviendra sur la radiation des actions après la clôture de l'offre."),
)  # fmt: skip

# indices, derivatives, rights, other lines and companies, lines of shares that are replaced, warnings
BESIDE = (
    ("uk", "no", "{N} was promoted to the Main Market in 2015, when its admission to AIM was cancelled. It has paid a dividend in every year since."),
    ("us", "no", "Nasdaq announced that {N} will be removed from the Nasdaq-100 Index before the market open on December 21, 2020."),
    ("us", "no", "Cboe announced that options on {N} will be delisted after expiration of the May series."),
    ("uk", "no", "The broker Gilder Markets will delist contracts for difference on {N} from 15 May 2020."),
    ("us", "no", "{N} announced the termination of its sponsored Level I ADR program; the ADRs will be delisted from the OTC market. The common stock continues to trade on the NYSE."),
    ("uk", "no", "The FCA has cancelled the permission of {N}'s subsidiary Alderwick Credit Limited to carry on regulated activities."),
    ("de", "no", "Die BaFin hat der Tochter der {N} die Erlaubnis widerrufen. Die Notierung der Aktien ist davon nicht berührt."),
    ("uk", "no", "Following the 10 for 1 consolidation, the existing ordinary shares of {N} (ISIN GB0001111111) will be removed from the Official List and new ordinary shares (ISIN GB0002222222) admitted on 5 May 2020."),
    ("fr", "no", "Le regroupement des actions {N} prend effet le 5 mai : les actions anciennes sont radiées d'Euronext Paris et les actions nouvelles admises le même jour."),
    ("de", "no", "Im Zuge der Kapitalherabsetzung wird die Notierung der alten Aktien der {N} eingestellt; die konvertierten Aktien werden ab 5. Mai unter neuer ISIN gehandelt."),
    ("hk", "no", "{N}之認股權證將於到期後撤銷上市地位，最後買賣日為2020年5月26日。"),
    ("uk", "no", "{N} has withdrawn its application for the admission of 2,000,000 new ordinary shares to trading; the existing shares are unaffected."),
    ("us", "no", "{N} filed a post-effective amendment to remove from registration all unsold shares under its 2015 stock plan."),
    ("us", "no", "The SEC revoked the registration of the securities of Alderwick Mining Corp., a company not related to {N}."),
    ("au", "no", "{N} requests that 5,000,000 unlisted options be cancelled and that the quotation of expired ALDO options cease."),
    ("au", "no", "ASX advises that the securities of {N} have been reinstated to quotation. The entity had been suspended since 3 February 2020."),
    ("ca", "no", "{N} announces that its common shares will cease trading on the TSX Venture Exchange on May 6, 2020 and commence trading on the Toronto Stock Exchange the same day."),
    ("in", "no", "The Exchange has withdrawn the suspension of trading in the equity shares of {N} with effect from 11 May 2020."),
    ("in", "no", "BSE: the shares of {N} will be shifted from 'B' group to 'T' group with effect from 11 May 2020."),
    ("ja", "no", "{N}は、連結子会社である鴨川メディカル株式会社（証券コード6399）の上場廃止についてお知らせします。"),
    ("ja", "no", "{N}が発行するＴＯＰＩＸ連動型ＥＴＮは2020年6月1日に上場廃止となります。"),
    ("ko", "no", "한국거래소는 {N}을 관리종목으로 지정했다. 다음 사업연도에도 사유가 해소되지 않으면 상장폐지될 수 있다."),
    ("zh", "no", "{N}股票自2020年5月6日起撤销退市风险警示，证券简称由*ST江洲变更为江洲重工。"),
    ("zh", "no", "{N}收到上海证券交易所关于拟终止公司股票上市的事先告知书，公司将申请听证。"),
    ("tw", "no", "{N}因未依規定公告財務報告，自2020年5月6日起停止買賣，屆期未補正者將終止上市。"),
    ("hk", "no", "聯交所將{N}納入除牌程序第二階段，公司須於六個月內提交可行復牌建議。"),
    ("sv", "no", "{N} lämnar OMXS30-indexet den 29 juni."),
    ("sv", "no", "{N}:s dotterbolag Norrvik Fastigheter AB ansöker om avnotering från First North."),
    ("no", "no", "Oslo Børs har besluttet at {N} flyttes til straffebenken."),
    ("da", "no", "{N} meddeler, at selskabets obligationer udløber og slettes fra Nasdaq Copenhagen."),
    ("fi", "no", "{N}:n optio-oikeudet 2016B poistetaan pörssilistalta merkintäajan päätyttyä."),
    ("nl", "no", "Euronext verwijdert {N} uit de AMX-index per 22 juni."),
    ("nl", "no", "De warrants van {N} worden na afloop van de looptijd van de notering gehaald."),
    ("es", "no", "La sociedad {N} saldrá del Ibex 35 el 22 de junio, según el Comité Asesor Técnico."),
    ("es", "no", "{N} reduce capital y amortiza sus acciones propias, que quedan excluidas de cotización; las restantes siguen cotizando."),
    ("mx", "no", "{N} informa la cancelación de certificados bursátiles con clave ATAM 15, por vencimiento; sus acciones no se ven afectadas."),
    ("pt", "no", "{N} será excluída do Ibovespa na carteira de setembro."),
    ("pt", "no", "{N} comunica o encerramento do programa de ADR nível I; as ações ordinárias continuam listadas na B3."),
    ("it", "no", "{N} esce dal FTSE MIB dal 22 giugno."),
    ("it", "no", "Borsa Italiana: le obbligazioni {N} 4,5% 2020 sono revocate dalla quotazione per rimborso."),
    ("pl", "no", "{N} opuści indeks mWIG40 po sesji 19 czerwca."),
    ("pl", "no", "KNF cofnęła zezwolenie domowi maklerskiemu należącemu do grupy {N}."),
    ("tr", "no", "{N} payları BIST 100 endeksinden çıkarılacaktır."),
    ("tr", "no", "{N}'nin bağlı ortaklığı Ege Döküm A.Ş. kottan çıkarılmıştır."),
    ("ar", "no", "تعلن البورصة المصرية إعادة التداول على أسهم {N} اعتباراً من جلسة الغد."),
    ("ar", "no", "قررت لجنة القيد إيقاف التعامل على أسهم {N} لحين ورود الإفصاح المطلوب."),
    ("id", "no", "BEI mencabut suspensi perdagangan saham {N} mulai sesi I hari ini."),
    ("id", "no", "BEI mengingatkan potensi delisting saham {N} yang telah disuspensi selama 18 bulan."),
    ("ms", "no", "Bursa Malaysia mengumumkan bahawa {N} diklasifikasikan sebagai penerbit PN17."),
    ("vi", "no", "HOSE đưa cổ phiếu {N} ra khỏi diện cảnh báo kể từ ngày 11/05/2020."),
    ("vi", "no", "HNX nhắc nhở {N} về khả năng bị hủy niêm yết bắt buộc nếu tiếp tục lỗ."),
    ("th", "no", "ตลาดหลักทรัพย์ฯ ปลดเครื่องหมาย SP หุ้น {N} ตั้งแต่วันที่ 11 พฤษภาคม 2563"),
    ("uk", "no", "On this day in 1998 Brackley Foods left the London Stock Exchange after 60 years. {N}, founded the same year, still trades there."),
    ("us", "no", "The Company's former parent, Harrow Finch Corp., was delisted from the NYSE in 2012. {N} was listed in 2013."),
    ("uk", "no", "Shareholders of {N} should note that holders of the nil paid rights will be unable to deal after 11.00 a.m. on 14 May, when admission of the nil paid rights is cancelled."),
    ("de", "no", "Die Bezugsrechte auf Aktien der {N} werden letztmals am 12. Mai gehandelt; danach wird der Bezugsrechtshandel eingestellt."),
    ("ch", "no", "Die Anleihe 2,5% 2014-2020 der {N} wird auf den Verfall hin dekotiert."),
    ("ch", "no", "Die Optionsscheine auf Namenaktien der {N} werden per Verfall dekotiert."),
    ("fr", "no", "{N} a été avertie par Euronext que ses actions pourraient être transférées dans le compartiment des valeurs radiées si le rapport annuel n'est pas publié."),
    ("sv", "no", "Nasdaq Stockholm avnoterar teckningsrätterna i {N} den 12 maj; aktierna handlas som vanligt."),
    ("au", "no", "The scheme for {N} will not proceed. The bidder gave notice of termination today, and the request to remove the company from the official list lapses."),
)  # fmt: skip
ENDS = (
    ("tr", "yes", "Borsa İstanbul Yönetim Kurulu, {N} paylarının Borsa kotundan çıkarılmasına karar vermiştir."),
    ("tr", "yes", "{N} (ACARK) payları 12/05/2020 tarihinden itibaren Borsa'da işlem görmeyecektir; ortaklıktan çıkarma hakkının kullanılması sonucu paylar kottan çıkarılmıştır."),
    ("tr", "yes", "Şirketimizin borsa kotundan çıkma talebi Borsa İstanbul A.Ş. tarafından uygun görülmüş olup paylarımızın son işlem günü 15.05.2020'dir. {N}"),
    ("tr", "yes", "{N} Yönetim Kurulu, payların borsa kotundan çıkarılması için Borsa İstanbul'a başvurulmasına oybirliğiyle karar vermiştir."),
    ("tr", "yes", "Olağanüstü Genel Kurul toplantısında {N} paylarının borsadan çıkarılması kabul edilmiş, ayrılma hakkı fiyatı 12,40 TL olarak ilan edilmiştir."),
    ("tr", "yes", "{N} paylarının işlem sırası 20 Mayıs 2020 itibarıyla sürekli olarak kapatılacaktır."),
    ("tr", "yes", "İflasına karar verilen {N} payları Yakın İzleme Pazarı'ndan ve borsa kotundan çıkarıldı."),
    ("tr", "yes", "{N}'nin payları, birleşme nedeniyle tüzel kişiliğinin sona ermesi üzerine 18 Mayıs 2020 tarihinde kottan çıkarılacaktır."),
    ("tr", "yes", "Sermaye Piyasası Kurulu, {N}'nin halka açık statüden çıkarılmasına ve paylarının borsa kotundan çıkarılmasına ilişkin başvurusunu olumlu karşılamıştır."),
    ("tr", "yes", "{N} payları artık Borsa İstanbul'da alınıp satılamayacak: kottan çıkarma kararı bugün duyuruldu."),
    ("tr", "yes", "Borsa İstanbul, {N} paylarını kottan çıkardı."),
    ("tr", "yes", "{N} paylarının Borsa İstanbul'daki işlemleri 29 Mayıs 2020 seans sonunda kalıcı olarak sona erecektir."),
    ("tr", "no", "{N}'nin ihraç ettiği bono itfa edilmiş ve borsa kotundan çıkarılmıştır; payların işlemleri sürmektedir."),
    ("tr", "no", "{N} payları Yıldız Pazar'dan Ana Pazar'a alınmıştır."),
    ("tr", "no", "{N} paylarının işlem sırası açıklama beklendiğinden geçici olarak kapatılmıştır."),
    ("tr", "no", "{N}, borsa kotundan çıkma konusunu değerlendirmektedir; alınmış bir karar yoktur."),
    ("tr", "no", "Ana ortak, çağrı sonucunda yeterli orana ulaşırsa {N} paylarını borsadan çıkarmayı planlamaktadır."),
    ("tr", "no", "{N} kottan çıkma başvurusunu geri çekmiştir."),
    ("it", "yes", "Borsa Italiana ha disposto la revoca dalla quotazione delle azioni ordinarie {N} a decorrere dal 18 maggio 2020."),
    ("it", "yes", "A partire dal 20 maggio 2020 le azioni {N} non saranno più negoziate su Euronext Milan."),
    ("it", "yes", "Con l'esercizio del diritto di acquisto, i titoli {N} lasceranno Piazza Affari il 22 maggio."),
    ("it", "yes", "{N} comunica che l'assemblea straordinaria ha approvato il delisting delle azioni ordinarie da Euronext Milan."),
    ("it", "yes", "Il Consiglio di Amministrazione di {N} ha deliberato di richiedere a Borsa Italiana l'esclusione delle proprie azioni dalle negoziazioni."),
    ("it", "yes", "Per effetto della fusione per incorporazione in Brenta Holding, efficace dal 1° giugno, le azioni di {N} sono annullate e cessano di essere quotate."),
    ("it", "yes", "Le azioni ordinarie {N} saranno cancellate dal listino al termine della seduta del 29 maggio 2020."),
    ("it", "yes", "Ultimo giorno di negoziazione delle azioni {N} su Euronext Milan: 28 maggio 2020. Dal 29 maggio le azioni sono revocate."),
    ("it", "yes", "Consob e Borsa Italiana prendono atto della dichiarazione di fallimento: le azioni {N} vengono escluse dalle negoziazioni."),
    ("it", "yes", "Addio a Piazza Affari per {N}: conclusa la procedura congiunta, il titolo esce dal listino da lunedì."),
    ("it", "yes", "Borsa Italiana ha accolto la domanda di {N} di esclusione volontaria delle azioni."),
    ("it", "no", "L'offerente dichiara che, ricorrendone i presupposti, le azioni {N} potranno essere revocate dalla quotazione."),
    ("it", "no", "Borsa Italiana ha disposto la sospensione a tempo indeterminato delle azioni {N}."),
    ("it", "no", "I warrant {N} 2017-2020 sono stati esclusi dalle negoziazioni alla scadenza."),
    ("it", "no", "Le azioni {N} passano dal segmento STAR al mercato Euronext Milan ordinario."),
    ("it", "no", "L'assemblea di {N} non ha approvato la proposta di revoca dalla quotazione."),
    ("es", "yes", "La CNMV ha acordado excluir de negociación las acciones de {N} con efectos de 18 de mayo de 2020."),
    ("es", "yes", "Las acciones de {N} dejarán de cotizar el próximo 20 de mayo tras la liquidación de la venta forzosa."),
    ("es", "yes", "{N} comunica que su Junta General ha aprobado solicitar la exclusión de cotización de la totalidad de sus acciones."),
    ("es", "yes", "El último día de contratación de las acciones de {N} en el Mercado Continuo fue el 15 de mayo; causan baja en Bolsa desde hoy."),
    ("es", "yes", "La Sociedad Rectora de la Bolsa de Madrid da de baja las acciones de {N}."),
    ("es", "yes", "{N} sale definitivamente del parqué: el regulador autoriza su retirada de la Bolsa."),
    ("es", "yes", "Como consecuencia de la inscripción de la fusión, las acciones de {N} han quedado extinguidas y excluidas de las Bolsas de Valores."),
    ("mx", "yes", "La Bolsa Mexicana de Valores informa que a partir del 20 de mayo de 2020 quedan canceladas las acciones de {N} en el listado."),
    ("mx", "yes", "La CNBV autorizó la cancelación de la inscripción en el Registro Nacional de Valores de las acciones de {N}."),
    ("cl", "yes", "La Comisión para el Mercado Financiero canceló la inscripción de las acciones de {N} en el Registro de Valores."),
    ("co", "yes", "La Superintendencia Financiera autorizó cancelar la inscripción de las acciones de {N} en la bvc y en el RNVE."),
    ("es", "no", "La CNMV ha suspendido cautelarmente la negociación de las acciones de {N}."),
    ("es", "no", "{N} no prevé que sus acciones sean excluidas de cotización tras la oferta."),
    ("es", "no", "Las obligaciones simples de {N} han sido excluidas de negociación por amortización total."),
    ("es", "no", "La junta de {N} votará el 4 de junio la exclusión de cotización de las acciones."),
    ("mx", "no", "La Bolsa apercibió a {N} de que podría cancelar la inscripción de sus acciones si no presenta su información."),
    ("pt", "yes", "A CVM deferiu o cancelamento do registro de companhia aberta da {N}."),
    ("pt", "yes", "A B3 comunica que as ações de emissão da {N} deixam de ser negociadas a partir de 20/05/2020, inclusive."),
    ("pt", "yes", "{N} informa que as ações UPA3 foram retiradas do pregão da B3 em razão da conversão do registro."),
    ("pt", "yes", "Em assembleia realizada hoje, os acionistas da {N} aprovaram a saída da companhia da B3 com o cancelamento da listagem."),
    ("pt", "yes", "Com a incorporação aprovada, as ações da {N} serão extintas e não mais listadas na B3 após 29 de maio."),
    ("lis", "yes", "A CMVM declarou a perda da qualidade de sociedade aberta da {N}, o que implica a exclusão da negociação das ações."),
    ("lis", "yes", "As ações da {N} são excluídas da Euronext Lisbon com efeitos a partir de 22 de maio de 2020."),
    ("lis", "yes", "Último dia de negociação das ações {N} na Euronext Lisbon: 21 de maio. Euronext procede à exclusão no dia seguinte."),
    ("pt", "yes", "A B3 decidiu cancelar de ofício a listagem da {N} por descumprimento do regulamento de emissores."),
    ("pt", "no", "A {N} migrará do Novo Mercado para o segmento básico da B3."),
    ("pt", "no", "O controlador da {N} avalia realizar OPA para cancelamento de registro; nada foi decidido."),
    ("pt", "no", "As debêntures da 3ª emissão da {N} foram resgatadas e retiradas de negociação."),
    ("lis", "no", "A CMVM determinou a suspensão da negociação das ações da {N} até à divulgação de informação."),
    ("pt", "no", "A B3 concedeu à {N} prazo adicional para reenquadrar a cotação acima de R$ 1,00, sob pena de exclusão."),
    ("fr", "yes", "Euronext Paris a fait droit à la demande de radiation des actions {N}, qui interviendra le 20 mai 2020."),
    ("fr", "yes", "À l'issue du retrait obligatoire, les titres {N} ne seront plus cotés à compter du 22 mai 2020."),
    ("fr", "yes", "L'AMF a déclaré conforme le retrait obligatoire ; les actions {N} sont radiées d'Euronext Paris le jour de sa mise en œuvre, le 22 mai."),
    ("fr", "yes", "Les actions {N} ont été retirées de la cote hier soir, après la clôture de la liquidation judiciaire."),
    ("fr", "yes", "{N} quitte la Bourse de Paris : dernière séance de cotation le 19 mai."),
    ("fr", "yes", "Le conseil d'administration de {N} a décidé de demander à Euronext la radiation de ses actions."),
    ("be", "yes", "Euronext Bruxelles procédera à la radiation des actions {N} le 25 mai 2020, après la clôture de l'offre de reprise."),
    ("ma", "yes", "La Bourse de Casablanca annonce la radiation des actions {N} du premier compartiment à partir du 26 mai 2020."),
    ("fr", "no", "Si les conditions sont réunies, l'initiateur demandera la radiation des actions {N}."),
    ("fr", "no", "Les BSA {N} ont été radiés à l'échéance ; les actions restent cotées."),
    ("fr", "no", "La cotation des actions {N} est suspendue depuis ce matin dans l'attente d'un communiqué."),
    ("fr", "no", "{N} transfère la cotation de ses actions du compartiment A au compartiment B d'Euronext Paris."),
    ("pl", "yes", "Zarząd GPW podjął uchwałę o wykluczeniu akcji {N} z obrotu giełdowego."),
    ("pl", "yes", "Z dniem 20 maja 2020 r. akcje {N} zostają wycofane z obrotu na rynku regulowanym."),
    ("pl", "yes", "KNF udzieliła {N} zezwolenia na wycofanie akcji z obrotu na rynku regulowanym."),
    ("pl", "yes", "Ostatnim dniem notowań akcji {N} na GPW będzie 19 maja 2020 r."),
    ("pl", "yes", "Po przymusowym wykupie {N} znika z warszawskiego parkietu: giełda zdecydowała o wycofaniu akcji."),
    ("pl", "yes", "Walne zgromadzenie {N} zdecydowało o delistingu; spółka złożyła dziś wniosek do KNF."),
    ("pl", "yes", "W związku z ogłoszeniem upadłości likwidacyjnej Giełda wyklucza z obrotu akcje {N}."),
    ("pl", "no", "GPW zawiesiła obrót akcjami {N} do odwołania."),
    ("pl", "no", "Akcjonariusz wniósł o zwołanie walnego w sprawie wycofania akcji {N} z obrotu."),
    ("pl", "no", "Obligacje serii B spółki {N} zostały wycofane z obrotu na Catalyst."),
    ("pl", "no", "Akcje {N} zostały zakwalifikowane do segmentu Lista Alertów."),
    ("fr", "yes", "{N} n'a pas publié ses comptes. Euronext Paris radie la société."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), OBJECTS)
def test_whom_an_exchange_acts_on(market: str, expected: str, text: str) -> None:
    """The company that is named as the object of the act, with or without its legal form, and not the one told of before."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(("market", "expected", "text"), ENDS)
def test_romance_polish_and_turkish_ends(market: str, expected: str, text: str) -> None:
    """Ends and near misses as notices and reports of these markets put them."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(("market", "expected", "text"), SEGMENTS + LATER + BESIDE)
def test_no_end(market: str, expected: str, text: str) -> None:
    """A segment that is left for another one of the same venue, and an application that a board will come back to."""
    assert answer(market, text) == expected


def page_of(text: str, url: str, market: str = "sv") -> object:
    """Verdict on a page of a site that nobody knows."""
    issuer, mic, country, ticker, _, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    page = extract(text.replace("{N}", issuer).encode(), "text/html", url, digest="sha256:1")
    return adjudicate(listing, [page], POLICY)


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("NORDPRESS &gt; Pressmeddelanden &gt; Norrvik Industrier", "issuer"),
        ("Press release | Norrvik Industrier AB", "issuer"),
        ("Nyheter &gt; Näringsliv &gt; Norrvik Industrier", "unknown"),
        ("Pressmeddelanden &gt; Holmen Fisk", "unknown"),
        ("Pressmeddelanden från hela landet, och en krönika om hur Norrvik Industrier växte upp ur en smedja vid älven", "unknown"),
    ],
)
def test_a_site_that_keeps_releases(heading: str, kind: str) -> None:
    """What it files under the issuer's releases is the issuer's word; what it files elsewhere is nobody's."""
    body = f"<html><body><p>{heading}</p><p>2020-02-18 12:10 CET</p><p>Styrelsen i {{N}} har i dag beslutat om avnotering av aktierna från Nasdaq Stockholm.</p></body></html>"
    told = page_of(body, "https://nordpress.example/se/norrvik/2020-02-18")
    assert {point.source_kind for point in told.timeline} == {kind}  # type: ignore[attr-defined]


def test_a_list_that_a_sentence_points_at_says_whom_it_is_about() -> None:
    """A notice without the issuer's name in its sentence, and with two companies below it."""
    body = (
        '<html><body><pre>NOTICE OF CANCELLATION OF LISTING 17/11/2016 08:00\n\nThe Financial Conduct Authority ("FCA") hereby cancels the securities set\n'
        "out below from the Official List, effective 17/11/2016, at the request of\nthe company:\n\n{N}\nOrdinary shares of 25p each; fully paid\n\n"
        "PARCELLAS INFRASTRUCTURE FUND LIMITED\nRedeemable B shares of no par value\n</pre></body></html>"
    )
    assert page_of(body, "https://officiallist.example/2016/11/17", "uk").status.value == "yes"  # type: ignore[attr-defined]
    assert page_of(body.replace("{N}", "GARSDALE POLYMERS PLC"), "https://officiallist.example/2016/11/17", "uk").status.value == "no"  # type: ignore[attr-defined]
