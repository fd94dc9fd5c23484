"""What pages that are no documents say of themselves: barriers, consent walls, paywalls, shells, missing pages, errors.

`*_TITLE` patterns must fit a whole segment of a title or first heading; `*_TEXT` patterns are looked for in short texts.
"""

from __future__ import annotations

import re


def _whole(*parts: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(parts)})[\s.!?…:]*", re.IGNORECASE)


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


BLOCKED_TITLE = _whole(
    r"just a moment", r"attention required", r"(?:error )?403(?: error)?(?:[\s:–-]*(?:forbidden|access denied))?", r"forbidden",
    r"access (?:to this page (?:has been )?)?denied", r"access (?:is )?(?:restricted|blocked|forbidden)",
    r"request (?:rejected|blocked|unsuccessful)", r"pardon our interruption", r"(?:sorry, )?you have been blocked",
    r"(?:human|bot|robot|captcha|security|browser) (?:verification|check|challenge|detection)", r"are you (?:a )?(?:human|robot)",
    r"captcha", r"robot check", r"verify(?:ing)? (?:that )?you are (?:a )?human.*", r"checking your browser.*", r"ddos[- ]protection.*",
    r"one more step", r"please verify you are (?:a )?human", r"request rate threshold exceeded", r"too many requests",
    r"(?:error )?429(?:[\s:–-]*too many requests)?", r"rate limit(?:ed| exceeded)?", r".*exceeded the .{0,20}traffic limit",
    r"(?:your )?request originates from an undeclared automated tool", r"undeclared automated tool", r"web ?site firewall", r"blocked",
    r"451 unavailable.*", r"unavailable for legal reasons", r"zugriff (?:verweigert|gesperrt|eingeschränkt)",
    r"accès (?:refusé|interdit|bloqué)", r"acceso (?:denegado|restringido|bloqueado)", r"acesso (?:negado|bloqueado)", r"accesso negato",
    r"toegang geweigerd", r"åtkomst nekad", r"odmowa dostępu", r"доступ (?:запрещ[её]н|ограничен|заблокирован)",
    r"访问(?:被拒绝|受限|验证)", r"安全验证", r"人机验证", r"アクセス(?:制限|拒否)", r"アクセスが拒否されました",
    r"접근\s?(?:제한|차단|거부)", r"erişim engellendi", r"(?:security|vercel security) checkpoint", r"滑动验证", r"slow down",
)  # fmt: skip
BLOCKED_TEXT = _any(
    r"verify(?:ing)? (?:that )?you(?:'re| are) (?:a |not a )?(?:human|robot)", r"are you (?:a robot|human)\?",
    r"checking (?:if the site connection is secure|your browser before)", r"access (?:to this page has been )?denied",
    r"you don't have permission to access", r"unusual traffic", r"attention required", r"(?:complete|solve) the captcha", r"captcha",
    r"request unsuccessful", r"requested url was rejected", r"ddos protection", r"security check to access", r"bot detection",
    r"just a moment\.\.\.", r"confirm (?:that )?you are (?:a )?human", r"you(?:r ip)? (?:have|has) been blocked",
    r"not available in your (?:region|country|location)", r"exceeded the maximum allowable requests", r"too many requests",
    r"enable js and disable any ad blocker", r"made us think (?:that )?you (?:were|are) a bot", r"you are not a robot",
    r"review the security of your connection", r"zugriff verweigert", r"aus sicherheitsgründen blockiert", r"kein roboter",
    r"accès refusé", r"pas un robot", r"acceso denegado", r"no (?:es|soy|eres) un robot", r"acesso negado", r"não é um robô",
    r"non sei un robot", r"geen robot", r"не робот", r"доступ запрещ", r"访问被拒绝", r"請完成驗證", r"请完成验证", r"访问过于频繁",
    r"アクセスが拒否", r"ロボットではない", r"접근이\s?(?:거부|차단)", r"로봇이 아닙니다", r"robot olmadığınızı",
    r"verifying your browser", r"website owner\? click here", r"permission to (?:access|view) this",
    r"make sure you(?:'re| are) not a robot", r"拖动滑块", r"拼图验证", r"erişiminiz .{0,40}engellen", r"slide to verify",
    r"press (?:&|and) hold", r"not a robot", r"nejste robot", r"(?:ikke|inte) (?:er )?en robot", r"nie jesteś robotem", r"et ole robotti",
    r"nem (?:vagy )?robot", r"robot değil", r"not allowed to access", r"ip(?: address)? [\d.]+ (?:is|has been)",
    r"přístup (?:odepřen|zamítnut)", r"adgang nægtet", r"(?:in)?gen tilgang", r"tilgang nektet", r"pääsy estetty",
    r"hozzáférés megtagadva", r"odmowa dostępu", r"accesso negato", r"toegang geweigerd", r"truy cập bị", r"การเข้าถึงถูก",
    r"تم رفض الوصول", r"η πρόσβαση", r"异常(?:访问|流量)", r"验证码", r"驗證碼", r"異常なアクセス", r"비정상적인",
    r"ungewöhnliche (?:aktivität|r datenverkehr)", r"trafic inhabituel", r"tráfico inusual", r"security (?:check|challenge) before",
    r"automated (?:access|requests|tools)", r"access to (?:this|the) [\w ]{0,40}is denied", r"(?:show|prove)(?: to)? us that you are",
    r"(?:cannot|can(?:'|’)?t|not) be accessed from your", r"flagged by our (?:firewall|security)", r"você é humano", r"eres humano",
    r"êtes (?:un )?humain", r"ein mensch sind", r"sei umano",
)  # fmt: skip
BLOCKED_MARKUP = re.compile(
    r"_cf_chl_opt|cdn-cgi/challenge-platform/[^\"']*(?:orchestrate|chl)|_Incapsula_Resource|captcha-delivery\.com|id=[\"']?px-captcha|awsWafCookieDomainList"
    r"|token\.awswaf\.com|gokuProps|/_sec/cp_challenge|sucuri_cloudproxy|ddos-guard|KPSDK|hcaptcha\.com/captcha|arkoselabs",
    re.IGNORECASE,
)
LOGIN_TITLE = _whole(
    r"(?:sign|log)[ -]?in(?: required| to continue)?", r"login", r"member login", r"anmelden", r"anmeldung", r"connexion",
    r"iniciar sesión", r"entrar", r"accedi", r"inloggen", r"logga in", r"ログイン", r"登录", r"로그인", r"members?(?: only)? area",
    r"members only",
)  # fmt: skip
LOGIN_TEXT = _any(
    r"(?:please )?(?:sign|log) in to (?:view|see|continue|access|read)", r"forgot(?:ten)? (?:your )?password", r"passwort vergessen",
    r"mot de passe oublié", r"must be (?:logged|signed) in", r"(?:members|subscribers|clients) only",
    r"only available to (?:registered|members)", r"sie müssen (?:sich anmelden|angemeldet sein)", r"(?:account|free account) or log in",
    r"log in to see",
)  # fmt: skip
NOT_FOUND_TITLE = _whole(
    r"(?:error |http |fehler |erreur |ошибка |błąd |errore )*404(?: error)?(?:[\s:–-]*(?:(?:page|file|document) )?not found)?",
    r"(?:page|file|document|article|notice|content) not found", r"not found",
    r"(?:sorry, )?(?:we|you) (?:can(?:'|’)?t|can ?not|couldn(?:'|’)?t) (?:find|reach) (?:that|this|the) page.*",
    r"(?:page|document) (?:no longer )?(?:exists|unavailable|does not exist)",
    r"(?:oops[!,. ]*)?(?:this|that|the) page (?:can(?:'|’)?t|cannot|could not) be found.*", r"410 gone", r"no longer available",
    r"seite nicht (?:gefunden|verfügbar)", r"page (?:introuvable|non trouvée)", r"página no encontrada", r"página não encontrada",
    r"pagina non trovata", r"pagina niet gevonden", r"sidan (?:kunde inte hittas|hittades inte|finns inte)", r"siden blev ikke fundet",
    r"nie znaleziono(?: strony)?", r"страница не найдена", r"(?:お探しの)?ページが?は?見つかりません(?:でした)?",
    r"页面(?:不存在|未找到)", r"找不到(?:网页|網頁|页面|頁面)", r"페이지를 찾을 수 없습니다", r"sayfa bulunamadı",
    r"halaman tidak ditemukan", r"(?:file|page) or directory not found", r"sivua ei löytynyt",
    r"siden (?:finnes ikke|findes ikke|ble ikke funnet)",
)  # fmt: skip
NOT_FOUND_TEXT = _any(
    r"^404\b", r"\b404\W{1,3}(?:not found|error|page)", r"(?:error|http|fehler|erreur|status|ошибка|błąd)\W{1,3}404\b",
    r"page (?:was |could )?not (?:be )?found",
    r"page (?:no longer exists|does not exist|you (?:are|were) looking for|you requested (?:does|could|was|is))",
    r"page can(?:'|’)?(?:t|not) be found", r"can(?:'|’)?t find that page", r"nothing was found at this location",
    r"(?:document|article|page|announcement|notice|content) (?:you requested )?(?:does not exist|has been removed|was not found)",
    r"(?:document|article|page|announcement|notice|content) (?:you requested )?is no longer available", r"document not found",
    r"no matching (?:ticker|compan|record|document|result|filing)", r"<code>nosuchkey", r"nosuchkey",
    r"(?:this|the) domain (?:is|may be) for sale", r"domain has expired", r"seite (?:wurde |konnte )?nicht gefunden",
    r"seite existiert (?:leider )?nicht", r"page (?:que vous cherchez est )?(?:introuvable|non trouvée)", r"página no encontrada",
    r"página que (?:busca|procura) no? ?(?:existe|foi)", r"página não encontrada", r"pagina non trovata", r"pagina niet gevonden",
    r"sidan (?:kunde inte hittas|finns inte)", r"nie znaleziono strony", r"страница не найдена", r"ページが見つかりません",
    r"ページは見つかりません", r"页面不存在", r"找不到(?:网页|網頁|页面|頁面)", r"페이지를 찾을 수 없",
    r"(?:could not|cannot|can ?not|couldn(?:'|’)?t|can(?:'|’)?t) be (?:found|located)", r"error code:? 404",
    r"(?:could not|couldn(?:'|’)?t|cannot|can(?:'|’)?t) find (?:what|the (?:page|document|file))", r"sivua ei (?:löyt|ole)",
    r"sid[ae]n? (?:[\w ]{0,30})?(?:finnes|findes|finns) ikke", r"siden (?:blev|ble) ikke (?:fundet|funnet)",
    r"stránka (?:nebyla nalezena|neexistuje)", r"oldal nem található", r"sayfa bulunamadı", r"η σελίδα δεν", r"ไม่พบหน้า",
    r"không tìm thấy trang", r"الصفحة غير موجودة", r"no longer exists?\b", r"(?:does not|doesn(?:'|’)?t) exist",
    r"link (?:has |is |may be )(?:expired|broken)", r"nothing (?:was )?(?:here|found)", r"expired link", r"nicht gefunden",
    r"existiert nicht(?: mehr)?", r"n(?:'|’)(?:existe|est) (?:pas|plus) ?(?:disponible)?", r"n(?:'|’)a pas été trouvée?", r"introuvable",
    r"no (?:se ha encontrado|existe|se encuentra|fue encontrad)", r"não (?:foi encontrad|existe)", r"non (?:è stat[ao] trovat|esiste)",
    r"bestaat niet", r"niet gevonden", r"(?:hittades|finns) inte", r"fin(?:d|n)es ikke", r"ei (?:löydy|löytynyt)", r"nenalezen",
    r"neexistuje", r"nie (?:została )?znalezion", r"nie istnieje", r"не найден", r"не существует", r"bulunamadı", r"見つかりません",
    r"存在しません", r"不存在", r"未找到", r"찾을 수 없", r"존재하지 않", r"δεν βρέθηκε", r"tidak ditemukan", r"ไม่พบ", r"không tồn tại",
    r"nem található", r"(?:nicht|kein) (?:mehr )?verfügbar", r"no está disponible", r"n(?:'|’)est (?:plus|pas) disponible",
    r"non (?:è )?(?:più )?disponibile", r"não está disponível", r"niet (?:meer )?beschikbaar",
    r"(?:inte|ikke) (?:längre |længere |lenger )?tillg?(?:ä|æ)ngelig", r"ei ole (?:enää )?saatavilla",
)  # fmt: skip
ERROR_TITLE = _whole(
    r"(?:error )?50[0-4](?:[\s:–-]*(?:(?:internal )?server error|bad gateway|service (?:temporarily )?unavailable|not implemented))?",
    r"504 gateway time-?out", r"internal server error", r"bad gateway", r"service (?:temporarily )?unavailable",
    r"(?:file|page|site|website) (?:temporarily )?unavailable", r"(?:this|the) page is temporarily unavailable", r"gateway time-?out",
    r"runtime error", r"server error.*", r"database error", r"error establishing a database connection",
    r"(?:under |site |scheduled )?maintenance(?: mode)?", r"we(?:'|’)ll be (?:right )?back(?: soon)?", r"something went wrong",
    r"an error (?:has )?occurred", r"application error", r"error", r"wartung(?:sarbeiten)?", r"maintenance en cours", r"en mantenimiento",
    r"em manutenção", r"メンテナンス中?", r"系统维护", r"시스템 점검",
)  # fmt: skip
ERROR_TEXT = _any(
    r"internal server error", r"error establishing a database connection", r"temporarily unavailable",
    r"(?:website|site|service) is (?:currently )?(?:down|unavailable|undergoing)", r"down for maintenance", r"undergoing maintenance",
    r"unexpected error (?:has )?occurred", r"something went wrong", r"application error occurred",
    r"try again (?:later|in a few minutes)", r"vorübergehend nicht erreichbar", r"später (?:erneut|noch einmal)",
    r"momentanément indisponible", r"メンテナンス中", r"维护中", r"점검 중", r"technical (?:difficulties|problem|error)",
    r"check back (?:shortly|later|soon)", r"(?:est|site) en maintenance", r"(?:revenir|réessayer|essayer) plus tard", r"unexpected error",
    r"en mantenimiento", r"fuera de servicio", r"inténtelo (?:de nuevo )?más tarde", r"em manutenção", r"tente novamente",
    r"riprova più tardi", r"probeer het later", r"försök igen senare", r"spróbuj ponownie później", r"unerwarteter fehler",
    r"fehler ist aufgetreten", r"une erreur (?:est survenue|s(?:'|’)est produite)", r"se ha producido un error", r"ha ocurrido un error",
    r"ocorreu um erro", r"si è verificato un errore", r"er (?:is|ging) iets (?:mis|fout)", r"er is een fout",
    r"ett fel (?:har )?(?:uppstått|inträffa)", r"det (?:har )?oppst(?:o|å)tt? en feil", r"der (?:er )?opst(?:o|å)et en fejl",
    r"tapahtui virhe", r"wystąpił błąd", r"došlo k chybě", r"произошла ошибка", r"bir hata oluştu", r"エラーが発生", r"出错", r"系统错误",
    r"오류가 발생", r"overloaded", r"\bat [\w.$]+\([\w.]+\.java:\d+\)", r"traceback \(most recent call last\)", r"fatal error: ",
    r"\bora-\d{5}", r"sqlstate", r"exception in thread", r"an error (?:has )?occurred", r"servers? (?:are|is) (?:too )?busy",
    r"システムエラー", r"refresh the page in a",
)  # fmt: skip
PAYWALL_TEXT = _any(
    r"subscribe (?:now )?to (?:continue|read|unlock)", r"subscribe(?: now)? (?:for|from) (?:full|unlimited) access",
    r"already a subscriber", r"(?:article|content|story) is (?:for|reserved for|available to|exclusive to) (?:our )?subscribers",
    r"to continue reading", r"reached your (?:limit|monthly)", r"(?:free )?articles? (?:left |remaining )?this month",
    r"register (?:for free )?to (?:continue|read)", r"unlock this (?:article|story)", r"nur für abonnenten", r"jetzt weiterlesen",
    r"mit (?:dem )?(?:digital)?abo weiterlesen", r"réservé (?:aux|à nos) abonnés", r"abonnez-vous pour lire",
    r"(?:solo|exclusivo) para (?:suscriptores|assinantes)", r"suscr[ií]b(?:a|e)(?:se|te) para", r"assine para (?:continuar|ler)",
    r"riservato agli abbonati", r"alleen voor abonnees", r"endast för prenumeranter", r"kun for abonnenter",
    r"tylko dla (?:prenumeratorów|subskrybentów)", r"会員限定", r"有料会員", r"付费(?:阅读|会员)", r"구독자 전용",
    r"только для подписчиков", r"réservée?s? (?:aux|à nos) abonné", r"il vous reste \d+ ?%", r"weiterlesen mit",
    r"bereits (?:ein abo|abonnent|abonniert)", r"(?:subscribe|log in or subscribe) to (?:read|view|see|access)",
    r"(?:read|see) the (?:full|whole|rest of (?:this|the)) (?:story|article)", r"lees verder met", r"läs vidare",
    r"logga in för att läsa", r"subscribers? only", r"subscription (?:is )?required", r"abbonati per", r"続きを読むには", r"订阅后",
    r"choose (?:a|your) (?:plan|subscription)", r"get (?:unlimited|full) access", r"to keep reading", r"for subscribers",
    r"become a (?:subscriber|member) to", r"仅限订阅", r"订阅用户", r"立即订阅", r"登录后(?:阅读|查看)", r"låst (?:artikel|for)",
    r"bli prenumerant", r"bliv abonnent", r"bli abonnent", r"tilaajille", r"tilaa ja lue", r"pro předplatitele", r"odblokuj",
    r"pełny dostęp", r"wykup", r"abone ol", r"구독하고", r"유료 회원", r"pour lire la suite", r"accès abonné", r"seguir leyendo",
    r"continuar lendo", r"continua a leggere", r"abonneer", r"подписк", r"available (?:only )?to (?:premium )?(?:members|subscribers)",
    r"contenu premium", r"déjà abonné", r"contenido premium", r"ya es suscriptor", r"contenuto riservato",
    r"premium(?:-| )(?:artikel|inhalt|article|content)",
)  # fmt: skip
NOT_FREE = re.compile(r"isAccessibleForFree[\"']?\s*(?::|content=)\s*[\"']?(?:false|no)", re.IGNORECASE)
CONSENT_TITLE = _whole(
    r"before you continue.*", r"(?:your )?(?:privacy|cookie) (?:choices|settings|preferences|consent|notice)", r"cookie (?:consent|wall)",
    r"cookies?", r"we value your privacy", r"zustimmen(?: oder .*)?", r"(?:ihre )?datenschutzeinstellungen",
    r"(?:nous respectons )?votre vie privée", r"privacidad", r"kakor", r"cookieの使用について",
)  # fmt: skip
CONSENT_TEXT = _any(
    r"accept (?:all|cookies|and continue)", r"reject all", r"i accept", r"we (?:value|care about|respect) your privacy",
    r"manage (?:cookies|preferences|consent|privacy)", r"cookie (?:policy|settings|consent)", r"our (?:\d+ )?partners",
    r"before you continue", r"alle(?:s)? akzeptieren", r"cookie-(?:einstellungen|instellingen)", r"unsere (?:\d+ )?partner",
    r"tout (?:accepter|refuser)", r"gérer les cookies", r"nos (?:\d+ )?partenaires", r"aceptar todo", r"rechazar(?: todo)?",
    r"política de cookies", r"nuestros (?:\d+ )?socios", r"aceitar todos", r"accetta tutt[oi]", r"rifiuta", r"nostri partner",
    r"godkänn alla", r"inställningar för cookies", r"accepteer alles", r"zaakceptuj wszystko", r"すべて同意", r"同意して",
    r"cookieの設定", r"全部接受", r"모두 동의", r"hyväksy kaikki", r"принять все",
    r"(?:necessary|essential|analytics|functional|marketing) cookies", r"(?:use|uses|using) (?:of )?cookies", r"continuer sans accepter",
    r"paramétrer", r"traceurs", r"verwende(?:t|n) (?:wir )?cookies", r"utilis(?:ons|amos|iamo|eert|e) (?:des )?cookies",
    r"usamos cookies", r"cookiepolitik", r"cookiepolicy", r"bruger cookies", r"bruker (?:vi )?(?:cookies|informasjonskapsler)",
    r"använder (?:vi )?(?:cookies|kakor)", r"käyttää evästeitä", r"używa(?:my)? (?:plików )?cookie",
    r"používá(?:me)? (?:soubory )?cookie", r"pliki cookie", r"çerez", r"используем (?:файлы )?cookie", r"файлы cookie",
    r"使用(?:我们的)? ?cookie", r"cookieを使用", r"쿠키",
)  # fmt: skip
CONSENT_BUTTON = _whole(
    r"(?:yes, )?(?:i )?(?:accept|agree|consent)(?: all| and (?:close|continue))?", r"(?:i )?do not (?:accept|agree|consent)",
    r"(?:reject|decline|refuse|deny)(?: all)?", r"manage (?:options|choices|settings|preferences)", r"(?:learn more and )?customi[sz]e",
    r"only (?:necessary|essential)(?: cookies)?", r"(?:alle )?(?:akzeptieren|zustimmen|ablehnen)", r"(?:tout )?(?:accepter|refuser)",
    r"(?:aceptar|rechazar)(?: tod[ao]s?)?", r"(?:accetta|rifiuta)(?: tutt[oi])?", r"(?:accepteren|weigeren)",
    r"(?:akceptuję|odrzuć)(?: wszystk\w+)?", r"(?:accepter|afvis|godta|avvis|tillåt|neka|hyväksy|hylkää)(?: alle| alla| kaikki)?",
    r"(?:aceitar|rejeitar)(?: tod[ao]s)?", r"kabul et", r"принять|отклонить", r"同意する?|拒否する?", r"동의|거부",
    r"(?:accept|reject|allow|decline|manage|view|refuse)(?: \w+){0,2} cookies", r"continuer sans accepter",
    r"(?:paramétrer|personnaliser|einstellungen|settings|asetukset|ustawienia|nastavení|configurar|impostazioni|instellingen|inställningar|innstillinger|indstillinger|ayarlar|настройки|設定|设置|설정)",
    r"(?:přijmout|odmítnout|elfogadom|elutasítom|kabul et|reddet)(?: \w+)?", r"(?:接受|同意|拒绝)(?:全部|所有)?",
    r"(?:ok(?:ay)?,? ?)?got it", r"einverstanden", r"mehr optionen|more options", r"(?:nie )?zgadzam się",
    r"d(?:'|’)accord|j(?:'|’)accepte", r"de acuerdo", r"ho capito", r"begrepen", r"jag förstår|jeg forstår|ymmärrän", r"понятно|согласен",
    r"了解しました|知道了|확인",
)  # fmt: skip
CONSENT_BLOCK = _any(
    r"cookie", r"kakor", r"privacy", r"consent", r"partner", r"personali[sz]", r"personal data", r"tracking", r"advertis", r"\bads\b",
    r"ip address", r"your device", r"accept", r"reject", r"decline", r"gdpr", r"tcf", r"measure", r"audience",
    r"we (?:also )?use (?:them|cookies|data)", r"more options", r"akzeptier", r"zustimm", r"einwillig", r"datenschutz", r"werbung",
    r"personenbezogen", r"pur-abo", r"accepter", r"refuser", r"vie privée", r"données personnelles", r"publicité", r"aceptar",
    r"rechazar", r"privacidad", r"socios", r"anuncios", r"accett", r"rifiut", r"annunci", r"godkänn", r"annonser", r"accepteer",
    r"toestemming", r"advertenties", r"zaakceptuj", r"同意", r"プライバシー", r"クッキー", r"隐私", r"동의", r"개인정보", r"privacy",
    r"terms", r"soglas", r"принять", r"cookies", r"prywatno", r"pliki cookie", r"dane osobowe", r"reklam", r"markedsføring", r"statistik",
    r"privatliv", r"personvern", r"yksityisyy", r"evästee", r"çerez", r"конфиденц", r"персональн", r"soukromí", r"sütik",
    r"third parties", r"marketing", r"manage options", r"traceur", r"accord\b", r"anzeigen", r"inhalte", r"analytics", r"necessary",
    r"soubory", r"çerezler", r"쿠키", r"cookies?",
)  # fmt: skip
NEEDS_SCRIPT = _any(
    r"(?:enable|activate|requires?|turn on|without) javascript", r"javascript (?:is )?(?:required|disabled|must be enabled|enabled)",
    r"javascript aktivieren", r"activer javascript", r"activ(?:ar?|e) javascript", r"javascriptを有効", r"启用\s*javascript",
    r"자바스크립트",
)  # fmt: skip
LOADING = _whole(
    r"(?:loading|application|data|page|content|please wait|bitte warten|wird geladen|chargement(?: en cours)?|cargando|carregando"
    r"|caricamento|laden|laddar|загрузка|読み込み中|加载中|로딩\s?중|[\s.,…])+"
)  # fmt: skip
WIDGET = re.compile(r"class=[\"'][^\"']*(?:g-recaptcha|h-captcha|cf-turnstile|geetest)", re.IGNORECASE)  # also on honest forms
SCRIPT_ROOT = re.compile(r"<(?:app-root\b|\w+\s[^<>]*id=[\"']?(?:root|app|__next|__nuxt|main-app)\b)[^<>]*>\s*</", re.IGNORECASE)
ARTICLE_BODY = re.compile(r"[\"']articleBody[\"']\s*:\s*[\"'](?:[^\"'\\]|\\.){200}")
# What the pages that are looked for speak of; a page with little text that speaks of these is no error page.
DOCUMENT_TEXT = _any(
    r"\bdelist", r"\bshare(?:s|holders?)\b", r"\b(?:per|each) share\b", r"\blisting\b", r"\bscheme\b", r"\bregulator\b", r"\bstocks?\b",
    r"\bbonds\b", r"\bwarrants?\b", r"\b(?:ordinary|common|preferred|depositary)\b",
    r"\b(?:merger|takeover|acquired|issuer|removal|nasdaq|nyse)\b", r"taken private", r"\b(?:said|asked)\b",
    r"\b(?:admission to|trading|official list|withdrawal|cancellation of)\b", r"\baktien?\b", r"\bzulassung\b", r"\bactions\b",
    r"\bradiation\b", r"\bacciones\b", r"\bações\b", r"\bazioni\b", r"\baandelen\b", r"\baktier?\b", r"\bakcj", r"акци", r"上場", r"株式",
    r"銘柄", r"上市", r"股票", r"股份", r"상장", r"주식", r"أسهم", r"หุ้น", r"\bsaham\b",
)  # fmt: skip
