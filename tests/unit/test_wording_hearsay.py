"""Hearsay: what papers, sources and the conditional of report ascribe to a company is no step; conditionals of another kind take none back."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_traps import answer

# market, status, text of a release about {N}
CASES = (
    ("es", "no", "En relación con las informaciones aparecidas hoy en diversos medios, según las cuales el consejo de administración de {N} habría decidido solicitar la exclusión de negociación de sus acciones, la sociedad manifiesta que no ha adoptado decisión alguna al respecto."),
    ("es", "no", "Al parecer, el consejo de {N} ya ha acordado la exclusión de negociación de sus acciones de la Bolsa de Madrid."),
    ("es", "no", "Parece ser que los accionistas de control de {N} ya resolvieron retirar de la Bolsa las acciones de la compañía."),
    ("es", "no", "La familia fundadora de {N} habría acordado sacar de Bolsa la compañía, según adelantan fuentes próximas a la operación."),
    ("es", "no", "El consejo de {N} aprobó el lunes la exclusión de negociación de sus acciones, según publica hoy un diario económico."),
    ("es", "no", "El consejo de {N} ha acordado excluir de negociación sus acciones, según ha podido saber este periódico."),
    ("es", "no", "Según la prensa, la junta de {N} ha acordado la exclusión de negociación de las acciones."),
    ("es", "no", "{N} abandonaría la Bolsa de Madrid antes de fin de año y sus acciones quedarían excluidas de negociación."),
    ("es", "no", "Supuestamente el consejo de {N} ha acordado ya la exclusión de las acciones de la Bolsa de Madrid."),
    ("es", "no", "{N} desconoce el origen de la noticia de que su consejo ha acordado la exclusión de negociación de las acciones."),
    ("es", "no", "Respecto de lo publicado por un medio digital acerca de que la CNMV ha autorizado la exclusión de negociación de las acciones de {N}, la sociedad declina hacer comentarios."),
    ("es", "no", "De confirmarse la información, {N} habría presentado ya ante la CNMV la solicitud de exclusión de sus acciones."),
    ("mx", "no", "Los accionistas mayoritarios de {N} habrían aprobado la cancelación de la inscripción de las acciones en el RNV, trascendió ayer."),
    ("mx", "no", "De acuerdo con personas con conocimiento del asunto, la asamblea de {N} aprobó deslistar las acciones de la Bolsa Mexicana de Valores."),
    ("mx", "no", "Trascendió que {N} solicitó a la CNBV la cancelación de la inscripción de sus acciones y de su listado en la BMV."),
    ("mx", "no", "{N} informa que no tiene conocimiento de la supuesta solicitud de cancelación del listado de sus acciones presentada ante la Bolsa."),
    ("es", "yes", "La junta de {N} ha acordado hoy la exclusión de negociación de las acciones, cuyo valor habría sido mayor sin el dividendo de mayo."),
    ("es", "yes", "En relación con la noticia publicada hoy, {N} confirma que su junta general ha acordado la exclusión de negociación de la totalidad de las acciones en la Bolsa de Madrid."),
    ("es", "yes", "La CNMV ha acordado la exclusión de negociación de las acciones de {N}; los accionistas que habrían podido acudir a la oferta recibirán el mismo precio."),
    ("es", "yes", "Según un comunicado remitido a la CNMV, la junta general de {N} ha acordado hoy la exclusión de negociación de las acciones."),
    ("es", "yes", "Según informó la CNMV, las acciones de {N} han quedado excluidas de negociación con efectos de hoy."),
    ("mx", "yes", "La asamblea de {N} aprobó la cancelación de la inscripción de las acciones en el RNV, según informó la emisora a la Bolsa Mexicana de Valores."),
    ("fr", "no", "Le conseil d'administration de {N} aurait décidé de demander la radiation des actions d'Euronext Paris, selon la presse de ce matin."),
    ("fr", "no", "D'après une source proche du dossier, le conseil de {N} a décidé fin août de retirer les actions de la cote d'Euronext Paris."),
    ("fr", "no", "Selon nos informations, le conseil de {N} a entériné la radiation des actions d'Euronext Paris."),
    ("fr", "no", "{N} a décidé de demander la radiation de ses actions d'Euronext Paris, croit savoir un quotidien économique."),
    ("fr", "no", "À en croire plusieurs sources, Euronext Paris a accepté la radiation des actions {N} à la fin du mois."),
    ("fr", "no", "{N} dément les rumeurs de marché selon lesquelles la société a décidé de retirer ses actions de la cote."),
    ("fr", "no", "En réponse à un article de presse indiquant que le conseil de {N} a approuvé la radiation des actions, la société précise qu'elle ne commente pas les rumeurs."),
    ("fr", "no", "{N} quitterait la Bourse : l'assemblée aurait voté la radiation des actions d'Euronext Paris."),
    ("fr", "no", "La radiation des actions {N} d'Euronext Paris serait actée."),
    ("fr", "no", "{N} aurait été radiée d'Euronext Paris, affirme un message qui circule sur les forums."),
    ("fr", "no", "Il semblerait que l'assemblée de {N} a approuvé la radiation des actions d'Euronext Paris."),
    ("fr", "no", "La prétendue décision de {N} de retirer ses actions de la cote d'Euronext Paris n'émane pas de la société."),
    ("fr", "yes", "L'AMF annonce la mise en œuvre du retrait obligatoire sur {N} ; les actionnaires qui n'auraient pas apporté leurs titres seront indemnisés et les actions seront radiées d'Euronext Paris le 18 mai 2020."),
    ("fr", "yes", "Le conseil d'administration de {N} a décidé ce jour la radiation des actions d'Euronext Paris, une décision qui aurait pu intervenir plus tôt."),
    ("fr", "yes", "À la suite des informations parues dans la presse, {N} confirme que son conseil d'administration a décidé la radiation de ses actions d'Euronext Paris et a déposé la demande auprès d'Euronext."),
    ("fr", "yes", "Selon un communiqué d'Euronext, les actions {N} ont été radiées aujourd'hui d'Euronext Paris à la suite du retrait obligatoire."),
    ("fr", "yes", "D'après l'avis publié par Euronext Paris, les actions {N} sont radiées à compter du 11 mai 2020."),
    ("it", "no", "Secondo indiscrezioni raccolte in ambienti finanziari, il cda di {N} avrebbe deciso il delisting delle azioni dalla Borsa Italiana."),
    ("it", "no", "Il cda di {N} ha deliberato la revoca delle azioni dalla quotazione, secondo quanto riporta oggi un quotidiano."),
    ("it", "no", "{N}, con riferimento alle notizie di stampa secondo cui il consiglio ha deliberato la revoca delle azioni dalla quotazione, non rilascia commenti."),
    ("it", "no", "A quanto pare l'assemblea di {N} ha già approvato la revoca delle azioni dalla quotazione su Borsa Italiana."),
    ("it", "no", "{N} lascerebbe Piazza Affari: Borsa Italiana avrebbe già disposto la revoca delle azioni dalla quotazione."),
    ("it", "no", "Stando a fonti vicine al dossier, l'assemblea di {N} ha approvato la revoca delle azioni dalla quotazione."),
    ("it", "no", "Pare che la Consob abbia già autorizzato e Borsa Italiana disposto la revoca dalla quotazione delle azioni {N}."),
    ("it", "no", "La presunta delibera con cui {N} ha deciso la revoca delle azioni dalla quotazione non proviene dalla società."),
    ("it", "no", "Le azioni {N} sarebbero state revocate dalla quotazione, si legge su alcuni siti."),
    ("it", "yes", "Borsa Italiana ha disposto la revoca dalla quotazione delle azioni {N} a decorrere dall'11 maggio 2020; chi avrebbe voluto aderire riceverà lo stesso corrispettivo."),
    ("it", "yes", "Con riferimento alle notizie di stampa odierne, {N} conferma che l'assemblea ha approvato oggi la revoca delle azioni dalla quotazione sul MTA."),
    ("it", "yes", "Secondo quanto comunicato da Borsa Italiana, le azioni {N} sono revocate dalla quotazione a partire dall'11 maggio 2020."),
    ("it", "yes", "Borsa Italiana ha comunicato che le azioni {N} sono state revocate dalla quotazione in data odierna."),
    ("pt", "no", "O controlador da {N} teria decidido fechar o capital da companhia e retirar as ações da B3, segundo fontes ouvidas pela reportagem."),
    ("pt", "no", "O conselho da {N} aprovou o cancelamento do registro e a saída da B3, segundo fontes a par do assunto."),
    ("pt", "no", "Em atendimento a ofício sobre notícia segundo a qual a {N} protocolou pedido de cancelamento de registro de companhia aberta, a companhia esclarece que não comenta rumores."),
    ("pt", "no", "Ao que tudo indica, a assembleia da {N} aprovou o cancelamento do registro e a retirada das ações da B3."),
    ("pt", "no", "Ao que parece, a CVM deferiu o cancelamento de registro da {N} e as ações deixarão de ser negociadas na B3."),
    ("pt", "no", "Alegadamente, a {N} requereu à CVM o cancelamento do seu registro e a exclusão das ações da B3."),
    ("pt", "no", "A {N} sairia da B3 já no início do ano e a administração teria protocolado o pedido de cancelamento de registro."),
    ("pt", "no", "O conselho da {N} terá aprovado a exclusão das ações da negociação na B3, avança um jornal económico."),
    ("pt", "no", "Um blog noticiou que a {N} pediu o cancelamento de registro e a exclusão das ações da B3."),
    ("pt", "no", "O suposto pedido de cancelamento de registro da {N} protocolado na CVM não partiu da companhia."),
    ("pt", "yes", "A CVM deferiu hoje o cancelamento do registro de companhia aberta da {N}; os acionistas que teriam direito ao resgate receberão o mesmo preço."),
    ("pt", "yes", "Em relação à notícia veiculada hoje, a {N} confirma que protocolou na CVM o pedido de cancelamento de registro, tendo sido atingido o quórum na OPA concluída nesta data."),
    ("pt", "yes", "Segundo comunicado da B3, as ações da {N} foram excluídas de negociação em razão do cancelamento do registro deferido pela CVM."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), CASES, ids=[f"{m} {text[:40]}" for m, _, text in CASES])
def test_hearsay(market: str, expected: str, text: str) -> None:
    """The status for a release that says nothing else."""
    assert answer(market, text) == expected
