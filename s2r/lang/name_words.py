"""Words that do not make a company name distinctive: industry nouns, structural words, ordinary words, places, given names.

All in bare folded form (lower case, no accents). A name part that consists only of such words never identifies an issuer alone.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Structure of a group of companies; dropping or adding one may name a parent, a subsidiary or a predecessor.
STRUCTURE = _words(
    """acquisition acquisitions africa america americas asia associates beteiligungen beteiligungs bidco china enterprise enterprises etf
    europe finco fund funds global groep group groupe grupa grupo gruppe gruppo hldgs holdco holding holdings india industri industria
    industriale industrias industrie industriel industrielle industrier industries industry internacional international internationale
    internazionale intl japan konzern merger midco newco nominees overseas participacoes participations partner partners reit spac sub
    subsidiary topco trust uk usa venture ventures worldwide"""
)
# What a company does or makes.
INDUSTRY = _words(
    """aerospace agri agriculture agro airlines airways alimentos analytics apparel aqua aquaculture armaturen artificial automation
    automobile automotive aviation banca banco bancorp bancshares bank banking bankshares banque battery beverage beverages bio
    biologics biomedical biopharma biosciences biotech biotechnology biotherapeutics brands breweries brewery broadcasting building
    buildings cable capital care cars casino casinos cell cellular celulose cement ceramic ceramiche ceramics chemical chemicals chemie
    chimie clinic clinical clothing coal coatings coffee communication communications companies compressor computer computers computing
    construcciones construction consulting consumer container copper cosmetics credit data defence defense dental design development
    developments devices diagnostic diagnostics digital display displays distribution drilling drugs education electric electrical
    electricity electronic electronics elektro elektronik emerging energia energie energy engenharia engineered engineering
    entertainment environment environmental equipment equities equity estate estates exploration explorations factory farma farms
    fashion fertilizer fertilizers fibre films finance financial financiera fintech fisheries fishing fitness food foods foodservice
    footwear forest forestry foundry furniture gaming gas genetics genomics glass gold graphics grid growth hardware health healthcare
    hospital hospitality hospitals hotel hoteles hotels housing hydro hydrogen imaging immobilien income informatics information
    infrastructure ingenieria ingenieros inmuebles innovations instrument instruments insurance intelligence interactive internet invest
    investment investments investors iron jewellery jewelry kartong laboratories labs laks land lasers learning leasing leather leisure
    lending life lighting lithium livestock logistics logistik lumber machine machinery machines manufacturing marine maritime market
    marketing markets maschinen maschinenbau materials materiaux mechanical mechanics media medical medicine medien mejeri metal metall
    metals microfinance milk mills minas mineracao minerals mining mobile mobility mortgage motor motors music nanotech natural net
    network networks nickel nuclear nutrition offshore oil oncology operations opportunities opportunity optical optics optik organics
    outdoor packaging paper papier partners payments petrol petroleum pharma pharmaceutical pharmaceuticals pharmacy photonics pipeline
    pipelines plantation plantations plastics platform platforms ports potash power prazision precision premier press print printing
    process produce production productions products produkte properties property publishing pulp pump pumps rail railway railways real
    realty recycling refining reinsurance renewable renewables res research residential resource resources restaurants retail river road
    robotics royalty rubber safety salmon satellite savings science sciences securities security select semiconductor semiconductors
    service services shipbuilding shipping shoes silver smaller smart soft software solar solutions special spirits sports staffing
    steel storage store stores strategic studio studios sugar suisan supply surgical switch system systemes systems tea tech technik
    technologie technologies technology teknik teknologi telecom telecommunications telecoms television textile textiles therapeutics
    tire tobacco tools tourism tours toys trade trading transmission transport transportation travel tyre underwriting uranium utilities
    utility vaccines vehicle vehicles video vision warehouse waste water wealth web wind wine wines wireless wood works yachts zinc zink"""
)
# Organisation words that lead a name: dropped in front to find the distinctive part.
LEADING = _words(
    """an banca banco bank banka banque cia cie compagnie companhia compania ctcp das de den der det die el etablissements ets fabryka
    firma groep groupe grupa grupo gruppe gruppo het il kongelige koninklijke la le les lo los maison oao pao perbadanan
    perusahaan przedsiebiorstwo pt royal sociedad sociedade societa societe spolka syarikat tctcp the zaklady"""
)
# Words of ordinary language and fashionable names that are many companies' names.
COMMON = _words(
    """able about above accel access ace acme active actual adams advance advanced advantage agile air alert all allgemeine alliance allied
    allmanna alpha alpine alta alternative amber american amerika anchor ancient angel apex apollo apple applied arch arctic argo arrow
    arts ascend ascent aspen aspire asset assets associated atlantic atlas aurora australian auto avalon avenue axis azure balance
    baltic banner bay beacon bear bell benefit best beta better beyond big black blue board bold bond boston bow brain brand bravo
    bridge bright brilliant british broad brook brown bull business calm camp canadian canyon cardinal carlton cascade castle catalyst
    cedar center central centre century champion chance change charter chase chief choice circle citizens city classic clean clear cliff
    cloud club coast cold color columbia comet comfort commerce commercial common community compass complete concept concord condor
    connect consolidated constellation continental continuum cool coral core corner corporate cosmos cotton country court cove creative
    creek crest cross crown crystal current custom daily danske dawn day deep deer delta desert destiny deutsche diamond direct discover
    discovery diverse diversified dolphin dome dominion double dragon dream drive dual dynamic eagle early earth east eastern easy echo
    eclipse eco edge edison elder element elite emerald emperor empire endeavour energizer enhance ensign epic epsilon equal equinox era
    erste espanola essential eternal ever evergreen evolution evolve excel exchange express extra falcon family far fast federal
    federated field fine fire first five flag flash fleet flow focus forest forte fortress fortuna fortune forum forward foundation
    fountain four fox francaise free freedom fresh frontier fuel full fund fusion future gala galaxy gamma gap garden gate gateway
    gemini general generation genesis giant glacier glory golden good grace grand granite grant gravity great green grey ground grove
    growth guard guardian guide gulf halo hammer happy harbor harbour harmony harvest haven hawk heart heavy helix help heritage hero
    high highland hill home honor hope horizon host hot house human hunter ice icon idea ideal image impact imperial impulse
    independence independent infinite infinity inner innovative insight inspire integral integrated integrity intelligent inter interior
    invest iris island italiana ivory jackson jade jet johnson journey joy jupiter just keen key keystone king kingdom knight kraft lake
    lead leader leading legacy legend lemon level liberty light limit lincoln line link lion liquid list little live living local lone
    long loop lotus loyal lucky luna lunar lux luxury magic magna magnum main major mammoth man manor maple marathon mark mars master
    matrix maverick max maximum meadow mega mercury meridian merit meta metro metropolitan micro mid midland mighty milestone millennium
    mind mint mirror mission model modern moment monarch monument moon morning mosaic motion mount mountain multi mutual mystic nacional
    nation national nationale nature navigator nazionale neo neptune neue new next nexus night noble nordic norsk norske north northern
    northstar nouvelle nova novel now nowa nueva nuova ny nya nye oak oasis ocean olympia olympic olympus omega omni one onyx opal open
    optima optimal optimum option oracle orange orbit orchard order orient oriental origin orion osprey osterreichische outlook oxygen
    pacific palm panorama paradigm paradise paragon paramount park parkway passage path patriot peak pearl penguin people perfect
    performance perpetual phoenix pilgrim pilot pine pinnacle pioneer pivot plain planet platinum plaza pleasant plus point polar
    polaris pole polska polskie popular portal positive post prairie premiere premium presidential prestige prima prime prince princess
    priority prism pro professional progress progressive prominent promise prospect prosper prosperity provident prudent public pulse
    pure purple quality quantum quartz queen quest quick rain rainbow ranger rapid raven ready red reef regal regency regent region
    regional reliable reliance renaissance republic resolute result rich ridge right ring rise rising rock rocket rocky root rose round
    rover ruby safe sage sail saint salt sand sapphire saturn schweizer scope sea seal second secure senior sense sentinel sequoia
    serene seven shade shadow shell shield shine shore short sierra sigma signal signature simple simply sino six sky smart smith snow
    social sol solid solo solution sonic source south southern sovereign space spark spectrum speed sphere spirit spring square standard
    star start state states station stellar step sterling stock stone storm strategy stream street strong style summer summit sun
    sunrise sunset suomen super superior supreme sure surge svenska swan swift swiss symphony synergy target task team temple tempo ten
    terra third thrive thunder tide tiger time titan today top torch total touch tower town trail tree trend triad triangle trident
    trinity trio triple triton triumph tropical true trust twin two ultimate ultra umbrella union unique unit united unity universal
    universe university up upper urban us valley value van vanguard vantage vast vector vega velocity venture venus verde vereinigte
    veritas vertex vertical very victor victoria victory view viking village vintage violet virtual visa vista vital vivid volt vortex
    voyage vulcan walter washington wave way web well wells west western white whole wide wild will willow wing winner winter wire
    wisdom wise wolf wonder world yellow yes york young zen zenith zero zone"""
)
PLACES = _words(
    """aberdeen abuja accra adelaide africa alabama alaska alberta alps amazon america amsterdam andes ankara antwerp arizona asia athens
    atlanta auckland australia austria bahrain bangkok barcelona basel bavaria bavarian beijing belgium bergamo bergen berlin bermuda
    bern bilbao birmingham bologna bombay bonn bordeaux boston brasil brazil bremen brisbane bristol britain britannia brooklyn brussels
    budapest burgundy busan cairo calgary california cambridge canada canton carolina casablanca catalonia cayman chicago chile china
    cologne colombo colorado columbia copenhagen cork cornwall dallas danmark danube delaware delhi denmark denver derby detroit
    deutschland devon doha dover dresden dubai dublin durham dusseldorf edinburgh egypt england essex europe finland florence florida
    france frankfurt fujian geneva genova georgia germany ghana glasgow greece guangdong guangzhou hainan hamburg hamilton hannover
    hanoi harbin hartford hawaii helsinki hokkaido holland hongkong houston hubei hunan hungary iceland idaho illinois india indiana
    indonesia iowa ireland israel istanbul italia italy jakarta japan jersey jiangsu johannesburg jutland kansas karachi kent kentucky
    kenya kobe korea krakow kuwait kyoto kyushu lagos lancaster lausanne leeds leicester leipzig lima lisbon liverpool lombardia london
    louisiana lugano luxembourg lyon macau madrid maine malaysia malta manchester manhattan manila manitoba marseille maryland
    massachusetts melbourne memphis mexico miami michigan milan milano minnesota mississippi missouri monaco montana montreal moscow
    mumbai munchen munich nagoya nairobi napoli nashville nebraska nevada newcastle newfoundland nigeria norge norway norwich nottingham
    oakland ohio oklahoma oman ontario oregon orlando osaka oslo oxford pakistan panama paris pennsylvania perth peru philadelphia
    philippines phoenix piemonte pittsburgh poland portland porto portugal poznan prague quebec queensland reading rheinland rhine
    richmond rio roma romania rome rotterdam russia sacramento salzburg santiago sao saxony scotland seattle seoul shandong shanghai
    sheffield shenzhen siberia sichuan sicilia singapore skane slovenia smaland somerset spain stockholm stuttgart suffolk suisse surrey
    sussex suzhou sverige sweden switzerland sydney taipei taiwan tasmania tennessee texas thailand tianjin tirol tokyo torino toronto
    toscana toulouse tunisia turin turkey ukraine utah utrecht valencia vancouver venezia vermont vienna vietnam virginia wales warsaw
    warszawa washington wellington wien wisconsin wroclaw wyoming yokohama yorkshire yunnan zagreb zhejiang zurich"""
)
PEOPLE = _words(
    """adam alan albert alex alexander alice andrew anna anne anthony antonio arthur barbara ben benjamin bernd brian carl carlos carol
    catherine chan charles chen cheng cheung chow chris christian christopher chu claire claudia dame daniel david dieter dirk donald
    douglas dr edward elizabeth emily emma eric erik eva francis frank franz frau fred frederick fung gary george gerald giovanni
    giuseppe graham hans harold heinz helen henry herbert herr ho hon huang hugh hui ian jack jacques james jan jane jean jeff jennifer
    jens joe joerg john jonathan jorge jose joseph juan julia julie jurgen karen karin karl katharina keith kenneth kevin klaus kurt
    kwok lai lam larry lars lau laura lawrence lee leo leung li lim lin linda lisa liu lo lord louis lucy lui luigi luis ma madame
    manfred marc marco margaret maria marie mario mark markus martha martin mary matthew maurice max messrs michael michel miguel mike
    monsieur mr mrs ms nancy neil ng nicholas nicole oliver olivier oscar otto pablo pat patricia patrick paul pedro peter philip
    philippe pierre poon prof rachel ralph raymond rebecca richard rita robert roberto roger roland ronald rosa roy ruth sam samuel
    sandra sara sarah scott sean sebastian senor simon sir siu sophie stefan stephen steve steven stuart sun susan sven tam tan tang
    theodore thomas tim timothy tom tong tony tsang tse ulrich urs ursula victor vincent walter wang werner wilhelm william wolfgang
    wong wu xu yang yeung yip yu yuen zhang zhao zhou"""
)
# Capitalised words before a company's name in a sentence that are no part of it.
ROLE_WORDS = _words(
    """a accion acciones acoes actions after against akcjami akcje akcji aktie aktien aktionare also am an and angebotsunterlage anteile as
    at aufsichtsrat aussetzung azioni before bei beim bestyrelsen between board bolaget both by cancellation chairman chief co common
    companhia company conseil consejo copyright dagegen das delisting dem den der der's des die director directors e el emittente
    emittentin entidad et filed filer for form from gesellschaft gestern gli hallitus heute hier however i if il im in inhaberaktien
    issuer issuer: l' la las le les listing lo los matter meanwhile namenaktien notes notice och of og on oraz ordinary phieu president
    proposals rada rahmen re saham section sections securities selskabet selskapet share shareholders shares since sociedad societa
    societe sowie spolka spolki stock stockholders styrelsen styret subject suspension syarikat the titres to today trading un und under
    une unless valeurs verwaltungsrat vom von vorstand warrants warunki when while with withdrawal y yesterday yhtio zarzad zulassung
    zum zur zustimmung"""
)
# Capitalised words behind a name in a headline that are no part of it.
HEADLINE_VERBS = _words(
    """accepts acquires agrees announces appoints approves asks buys calls closes completes confirms cuts declares delays delists denies
    enters faces files gets has hires is issues joins keeps launches leaves loses makes merges moves names not notifies or plans posts
    prices quits raises receives regains rejects repays reports says seeks sells sets signs sues takes terminates to was will wins
    withdraws"""
)
GENERIC = STRUCTURE | INDUSTRY
WEAK = GENERIC | COMMON | PLACES | LEADING
_MORPHEMES = (
    "teknik", "technik", "technologie", "technologies", "tech", "systems", "systeme", "werke", "werk", "bau", "chemie", "metall",
    "maschinen", "elektronik", "industri", "industrie", "industries", "produkter", "produkte", "tehtaat", "teollisuus", "fabriker",
    "fabrik", "bolagen", "verken", "pharma", "bank",
)  # fmt: skip

# CJK nouns of line of business or structure at the end of a name.
CJK_STRUCTURE = (
    "ホールディングス", "グループ", "ＨＤ", "HD", "製作所", "工業", "産業", "集团", "集團", "控股", "实业", "實業", "國際", "国际",
    "홀딩스", "그룹",
)  # fmt: skip
CJK_INDUSTRY = (
    "制造", "製造", "科技", "技术", "技術", "电子", "電子", "电器", "電器", "电气", "電氣", "仪器", "儀器", "机械", "機械", "精密",
    "精机", "精機", "精工", "材料", "药业", "藥業", "医药", "醫藥", "医疗", "醫療", "生物", "制药", "製薬", "食品", "食品工業", "水産",
    "漁業", "农业", "農業", "化学", "化學", "化工", "化成", "石油", "石化", "钢铁", "鋼鉄", "鉄鋼", "汽车", "自動車", "能源", "电力",
    "電力", "环保", "環保", "建设", "建設", "建材", "地产", "地產", "房地产", "置业", "置業", "不動産", "物业", "金融", "证券", "證券",
    "証券", "银行", "銀行", "保险", "保險", "保険", "信托", "信託", "传媒", "傳媒", "文化", "教育", "软件", "軟件", "ソフト", "网络",
    "網絡", "信息", "通信", "通讯", "物流", "海运", "海運", "航空", "旅游", "旅遊", "酒店", "百货", "百貨", "商業", "商业", "商事",
    "貿易", "贸易", "投资", "投資", "资源", "資源", "矿业", "礦業", "有色", "重工", "重工業", "造船", "光学", "光學", "光电", "光電",
    "半导体", "半導体", "服务", "服務", "サービス", "システム", "テクノロジー", "フーズ", "ファーマ", "バイオ", "運輸", "倉庫", "電機",
    "電気", "電工", "紡績", "繊維", "ガス", "工程", "바이오", "제약", "전자", "건설", "화학", "산업", "정보", "통신", "소프트",
    "엔터테인먼트", "금융", "증권", "보험", "은행", "식품", "자동차", "물산", "중공업", "테크",
)  # fmt: skip


def is_generic(word: str) -> bool:
    """True for an industry or structure word in bare folded form, also as the end of a compound ("displayteknik")."""
    return word in GENERIC or (word.endswith(_MORPHEMES) and any(word.endswith(m) and len(word) >= len(m) + 3 for m in _MORPHEMES))


def is_distinctive(word: str) -> bool:
    """True when the bare folded word alone can point at one issuer: no ordinary word, place or industry noun."""
    return len(word) >= 4 and word not in WEAK and not is_generic(word) and not word.isdigit()
