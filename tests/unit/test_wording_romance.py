"""Steps and what looks like one in the markets of Romance languages: studies, votes, courts, cures, other lines, venues and companies."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_traps import answer

# market, status, text of a release about {N}
CASES = (
    # studies and mandates of a board
    ("arg", "no", "{N} informa que el directorio resolvió evaluar el retiro voluntario del régimen de oferta pública y del listado en BYMA de sus acciones y convocar oportunamente a asamblea extraordinaria."),
    ("cl", "no", "El directorio de {N} acordó contratar a un asesor financiero para analizar la conveniencia de cancelar la inscripción de sus acciones en la Bolsa de Comercio de Santiago."),
    ("es", "no", "El consejo de {N} ha decidido explorar alternativas, entre ellas la exclusión de negociación de sus acciones en la Bolsa de Madrid."),
    ("fr", "no", "Le conseil d'administration de {N} a décidé d'engager une réflexion sur la radiation de ses actions d'Euronext Paris."),
    ("fr", "no", "Le conseil de {N} a chargé un expert indépendant d'examiner l'opportunité d'une radiation des actions d'Euronext Paris."),
    ("it", "no", "Il consiglio di {N} ha deliberato di avviare uno studio sull'opportunità di chiedere la revoca delle azioni dalla quotazione."),
    ("it", "no", "Il cda di {N} ha conferito mandato all'amministratore delegato di valutare il delisting delle azioni da Borsa Italiana."),
    ("pt", "no", "O conselho de administração da {N} decidiu avaliar o cancelamento de registro de companhia aberta e a saída da B3."),
    ("lis", "no", "O conselho de administração da {N} deliberou mandatar um banco para estudar a perda da qualidade de sociedade aberta e a exclusão da Euronext Lisbon."),
    ("co", "no", "La junta directiva de {N} decidió proponer a la asamblea la cancelación de la inscripción de la acción en la Bolsa de Valores de Colombia."),
    # convened, adjourned, failed
    ("pe", "no", "La junta general de {N} que debía pronunciarse sobre la exclusión de las acciones de la Bolsa de Valores de Lima no se instaló por falta de quórum."),
    ("cl", "no", "En la junta de {N} celebrada hoy, la propuesta de dejar de ser sociedad anónima abierta y cancelar la inscripción de sus acciones obtuvo el 61,3% de los votos, por lo que no se alcanzó el quórum de dos tercios."),
    ("ma", "no", "L'assemblée générale extraordinaire de {N}, réunie ce jour, n'a pas adopté à la majorité requise la résolution relative à la radiation des actions de la Bourse de Casablanca."),
    ("be", "no", "L'assemblée de {N} se prononcera le 12 juin sur la demande de radiation des actions d'Euronext Brussels."),
    ("it", "no", "L'assemblea straordinaria di {N}, convocata per deliberare sulla revoca delle azioni dalla quotazione, è andata deserta."),
    ("pt", "no", "A assembleia da {N} que deliberaria sobre o cancelamento de registro foi suspensa por decisão liminar."),
    ("mx", "no", "La asamblea de {N} no reunió el 95% de las acciones que exige la ley para aprobar la cancelación de la inscripción en el RNV."),
    ("arg", "no", "La asamblea de {N} pasó a cuarto intermedio sin resolver sobre el retiro de la oferta pública de sus acciones."),
    # conditional offers
    ("pe", "no", "De alcanzar al menos el 95% de la clase, {N} solicitará a la SMV la exclusión de sus acciones de la Bolsa de Valores de Lima."),
    ("es", "no", "La oferente no ha alcanzado el 90% necesario para la compraventa forzosa, por lo que las acciones de {N} seguirán admitidas a negociación."),
    ("fr", "no", "L'initiateur ayant recueilli 87,4 % du capital de {N}, le retrait obligatoire ne pourra être mis en œuvre et les actions demeureront cotées."),
    ("be", "no", "L'offrant ne détenant que 91 % des titres de {N}, il ne lancera pas d'offre de reprise et les actions resteront admises sur Euronext Brussels."),
    ("it", "no", "Non essendosi verificati i presupposti dell'obbligo di acquisto, le azioni {N} continueranno a essere negoziate su Borsa Italiana."),
    ("pt", "no", "A OPA da {N} não atingiu a adesão de dois terços das ações em circulação; o registro de companhia aberta fica mantido."),
    ("lis", "no", "A oferente requererá a perda da qualidade de sociedade aberta da {N} caso venha a ultrapassar 90% dos direitos de voto."),
    # authority, court, stay
    ("co", "no", "La Superintendencia Financiera devolvió sin trámite la solicitud de cancelación de la inscripción de la acción de {N} y otorgó dos meses para completarla."),
    ("arg", "no", "La CNV denegó el retiro de la oferta pública solicitado por {N}."),
    ("cl", "no", "La Corte de Apelaciones concedió orden de no innovar que suspende el acuerdo de cancelar la inscripción de las acciones de {N}."),
    ("es", "no", "La CNMV ha desestimado la solicitud de exclusión de negociación de las acciones de {N} al no considerarse protegidos los minoritarios."),
    ("fr", "no", "Euronext Paris a refusé la radiation des actions {N} demandée par la société."),
    ("fr", "no", "La cour d'appel de Paris a ordonné le sursis à exécution de la décision de radiation des actions {N}."),
    ("it", "no", "Il Tar del Lazio ha sospeso in via cautelare la revoca delle azioni {N} disposta da Borsa Italiana."),
    ("pt", "no", "A CVM indeferiu o pedido de cancelamento de registro da {N}."),
    ("mx", "no", "Un juez concedió a {N} la suspensión provisional contra la cancelación de la inscripción de sus acciones en el RNV."),
    # deficiency and cure
    ("qc", "no", "La TSX a avisé {N} qu'elle entreprend un examen en vue d'une radiation et lui accorde 120 jours pour remédier à la situation."),
    ("qc", "no", "Le comité d'inscription de la TSX a reporté sa décision sur la radiation des actions {N} au 12 juin."),
    ("mx", "no", "La BMV informa que {N} cuenta con un plazo de seis meses para presentar un programa de regularización; de lo contrario iniciará el proceso de cancelación del listado."),
    ("it", "no", "Borsa Italiana ha prorogato di sei mesi il termine oltre il quale dispone la revoca delle azioni {N}."),
    ("pt", "no", "A B3 concedeu à {N} novo prazo para reenquadrar a cotação de suas ações, sob pena de exclusão de negociação."),
    ("es", "no", "La negociación de las acciones de {N} continúa suspendida y, de no remitir las cuentas, la CNMV iniciará su exclusión."),
    # withdrawn
    ("lis", "no", "A {N} desistiu do pedido de perda da qualidade de sociedade aberta apresentado à CMVM em março."),
    ("pe", "no", "{N} se desistió del trámite de exclusión de sus acciones del Registro de la Bolsa de Valores de Lima."),
    ("fr", "no", "{N} retire sa demande de radiation d'Euronext Paris."),
    ("it", "no", "{N} ha rinunciato alla richiesta di revoca delle azioni dalla quotazione presentata a Borsa Italiana a marzo."),
    # tiers, segments, index, names
    ("it", "no", "Borsa Italiana, su richiesta dell'emittente, ha disposto l'esclusione delle azioni {N} dal segmento STAR con efficacia dal 18 maggio."),
    ("fr", "no", "Les actions {N} seront retirées de l'indice SBF 120 à compter du 18 mai 2020."),
    ("cl", "no", "La Bolsa de Santiago anunció que las acciones de {N} serán excluidas del índice IPSA a partir del 18 de mayo."),
    ("co", "no", "La BVC informa que la acción de {N} será retirada del índice COLCAP a partir del 18 de mayo."),
    ("pt", "no", "A B3 informa que as ações da {N} serão excluídas da carteira do Ibovespa a partir de 18 de maio."),
    ("mx", "no", "La BMV informa que a partir del 18 de mayo la clave de pizarra de {N} dejará de cotizar y será sustituida por ATM."),
    ("lis", "no", "As ações da {N} deixarão de ser negociadas sob o código antigo a partir de 18 de maio, em virtude do agrupamento de ações."),
    ("qc", "no", "Les actions ordinaires de {N} seront inscrites à la cote de la TSX sur une base consolidée et les anciennes actions seront radiées à l'ouverture le 18 mai."),
    # other class
    ("es", "no", "La CNMV ha acordado la exclusión de negociación de las obligaciones convertibles 2012 emitidas por {N}, tras su amortización."),
    ("fr", "no", "Les obligations {N} 4,5 % 2020 seront radiées d'Euronext Paris le 18 mai 2020."),
    ("lu", "no", "La Bourse de Luxembourg a retiré de la cote officielle les obligations 4,25 % 2014-2020 de {N}, remboursées à l'échéance."),
    ("it", "no", "Borsa Italiana ha disposto la revoca dalla quotazione delle azioni di risparmio {N} a partire dal 18 maggio."),
    ("pt", "no", "A B3 comunica a exclusão de negociação das debêntures da 3ª emissão da {N} em virtude do resgate antecipado total."),
    ("pt", "no", "As ações preferenciais da {N} serão excluídas de negociação na B3 em 18 de maio, após a conversão em ordinárias."),
    ("arg", "no", "BYMA comunica la cancelación del listado de las obligaciones negociables clase 3 de {N} por su vencimiento."),
    ("pe", "no", "La SMV dispuso la exclusión de los bonos corporativos de {N} del Registro Público del Mercado de Valores."),
    ("qc", "no", "La TSX a décidé de radier les débentures convertibles de {N} à la clôture le 18 mai."),
    ("ma", "no", "Les billets de trésorerie de {N}, arrivés à échéance, ont été radiés de la Bourse de Casablanca."),
    ("cl", "no", "Se canceló en el Registro de Valores la línea de efectos de comercio de {N}."),
    # other venue
    ("fr", "no", "{N} a décidé de retirer ses actions d'Euronext Brussels ; la cotation sur Euronext Paris est maintenue."),
    ("es", "no", "El consejo de {N} ha acordado solicitar la exclusión de sus acciones de la Bolsa de Lisboa, manteniendo la cotización en Madrid."),
    ("pt", "no", "A {N} decidiu encerrar o programa de ADRs e retirar os recibos da NYSE; as ações continuam listadas na B3."),
    ("cl", "no", "{N} acordó cancelar la inscripción de sus ADR en la Bolsa de Nueva York y desregistrarse ante la SEC."),
    ("co", "no", "{N} solicitó el desliste de sus acciones de la Bolsa de Valores de Lima, donde casi no se negocian."),
    ("it", "no", "{N} ha richiesto la revoca delle proprie azioni dal segmento Quotation Board della Borsa di Francoforte."),
    ("lu", "no", "Les actions {N} ne sont plus négociées au Freiverkehr de Francfort depuis le 30 avril."),
    ("mx", "no", "{N} acordó deslistar sus acciones de Latibex; seguirán cotizando en la Bolsa Mexicana de Valores."),
    # other company
    ("fr", "no", "La filiale Dauphine Optique, contrôlée par {N}, sera radiée d'Euronext Growth le 18 mai à l'issue du retrait obligatoire."),
    ("es", "no", "{N} ha ejecutado la compraventa forzosa sobre Azulejos Segura, cuyas acciones quedarán excluidas de negociación el 18 de mayo."),
    ("it", "no", "A seguito dell'acquisto da parte di {N}, Borsa Italiana ha disposto la revoca delle azioni Vetrerie Lagunari."),
    ("pt", "no", "A controlada da {N}, a Elétrica Paraopeba, teve deferido pela CVM o cancelamento de seu registro."),
    ("co", "no", "La Bolsa de Valores de Colombia retiró las acciones de Textiles Andina, competidora de {N}."),
    ("arg", "no", "{N}, accionista mayoritario de Molinos del Litoral, informa que la CNV autorizó el retiro de oferta pública de esta última."),
    # history, rules
    ("cl", "no", "{N} se listó en 1990, fue deslistada de la Bolsa de Comercio de Santiago en 1999 y volvió a inscribir sus acciones en 2008."),
    ("fr", "no", "{N}, radiée une première fois de la cote en 2003, est revenue sur Euronext Paris en 2011."),
    ("it", "no", "{N}, già revocata dalla quotazione nel 2004, è tornata in Borsa Italiana nel 2014 con un'ipo."),
    ("pt", "no", "A {N} fechou o capital em 2006 e reabriu em 2014 com uma oferta na B3."),
    ("es", "no", "Conforme al artículo 82 de la Ley del Mercado de Valores, la CNMV podrá acordar la exclusión de los valores que no alcancen los requisitos de difusión; {N} cumple todos ellos."),
    # true steps
    ("cl", "yes", "{N} informa como hecho esencial que la junta extraordinaria celebrada hoy aprobó, con el 92% de las acciones emitidas, cancelar la inscripción de la sociedad y de sus acciones en el Registro de Valores y en la Bolsa de Comercio de Santiago."),
    ("co", "yes", "La Superintendencia Financiera de Colombia autorizó la cancelación de la inscripción de las acciones de {N} en el RNVE y la BVC procederá a su retiro."),
    ("arg", "yes", "La CNV dispuso hoy, por Resolución 20.655, cancelar la autorización de oferta pública de las acciones de {N}; BYMA procederá a la cancelación del listado."),
    ("pe", "yes", "La Bolsa de Valores de Lima comunica que se excluyen del Registro de Valores de la Bolsa las acciones comunes de {N} a partir del 18 de mayo de 2020."),
    ("pe", "yes", "{N} comunica como hecho de importancia que la SMV ha dispuesto la exclusión de sus acciones comunes del Registro Público del Mercado de Valores y su deslistado de la Bolsa de Valores de Lima."),
    ("lis", "yes", "A CMVM deferiu hoje o pedido de perda da qualidade de sociedade aberta da {N}, ficando as ações excluídas da negociação na Euronext Lisbon."),
    ("be", "yes", "L'offre de reprise sur {N} s'est clôturée hier ; les actions sont radiées d'office d'Euronext Brussels ce jour."),
    ("lu", "yes", "La Bourse de Luxembourg a décidé le retrait de la cote officielle des actions {N} avec effet au 18 mai 2020."),
    ("ma", "yes", "La Bourse de Casablanca annonce la radiation des actions {N} de la cote à compter du 18 mai 2020, à l'issue de l'offre publique de retrait."),
    ("qc", "yes", "La TSX a décidé de radier les actions ordinaires de {N} à la clôture le 18 mai 2020, la société s'étant placée sous la protection de la LACC."),
    ("it", "yes", "L'assemblea di {N} ha approvato oggi, con il voto favorevole del 94% dei presenti, la revoca delle azioni dalla quotazione."),
    ("fr", "yes", "AMF : mise en œuvre du retrait obligatoire visant les actions {N} le 18 mai 2020, suivie de leur radiation d'Euronext Paris."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), CASES, ids=[f"{m} {text[:40]}" for m, _, text in CASES])
def test_case(market: str, expected: str, text: str) -> None:
    """The status for a release that says nothing else."""
    assert answer(market, text) == expected
