"""More of the markets of Romance languages: reports over several sentences, wishes, thresholds, receivers, venues kept, lists; and steps taken."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_traps import answer

# market, status, text of a release about {N}
CASES = (
    # reports and denials over more than one sentence
    ("es", "no", "{N} comunica que ha tenido conocimiento por la prensa de que su accionista de referencia tendría decidido impulsar la exclusión de cotización de las acciones y que el consejo lo habría respaldado. Dicho asunto no ha sido tratado por ninguno de sus órganos."),
    ("es", "no", "Varios medios dan hoy por hecha la exclusión de Bolsa de {N}. El consejo, aseguran, aprobó el lunes la exclusión de negociación de las acciones."),
    ("fr", "no", "Les actions {N} se sont envolées de 14 % ce matin. La presse évoque une décision du conseil d'administration de radier les actions d'Euronext Paris. Le groupe n'a pas souhaité faire de commentaire."),
    ("it", "no", "Circolano voci sul futuro di {N}. Il cda, si dice in ambienti finanziari, ha già deliberato la revoca delle azioni dalla quotazione."),
    ("pt", "no", "Em resposta ao ofício da B3, a {N} informa que não tem conhecimento da decisão de cancelamento de registro mencionada na matéria do jornal."),
    ("pt", "no", "Circula no mercado que a {N} fechou acordo para deixar a B3 e que o cancelamento de registro foi aprovado pelo conselho."),
    ("mx", "no", "En atención al movimiento inusitado de sus acciones, {N} declara que las versiones que circulan sobre la aprobación de la cancelación del listado son ajenas a la emisora."),
    ("fr", "no", "Contrairement à ce qui a été écrit, {N} n'a pas demandé la radiation de ses actions d'Euronext Paris."),
    ("it", "no", "A differenza di quanto riportato da alcune testate, l'assemblea di {N} non ha deliberato la revoca delle azioni dalla quotazione."),
    ("es", "no", "No es cierto que la junta de {N} haya acordado la exclusión de negociación de las acciones."),
    ("pt", "no", "É falsa a notícia de que a CVM deferiu o cancelamento de registro da {N}."),
    # wishes, requests and letters of holders and bidders
    ("es", "no", "El accionista mayoritario de {N} ha remitido una carta al consejo en la que solicita que se acuerde la exclusión de negociación de las acciones."),
    ("fr", "no", "Un actionnaire minoritaire de {N} a demandé au conseil d'administration la radiation des actions d'Euronext Paris."),
    ("it", "no", "Il socio di maggioranza di {N} ha chiesto al consiglio di convocare l'assemblea per deliberare la revoca delle azioni dalla quotazione."),
    ("pt", "no", "A controladora da {N} comunicou sua decisão de realizar OPA para cancelamento de registro, sujeita ao registro na CVM e à adesão de dois terços das ações em circulação."),
    ("cl", "no", "El controlador de {N} solicitó citar a junta para aprobar el término de la calidad de sociedad anónima abierta y la cancelación de la inscripción de las acciones."),
    ("ma", "no", "L'initiateur envisage, à l'issue de l'offre, de demander la radiation des actions {N} de la Bourse de Casablanca."),
    ("be", "no", "Si l'offrant détient au moins 95 % des titres de {N}, il procédera à une offre de reprise à la suite de laquelle Euronext Brussels radiera d'office les actions."),
    ("it", "no", "Qualora l'offerente venisse a detenere oltre il 90% del capitale di {N}, non ripristinerà il flottante e Borsa Italiana disporrà la revoca dalla quotazione."),
    ("it", "no", "La fusione di {N} nella controllante non quotata, che comporterà l'esclusione dalla quotazione delle azioni, resta soggetta all'approvazione dell'assemblea."),
    # votes with a second step
    ("it", "no", "L'assemblea straordinaria di {N} ha bocciato la fusione inversa che avrebbe comportato la revoca delle azioni dalla quotazione."),
    ("fr", "no", "L'assemblée de {N} a approuvé la radiation des actions d'Euronext Paris, sous réserve de l'accord d'Euronext et de la réussite de l'offre publique de retrait."),
    ("mx", "no", "La asamblea de {N} aprobó solicitar la cancelación del registro, sujeta a que la CNBV la autorice y a que concluya la oferta pública."),
    ("co", "no", "La asamblea de {N} aprobó la cancelación de la inscripción de la acción, siempre que las aceptaciones de la OPA superen el 90%."),
    ("arg", "no", "La asamblea de {N} aprobó el retiro de la oferta pública ad referéndum de la conformidad de la CNV."),
    # extension, warnings, procedures under way
    ("es", "no", "La CNMV ha concedido a {N} un plazo adicional de tres meses antes de resolver sobre la exclusión de sus acciones."),
    ("fr", "no", "Euronext Paris a placé les actions {N} dans le compartiment des valeurs sous surveillance ; leur radiation pourra être prononcée si la situation persiste."),
    ("it", "no", "La Consob ha sospeso l'istruttoria sul documento d'offerta finalizzata alla revoca delle azioni {N}."),
    ("pt", "no", "A B3 notificou a {N} por descumprimento do patamar mínimo de ações em circulação; a companhia apresentou plano de reenquadramento para evitar a exclusão de negociação."),
    ("qc", "no", "La TSX a amorcé un examen accéléré de l'admissibilité des actions de {N} au maintien de leur inscription à la cote."),
    ("qc", "no", "Si {N} ne dépose pas ses états financiers d'ici le 12 juin, ses titres seront radiés de la cote de la TSX."),
    ("pe", "no", "La SMV inició un procedimiento sancionador contra {N} que puede concluir con la exclusión de sus valores."),
    ("cl", "no", "La CMF formuló cargos contra {N}, que podrían acarrear la cancelación de la inscripción de sus acciones."),
    ("lu", "no", "La Bourse de Luxembourg a suspendu la cotation des actions {N} ; un retrait de la cote n'est pas exclu."),
    # other class, named after the issuer
    ("it", "no", "Borsa Italiana ha disposto la revoca dalla quotazione dei diritti di opzione {N} al termine del periodo di offerta."),
    ("it", "no", "Avviso: revoca dalle negoziazioni del prestito obbligazionario {N} 5,25% 2014-2020 per rimborso."),
    ("fr", "no", "Euronext Paris radiera le 18 mai les droits préférentiels de souscription {N}."),
    ("es", "no", "Causan baja en la cotización de la Bolsa de Madrid los pagarés emitidos por {N} con vencimiento 4 de mayo de 2020."),
    ("es", "no", "Quedan excluidas de negociación las participaciones preferentes de {N} tras el canje por acciones ordinarias."),
    ("mx", "no", "Queda cancelado el listado de los CEBURES con clave ATAM 17 de {N} por amortización total."),
    ("pt", "no", "Ficam excluídos de negociação, a partir de 18 de maio, os recibos de subscrição da {N} (UPA9), convertidos em ações ordinárias."),
    ("pt", "no", "A B3 informa o cancelamento da listagem dos CRIs lastreados em créditos da {N}."),
    ("lis", "no", "A Euronext Lisbon excluiu da negociação os warrants sobre ações da {N}."),
    ("qc", "no", "La TSX radiera les bons de souscription de {N} à la clôture le 18 mai 2020, à leur échéance."),
    ("co", "no", "La BVC canceló la inscripción de los bonos ordinarios de {N} por pago total."),
    ("cl", "no", "La junta de {N} aprobó cancelar la inscripción de las acciones serie B, que se canjean por acciones ordinarias."),
    # other venue
    ("fr", "no", "{N} a obtenu la radiation de ses actions du SIX Swiss Exchange, où elles disposaient d'une cotation secondaire."),
    ("fr", "no", "Les ADR de {N} seront retirés du NYSE le 18 mai ; les actions ordinaires resteront négociées à Paris."),
    ("es", "no", "{N} solicitó a Euronext la exclusión de sus acciones del mercado de Lisboa, donde apenas se cruzaban operaciones. En Madrid seguirá cotizando."),
    ("pt", "no", "A {N} protocolou na SEC o Form 25 para retirar seus ADRs da Bolsa de Nova York."),
    ("it", "no", "{N} ha chiesto e ottenuto la revoca delle azioni dal MTF francese Euronext Growth; resta quotata a Milano."),
    ("be", "no", "Euronext a approuvé la radiation des actions {N} d'Euronext Paris et d'Euronext Amsterdam ; Bruxelles devient l'unique place de cotation."),
    ("arg", "no", "{N} resolvió cancelar el listado de sus acciones en la Bolsa de Comercio de Santiago; BYMA pasa a ser su único mercado."),
    ("qc", "no", "{N} a avisé NYSE American de son intention de retirer volontairement ses actions de la cote américaine et de déposer un formulaire 25."),
    # other company
    ("fr", "no", "{N} annonce la mise en œuvre du retrait obligatoire visant les actions de sa filiale Opaline Verres, qui sera radiée d'Euronext Growth."),
    ("it", "no", "Con il 96,3% in mano dopo l'opa, {N} ha esercitato il diritto di acquisto sui Pastifici Lariani. Borsa Italiana ha disposto la revoca dalla quotazione del titolo dei Pastifici Lariani."),
    ("pt", "no", "A CVM deferiu o cancelamento de registro da Celulose Itapuã, concorrente da {N}."),
    ("mx", "no", "La BMV canceló el listado de Textiles Puebla. Los analistas de {N} no prevén efectos."),
    ("fr", "no", "Euronext Paris fait connaître que les titres suivants seront radiés le 18 mai 2020 : {N} BSA 2017 ; Cristallin Finance obligations 3,75 % 2020 ; Lumina Participations actions ordinaires."),
    # history and later listing
    ("es", "no", "Treinta años después de que la junta de 1990 acordara la exclusión de negociación, {N} celebra su quinto aniversario de vuelta en la Bolsa de Madrid."),
    ("fr", "no", "Introduite en 1987, retirée de la cote en 1999 puis réintroduite en 2012, {N} publie aujourd'hui ses résultats."),
    ("pt", "no", "Depois de ter o registro cancelado em 2004, a {N} voltou à B3 em 2017, no Novo Mercado."),
    # drafts of resolutions, kin, commercial names that begin alike
    ("mx", "no", "De concluir exitosamente la oferta, y previa aprobación de la asamblea con el 95% de los votos, se solicitará la cancelación de la inscripción de las acciones de {N} en el RNV."),
    ("pt", "no", "{N} comunica que a CVM deferiu o cancelamento de registro de companhia aberta de sua controlada Ferrovia Litoral Sul S.A., cujas ações deixam de ser negociadas na B3 a partir de amanhã."),
    ("arg", "no", "La CNV autorizó el retiro de la oferta pública de Transmisora Cuyo S.A., sociedad vinculada a {N}, y BYMA canceló su listado."),
    ("es", "no", "La CNMV ha acordado la exclusión de negociación de las acciones de Cerámicas Segre, filial al 95% de {N}, una vez inscrita la fusión."),
    ("ma", "no", "La Bourse de Casablanca annonce la radiation, à compter du 12 mai 2020, des obligations ordinaires cotées de {N}, arrivées à maturité."),
    ("es", "yes", "{N} informa de los acuerdos adoptados por la junta general celebrada hoy:</p><p>Cuarto.- Excluir de negociación las acciones representativas de la totalidad del capital social en la Bolsa de Madrid."),
    ("es", "no", "PROPUESTAS DE ACUERDO QUE SE SOMETEN A LA JUNTA GENERAL DE {N}</p><h2>Propuestas de acuerdo</h2><p>Primero.- Se acuerda solicitar la exclusión de negociación de la totalidad de las acciones de {N} en la Bolsa de Madrid."),
    # steps taken
    ("es", "yes", "La junta de {N}, a la que asistió el 88% del capital, ha acordado la exclusión de negociación de las acciones en la Bolsa de Madrid y estudiará en adelante otras fórmulas de liquidez para los socios."),
    ("es", "yes", "La CNMV, tras haber prorrogado el plazo en dos ocasiones, ha acordado excluir de negociación las acciones de {N}."),
    ("es", "yes", "La CNMV ha acordado la exclusión de negociación de las acciones de {N}, que permanecían suspendidas desde 2018 a la espera de las cuentas."),
    ("fr", "yes", "Après avoir ajourné sa décision à deux reprises, Euronext Paris a décidé de radier les actions {N} le 18 mai 2020."),
    ("fr", "yes", "La filiale bancaire de {N} a été cédée et, le retrait obligatoire ayant été mis en œuvre ce jour, les actions {N} sont radiées d'Euronext Paris."),
    ("fr", "yes", "Le conseil d'administration de {N}, qui avait chargé un expert d'examiner la question, a décidé ce jour de demander la radiation des actions d'Euronext Paris et a déposé la demande."),
    ("it", "yes", "Borsa Italiana, decorso il termine prorogato, ha disposto la revoca dalla quotazione delle azioni {N} dal 18 maggio 2020."),
    ("it", "yes", "Con provvedimento odierno Borsa Italiana ha disposto la revoca delle azioni {N} a seguito della fusione in Brenta Holding, la cui stipula era stata annunciata ad aprile."),
    ("pt", "yes", "Após adiar a assembleia duas vezes, os acionistas da {N} aprovaram hoje o cancelamento do registro, atingido o quórum na OPA, e o pedido foi protocolado na CVM."),
    ("pt", "yes", "A controladora da {N}, Blumenau Participações, exerceu o resgate compulsório e a CVM deferiu hoje o cancelamento de registro da {N}; as ações deixam de ser negociadas na B3 amanhã."),
    ("mx", "yes", "La Bolsa Mexicana de Valores informa que, con motivo de la resolución de la CNBV, a partir del 18 de mayo de 2020 queda cancelado el listado de las acciones de {N}."),
    ("cl", "yes", "La CMF canceló la inscripción de las acciones de {N} en el Registro de Valores, y la Bolsa de Comercio de Santiago procederá a retirarlas de cotización."),
    ("co", "yes", "{N} informa que la asamblea, con el 97% de los votos, aprobó la cancelación de la inscripción de la acción en el RNVE y en la Bolsa de Valores de Colombia."),
    ("qc", "yes", "{N} annonce que ses actions ordinaires seront radiées de la cote de la TSX à la fermeture des marchés le 8 mai 2020, à la suite de la clôture de l'arrangement avec Boréal Capital."),
    ("be", "yes", "Euronext Brussels a décidé de radier les actions {N} avec effet au 18 mai 2020, à la suite de la clôture de l'offre de reprise."),
    ("lis", "yes", "A Euronext Lisbon informa que as ações da {N} são excluídas da negociação a partir de 6 de maio de 2020, na sequência da declaração pela CMVM da perda da qualidade de sociedade aberta."),
    ("arg", "yes", "BYMA comunica que, en virtud de la resolución de la CNV, procede a cancelar el listado de las acciones de {N} a partir del 6 de mayo de 2020."),
    ("ma", "yes", "L'AMMC porte à la connaissance du public que la Bourse de Casablanca a prononcé la radiation des actions {N} à compter du 18 mai 2020."),
    ("pe", "yes", "Mediante Resolución SMV N° 041-2020, notificada hoy, la SMV excluyó las acciones comunes de {N} del Registro Público del Mercado de Valores."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), CASES, ids=[f"{m} {text[:40]}" for m, _, text in CASES])
def test_case(market: str, expected: str, text: str) -> None:
    """The status for a release that says nothing else."""
    assert answer(market, text) == expected
