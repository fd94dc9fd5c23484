"""Wordings of the exchanges from Tokyo to Istanbul: steps refused, stayed, withdrawn, put off or denied, of other lines, venues and companies."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate, names_listing
from s2r.extract import extract
from s2r.lang.names import extract_names
from tests import factories
from tests.unit.test_wording_traps import MARKETS, POLICY, answer

WIRE = "https://www.globenewswire.com/news-release/a.html"
ISSUER = "https://www.kamogawa.example/ir/2020.html"
# market, status, text of a notice about {N}
ROWS = (
    # an application that is refused, sent back or withdrawn
    ("ja", "no", "東証は{N}の上場廃止申請を受理しなかった。"),
    ("zh", "no", "{N}向上交所提交了主动终止上市的撤回申请。"),
    ("tw", "no", "證交所駁回{N}終止上市之申請,股票維持上市。"),
    ("ko", "no", "{N}이 제출한 상장폐지 신청을 거래소가 반려했다."),
    ("vi", "no", "HOSE từ chối hồ sơ xin hủy niêm yết tự nguyện của {N}."),
    ("id", "no", "BEI menolak permohonan delisting sukarela {N}."),
    ("ms", "no", "{N} menarik balik permohonan untuk dikeluarkan daripada Senarai Rasmi."),
    ("tr", "no", "SPK, {N} şirketinin borsa kotundan çıkma başvurusunu olumsuz karşıladı."),
    ("ar", "no", "تقدمت {N} بطلب للعدول عن الشطب الاختياري."),
    ("au", "no", "{N} said stockholders rejected the voluntary delisting."),
    ("au", "no", "The exchange has withdrawn the notification of delisting issued to {N}."),
    # refused is the appeal: the end of the listing stands
    ("zh", "yes", "上交所驳回{N}对终止上市决定的复核申请,维持终止上市决定。"),
    ("ms", "yes", "Bursa Malaysia menolak rayuan {N} dan saham syarikat itu akan dikeluarkan daripada Senarai Rasmi pada 8 Mei."),
    # a court stays it, a body puts it off or takes it up again
    ("ja", "no", "東京地裁は4日、{N}の上場廃止決定の効力を本案判決まで停止する決定をした。"),
    ("zh", "no", "上海金融法院裁定,在诉讼终结前,上交所终止{N}股票上市的决定中止执行。"),
    ("tw", "no", "臺灣高等行政法院裁定停止執行證交所對{N}終止上市之處分。"),
    ("tw", "no", "金管會要求證交所重新審酌{N}終止上市案。"),
    ("vi", "no", "Tòa án tạm đình chỉ thi hành quyết định hủy niêm yết cổ phiếu {N}."),
    ("id", "no", "PTUN Jakarta memerintahkan BEI menunda pelaksanaan delisting {N}."),
    ("ms", "no", "Mahkamah Tinggi memberi perintah menggantung keputusan Bursa Malaysia untuk menyahsenaraikan {N}."),
    ("th", "no", "ศาลปกครองมีคำสั่งทุเลาการบังคับตามคำสั่งเพิกถอนหุ้น {N}"),
    ("ar", "no", "قررت لجنة القيد تأجيل البت في شطب أسهم {N}."),
    ("au", "no", "A court suspended the effect of the decision to delist {N}."),
    # nothing is decided, said beside the step
    ("ko", "no", "{N}의 최대주주는 상장폐지 신청을 포함한 다양한 방안을 검토한 바 있으나, 현재까지 구체적으로 확정된 사항은 없습니다."),
    ("ja", "no", "{N}は上場廃止の申請を行う旨が報じられた。現時点で決定した事実はない。"),
    ("hk", "no", "{N}獲悉聯交所決定取消其上市地位的報道。聯交所並未作出任何決定。"),
    ("vi", "no", "Báo chí đưa tin HOSE quyết định hủy niêm yết cổ phiếu {N}. HOSE cho biết chưa có quyết định."),
    ("id", "no", "BEI memutuskan delisting {N}, tulis sebuah media. Bursa menyatakan belum ada keputusan."),
    ("tr", "no", "{N} paylarının borsa kotundan çıkarılmasına karar verildiği yazıldı. Henüz alınmış bir karar bulunmamaktadır."),
    ("ar", "no", "ذكرت صحيفة أن لجنة القيد قررت شطب أسهم {N}. ولم يصدر أي قرار بعد."),
    # denied
    ("vi", "no", "{N} khẳng định thông tin cổ phiếu TSL bị hủy niêm yết là sai sự thật."),
    ("hk", "no", "傳媒報道{N}已獲批准撤銷上市地位,公司澄清並未提出有關申請。"),
    # open conditions and threats
    ("vi", "no", "{N} sẽ hủy niêm yết sau khi sáp nhập vào công ty mẹ được Ủy ban Chứng khoán chấp thuận."),
    ("ar", "no", "أمهلت البورصة المصرية {N} ثلاثة أشهر لتوفيق أوضاعها وإلا سيتم شطب أسهمها."),
    ("ar", "no", "وافقت الجمعية العامة لشركة {N} على الشطب الاختياري على أن يعرض الأمر على لجنة القيد للموافقة."),
    ("ar", "no", "وافق مساهمو {N} على الاندماج، ويبقى الأمر خاضعا لموافقة هيئة المنافسة قبل إلغاء الإدراج."),
    ("au", "no", "The parent of {N} has launched a tender offer at $9.10 a share, after which the firm will be delisted on 5 November."),
    ("au", "no", "The exchange directed {N} to explain within 15 days why its shares should not be delisted."),
    ("hk", "no", "{N}公布,其法院會議因颱風延期,撤銷上市地位的時間表將另行公布。"),
    # other lines
    ("vi", "no", "Quyền mua cổ phiếu {N} hủy niêm yết từ ngày 12/5."),
    ("ar", "no", "تعلن البورصة عن إلغاء إدراج حقوق الأولوية لشركة {N} بعد انتهاء فترة تداولها."),
    ("au", "no", "The loan stocks of {N} will be removed from the Official List upon maturity on 12 May."),
    # other venues
    ("hk", "no", "{N}於新加坡交易所的第二上市地位將於5月18日撤銷,於聯交所的主要上市地位維持不變。"),
    # other companies: subsidiaries, parents, holdings, figures
    ("ko", "no", "{N}의 자회사 한빛에너지가 상장폐지된다. 정리매매는 5월 7일부터다."),
    ("id", "no", "Anak perusahaan {N}, PT Samudra Energi Tbk, resmi delisting dari BEI hari ini."),
    ("ar", "no", "شركة النخيل للعقارات التابعة لشركة {N} تم شطب أسهمها من البورصة المصرية."),
    ("th", "no", "บริษัทย่อยของ {N} ถูกเพิกถอนออกจากตลาดหลักทรัพย์"),
    ("hk", "no", "{N}母公司聯港控股私有化完成,聯港控股今日除牌。"),
    ("vi", "no", "{N} là cổ đông lớn của Công ty Cổ phần Luyện kim Hà Trung, doanh nghiệp vừa bị hủy niêm yết."),
    ("tr", "no", "{N} grubunun ambalaj şirketi borsadan çıktı. TRKAM kodlu payların kottan çıkarılmasına pazartesi günü karar verildi."),
    ("ja", "no", "2019年に東証が上場廃止を決めたのは43社だった。{N}も管理体制が問題視されている。"),
    ("zh", "no", "据统计,今年已有16家公司被终止上市,{N}则成功摘帽。"),
    ("zh", "yes", "今年已有16家公司被终止上市,其中{N}于今日被上交所决定终止上市。"),
    # an earlier listing
    ("ko", "no", "2010년 상장폐지됐던 {N}은 2015년 재상장했다."),
    ("ja", "no", "2003年に上場廃止となった{N}は、2012年に再び株式を公開した。"),
    # rules about companies that fail something, and other companies of the same sitting
    ("zh", "no", "若公司2020年度继续亏损,{N}股票将被暂停上市;此后仍未改善的,公司股票将被终止上市。"),
    ("au", "no", "{N} is below the threshold. Companies that remain non-compliant after six months shall be automatically delisted on 3 July."),
    ("ja", "no", "{N}は改善期間に入った。期間内に適合しない会社は10月1日に上場廃止となる。"),
    ("ko", "no", "{N}은 관리종목이다. 기준을 충족하지 못한 종목은 상장폐지된다."),
    ("vi", "no", "{N} vào diện cảnh báo. Doanh nghiệp nào không khắc phục sẽ bị hủy niêm yết bắt buộc."),
    ("id", "no", "{N} disuspensi. Emiten yang tidak memenuhi ketentuan akan dihapus dari pencatatan efektif Agustus."),
    ("tr", "no", "{N} payları endeksten çıkarıldı. Aynı toplantıda iki şirketin kottan çıkarılması da kararlaştırıldı."),
    ("ar", "no", "{N} ضمن القائمة. الشركات التي لم توفق أوضاعها سيتم شطبها من البورصة."),
    ("ar", "no", "قرر مجلس إدارة {N} الموافقة المبدئية على الشطب الاختياري لأسهم الشركة من جداول البورصة المصرية."),
    ("au", "no", "The Manager of {N} announces that the perpetual securities have been redeemed in full and will be delisted on 12 May."),
    # shares "listed on" a venue come to none
    ("ja", "yes", "{N}は、本日開催の取締役会において、東京証券取引所に上場している当社株式について、上場廃止の申請を行うことを決議いたしました。"),
    # the other side of a merger, a purchase or a holding, and the issuer as the survivor
    ("ja", "no", "{N}と経営統合する白山化学株式会社は、9月28日をもって上場廃止となる。"),
    ("zh", "no", "{N}吸收合并江洲化工,江洲化工股票自5月11日起终止上市,{N}为存续公司。"),
    ("hk", "no", "{N}與聯港地產合併,聯港地產股份今日起撤銷上市。"),
    ("ko", "no", "{N}과 합병하는 한빛전자는 5월 20일 상장폐지된다."),
    ("ko", "no", "{N}이 보유한 세진전자 주식은 세진전자 상장폐지로 전액 손상 처리됐다."),
    ("ms", "no", "{N} mengambil alih Hulu Kelapa Berhad, yang akan dinyahsenaraikan daripada Bursa pada 12 Mei."),
    ("ar", "no", "استحوذت {N} على شركة الواحة للزيوت التي تم شطب أسهمها من البورصة اليوم."),
    ("au", "no", "{N} completed the acquisition of Corvane Marine Ltd, which will be delisted on 12 May."),
    ("au", "yes", "{N}, which was acquired by Corvane Marine Ltd, has been delisted from the exchange today."),
    ("zh", "yes", "江洲化工吸收合并{N},{N}股票自5月11日起终止上市。"),
    # what holders ask for, what a panel thinks, what a court or an exchange refuses
    ("ja", "no", "{N}の取締役会は、株主から提出された上場廃止を求める株主提案に反対することを決議した。"),
    ("zh", "no", "上市委员会认为{N}股票应予终止上市,交易所将据此作出决定。"),
    ("ko", "no", "{N} 소액주주들은 상장폐지 결정에 반대하는 집회를 열었다. 거래소는 심의를 다음 달로 미뤘다."),
    ("vi", "no", "Chứng quyền CTSL2001 (tài sản cơ sở là cổ phiếu {N}) bị hủy niêm yết do đáo hạn."),
    ("au", "no", "{N} has applied for judicial review of the decision to cancel its listing and the court has granted an interim injunction restraining the exchange."),
    ("au", "no", "The exchange denied the request of {N} for voluntary delisting."),
    # steps in words that were not known
    ("ja", "yes", "{N}(6398)の上場廃止が4日決まった。東京証券取引所が同日発表した。"),
    ("id", "yes", "Sehubungan dengan penggabungan usaha yang telah berlaku efektif, saham {N} dihapus dari pencatatan di BEI sejak 5 Mei 2020."),
    ("au", "yes", "The review committee upheld the decision; the last day of listing of {N} will be 15 May 2020."),
    ("au", "yes", "{N} resolved at its board meeting today to file an application to delist its shares from the exchange."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), ROWS, ids=[f"{n} {m} {e}" for n, (m, e, _) in enumerate(ROWS)])
def test_wording(market: str, expected: str, text: str) -> None:
    """What is refused, stayed, open, denied or another's is no step; what stands is one."""
    assert answer(market, text) == expected


# market, status, address, paragraphs below the date line
PAGES = (
    # a board that calls a meeting prints the days of what would follow; the exchange's own designation is of its day
    ("ja", "no", ISSUER, "当社は、本日開催の取締役会において、2020年6月10日に臨時株主総会を招集することを決議いたしました。\n取締役会決議日 2020年5月4日 / 整理銘柄指定日 2020年6月10日 / 最終売買日 2020年7月3日 / {N}株式の上場廃止日 2020年7月6日"),
    ("ja", "yes", ISSUER, "当社の株式併合が本日の臨時株主総会で承認可決されました。\n{N}株式の整理銘柄指定期間 2020年5月4日から6月4日まで / 上場廃止日 2020年6月5日"),
    # the end of a listing elsewhere, with this venue as the one that is kept
    ("hk", "no", WIRE, "{N}\nThe Board is pleased to announce that the delisting resolution was duly passed at the general meeting. All conditions having been fulfilled, the delisting will take place on 23 May 2020.\nFollowing the delisting from the Official List of the SGX-ST the Company will continue to have its primary listing in Hong Kong."),
    ("hk", "yes", WIRE, "{N}\nThe Board is pleased to announce that the withdrawal resolution was duly passed at the general meeting. All conditions having been fulfilled, the listing of the shares on the Stock Exchange of Hong Kong will be withdrawn on 23 May 2020."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "url", "text"), PAGES, ids=[f"{n} {p[0]} {p[1]}" for n, p in enumerate(PAGES)])
def test_page(market: str, expected: str, url: str, text: str) -> None:
    """The rest of a page tells that a step lies ahead, or that it is about another venue."""
    issuer, mic, country, ticker, day, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    lines = "".join(f"<p>{line.replace('{N}', issuer)}</p>" for line in text.split("\n"))
    page = extract(f"<html><body><p>{day}</p>{lines}</body></html>".encode(), "text/html", url, digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected


SHORT = (
    ("嘉隆(2493)昨日公告其股票終止上市。", True),
    ("公司代號 2493 公司名稱 嘉隆\n嘉隆股票自6月1日起終止上市。", True),
    ("嘉隆(2901)昨日公告其股票終止上市。", False),
    ("嘉隆昨日公告其股票終止上市。", False),
    ("嘉隆建設股份有限公司昨日公告,2493億元標案流標。", False),
)


@pytest.mark.parametrize(("text", "named"), SHORT)
def test_short_name_counts_beside_the_code(text: str, named: bool) -> None:
    """The two characters under which an exchange lists a company name it where the page gives them with its code."""
    listing = factories.listing(
        issuer="Chia Lung Electronics Co., Ltd. (嘉隆電子股份有限公司)", mic="XTAI", country="TW", ticker="2493", isin=""
    )
    page = extract(f"<html><body><p>{text}</p></body></html>".encode(), "text/html", WIRE, digest="sha256:1")
    assert names_listing(listing, page) is named


NAMES = (
    ("CTCP Luyện kim Hà Trung bị hủy niêm yết", ["Luyện kim Hà Trung"]),
    ("cổ phiếu của Công ty Cổ phần Bán lẻ Sao Bắc (SBG)", ["Bán lẻ Sao Bắc"]),
    ("CTCP Thép Việt rời sàn, công ty cổ phần nói chung", ["Thép Việt"]),
    ("บริษัท ไทยเหล็ก จำกัด (มหาชน) ถูกเพิกถอน", ["ไทยเหล็ก"]),
    ("công ty cổ phần là gì", []),
)


@pytest.mark.parametrize(("text", "cores"), NAMES)
def test_names_with_the_form_in_front(text: str, cores: list[str]) -> None:
    """Vietnamese and Thai names are read from their form to the last capitalised word, or to the form that closes them."""
    assert [name.core for name in extract_names(text)] == cores
