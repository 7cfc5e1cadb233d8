"""Marks that we add to the lists of abbreviations: kinds, words and openers.

Data of ``generate_abbreviations.py``.  All of it is our own judgement; the lists themselves come
from the sources that are named there.
"""

from __future__ import annotations

# Kinds of abbreviations; segment/sentence/abbreviations.rs names the same ones.
TITLE = "t"  # a name follows: never ends a sentence
NUMBERED = "n"  # an abbreviation only before a number
TRAILING = "e"  # follows its noun or number: ends a sentence before a capital
TIME = "m"  # the same, and also before a number
CAPITAL = "c"  # an abbreviation only with a capital; otherwise a word
LOWER = "l"  # an abbreviation only without a capital; otherwise a word

# Marks for English, by kind; a word that the source lacks is added.
ENGLISH = {
    TITLE: """dr drs mr mrs ms mx prof rev hon st mt messrs mssrs mlle mme msgr capt cmdr comdr col
        gen gov lt maj sgt sfc cpl pfc pvt brig adm insp supt surg pres rep reps sen sens ens fr br
        e.g eg i.e ie cf c.f vs v viz ca approx esp incl ph ste mgr asst assoc atty a.k.a resp""",
    NUMBERED: """no nos nº n° no̱ p pp pg p.g fig figs sec secs ch chap vol vols eq eqs eqn ref refs
        art arts para ex app op ver item tab apt §""",
    TRAILING: """a.d b.c b.c.e c.e ph.d phd m.d md d.d.s dds m.a ma b.a ba m.s b.s bs m.sc msc b.sc
        bsc m.b.a mba j.d jd ll.b llb ll.d lld ll.m llm d.phil gal ft lb lbs mi mph oz pt qt yd sq
        fl km cm mm kg hr hrs in""",
    TIME: "a.m p.m",
    CAPITAL: """ala ark cal con conn del ga id ida ill ind kan kans la may me mex min miss mo mont
        neb ok ore pa penn tex va wis mon tue wed thu fri mar jan dec""",
}
# In the source, but words far more often than abbreviations.
ENGLISH_WORDS = {
    *(
        "arc",
        "bart",
        "com",
        "dc",
        "do",
        "exp",
        "fed",
        "ll",
        "man",
        "mass",
        "que",
        "re",
        "res",
        "wash",
    ),
}
ENGLISH_MORE = "opp u.k e.u u.n u.s.a llc plc dist ext tel max est govt mts hwy n.b q.v r.s.v.p"

# Openers of the source that follow an abbreviation inside a sentence just as well.
NOT_OPENERS = {
    *(
        "New",
        "Great",
        "Right",
        "Last",
        "Second",
        "First",
        "Third",
        "People",
        "Recent",
        "Back",
        "Dear",
    ),
    "Two",
}
OWN_OPENERS = {
    "en": "Don Didn Doesn Isn Wasn Weren Won Wouldn Couldn Shouldn Can",
    "de": """Der Die Das Den Dem Des Ein Eine Einen Einem Einer Er Sie Es Wir Ihr Ich Man Dies Diese
        Dieser Dieses Aber Auch Als Am An Auf Aus Bei Beim Da Dabei Daher Damit Dann Danach Dort
        Durch Für Hier Im In Ist Jetzt Jedoch Mit Nach Nachdem Nicht Noch Nun Nur Ob Oder Seit Seine
        So Sowohl Trotz Und Unter Vom Von Vor Warum Was Weil Wenn Wer Wie Wo Während Zu Zum Zur""",
    "fr": """Le La Les Un Une Des Ce Cet Cette Ces Il Elle Ils Elles On Nous Vous Je Tu Mais Et Ou
        Or Donc Car Dans En Au Aux À Avec Pour Par Sur Sous Sans Selon Si Son Sa Ses Leur Leurs Mon
        Ma Mes Notre Nos Puis Ensuite Ainsi Alors Après Avant Depuis Lorsque Quand Que Qui Comme
        Cependant Toutefois Pourtant Enfin Tout Tous""",
    "es": """El La Los Las Un Una Unos Unas Este Esta Estos Estas Ese Esa Eso Esto Ella Ellos Ellas
        Él Yo Tú Nosotros Usted Ustedes Pero Y O En Con Por Para Sin Sobre Según Si Su Sus Mi Mis
        Nuestro Nuestra Al Del Como Cuando Donde Quien Que Qué Aunque Además Después Antes Luego
        Entonces También No Se Es Hay Fue Era""",
    "it": """Il Lo La I Gli Le Un Uno Una Questo Questa Questi Queste Quello Quella Egli Ella Lui
        Lei Loro Noi Voi Io Tu Ma E O In Nel Nella Con Per Da Dal Di Su Sul Sulla Tra Fra Se Suo Sua
        Mio Mia Come Quando Dove Chi Che Perché Anche Poi Dopo Prima Inoltre Tuttavia Non Si È Al
        Alla Grazie""",
    "pt": """O A Os As Um Uma Uns Umas Este Esta Estes Estas Esse Essa Isso Isto Ele Ela Eles Elas
        Eu Nós Você Vocês Mas E Ou Em No Na Nos Nas Com Por Para Sem Sobre Segundo Se Seu Sua Meu
        Minha Ao Do Da Como Quando Onde Quem Que Embora Além Depois Antes Então Também Não É Há""",
    "nl": """De Het Een Dit Dat Deze Die Hij Zij Ze Wij We Jij Je Ik U Men Maar En Of In Op Met Voor
        Van Bij Door Na Naar Om Over Uit Te Als Toen Wanneer Waar Wie Wat Waarom Hoe Ook Er Daar
        Daarna Daarom Dus Hier Nu Niet Zijn Haar Hun Mijn Onze Volgens Tijdens""",
    "pl": """On Ona Ono Oni One My Wy Ja Ty Ten Ta To Te Ci Ale I A W We Na Z Ze Do Od Po Przy Przez
        Dla Jak Gdy Kiedy Gdzie Kto Co Czy Dlaczego Jego Jej Ich Mój Nasz Potem Następnie Jednak
        Także Również Nie Jest Był Była Było""",
    "ru": """Он Она Оно Они Мы Вы Я Ты Это Этот Эта Эти Но И А В Во На С Со К От По При Для Из Как
        Когда Где Кто Что Если Почему Его Её Их Мой Наш Потом Затем Однако Также Не Был
        Была Было""",
    "uk": """Він Вона Воно Вони Ми Ви Я Ти Це Цей Ця Ці Але І Й А В У На З Зі До Від По При Для Із
        Як Коли Де Хто Що Якщо Чому Його Її Їх Мій Наш Потім Однак Також Не Був Була Було""",
    "da": """Han Hun Det De Den Vi I Jeg Du Man Men Og Eller Efter Da Når Hvis Hvor Hvem Hvad
        Hvorfor Hvordan På Med Til Fra For Der Her Denne Dette Disse Også Ikke""",
}

# Titles of other languages, before names: academic, courtly, military, religious.
# Titles that are no words of another language hold in every one: a Czech name in English, too.
TITLES_OF_ALL = """dra sra srta sres srs dña dott dott.ssa ing mgr mudr mvdr judr phdr paeddr
    rndr thdr ddr dipl dipl.ing ph.dr mag.phil univ.prof doz priv.doz Доц доц проф акад инж
    д-р г-н г-жа гр-н डॉ प्रो श्री पं ಡಾ ಪ್ರೊ ಶ್ರೀ ডঃ ডা ড ડૉ પ્રો શ્રી ਡਾ ਪ੍ਰੋ ഡോ പ്രൊഫ പ്രൊ
    ശ്രീ டாக்டர் பேரா திரு డా ప్రొ శ్రీ د أ أ.د ا.د م ڈاکٹر پروف պրոֆ դոց ինժ ակադ ד״ר פרופ"""
# Titles of one language.
TITLES = {
    "af": "mnr mev mej dr prof ds adv regter genl kol kapt",
    "bg": "проф доц инж арх акад ген кап св адв гл ас",
    "ca": "sr sra srta dr dra prof mn",
    "cs": """pí sl prof doc ing mgr bc dr arch dipl mudr judr phdr mvdr rndr paeddr thdr akad
        sv bl gen plk pplk mjr kpt npor por ppor rtm prap čet des""",
    "da": "hr fr frk dr prof ing cand dir sct",
    "de": "hr fr frl dr prof ing dipl doz hl st gen maj hptm lt",
    "el": "κα κος δρ καθ αρχ στρ αγ άγ",
    "es": """sr sra srta sres sras dr dra drs dras dña prof profa lic ing arq abg mtro mtra
        mag fr sor sto sta san gral cnel cmdte cap tte sgto alte pbro mons excmo ilmo hno hna""",
    "et": "hr pr dr prof",
    "fi": "hra rva nti tri prof ins",
    "fr": "mm mme mmes mlle mlles mgr dr drs pr st ste gén lt cdt",
    "hi": "मो स्व",
    "hr": "gđa gđica dr prof mr ing dipl doc akad sv gen",
    "ht": "mn mms mis dr pwof",
    "hu": "dr ifj id özv prof szt",
    "hy": "պրոֆ դոց ինժ ակադ գեն",
    "id": """bpk sdr sdri ny nn dr drs dra ir prof hj kh ust jend letjen mayjen brigjen kol
        kapt moh muh""",
    "it": """sig sig.ra sigg sigra sig.na dott dott.ssa dr prof prof.ssa ing avv arch geom rag
        on sen mons gen col cap ten serg ss""",
    "kk": "проф доц акад инж ген",
    "lt": "dr doc prof akad inž gen plk mjr kpt šv adv kun",
    "lv": "dr prof akad inž sv",
    "mr": "डॉ प्रा प्रो श्री सौ कु श्रीमती इंजि पं",
    "nb": "hr fr frk dr prof ing st",
    "nl": "dhr mevr mw dr drs prof ir ing mr ds jhr st gen kol kapt lt maj",
    "nn": "hr fr frk dr prof ing st",
    "pl": """pp dr prof inż mgr med hab doc arch red ks św bp abp kard gen płk ppłk mjr
        kpt por ppor chor sierż plut kpr st""",
    "pt": """sr sra srs sras srta dr dra drs dras prof profa profs eng enga arq adv lic
        exmo exma ilmo gen cel cmdt cmte cap ten sgt maj alm st sto sta fr""",
    "ro": """dl d-l dna d-na dra d-ra dr prof ing arh av conf lect asist acad sf gen col mr
        cpt lt gh al gr""",
    "ru": "гг гр проф доц акад инж ген кап лейт св архим еп д-р г-н г-жа",
    "sk": """sl prof doc ing mgr bc dr arch dipl mudr judr phdr mvdr rndr paeddr thdr akad sv
        bl gen plk pplk mjr kpt npor por""",
    "sl": "gdč dr prof mag doc ing inž dipl akad sv gen",
    "sr": "проф доц инж акад др гђа св ген prof doc ing dr sv",
    "sv": "hr fr frk dr prof ing doc kapt st s:t",
    "sw": "bw bi bibi dkt dk prof mhe mh mwl kanali jen eng sheikh",
    "tr": """dr prof doç yrd öğr arş uzm av müh mim ecz op alb yzb bnb yb orgen tümg tuğg
        sn hz st prof.dr doç.dr yrd.doç arş.gör öğr.gör""",
    "uk": "проф доц акад інж ген кап св ім пп",
    "vi": "gs pgs ts ths bs ks cn ls pgs.ts gs.ts ncs",
}
# Words that name what follows: "see", "compare", kinds of streets and squares.
LEADING = {
    "bg": "вж срв ул бул пл жк кв",
    "ca": "vg av pl pg",
    "cs": "srov vl ul tř",
    "da": "jf",
    "de": "vgl s.u",
    "el": "βλ πρβλ οδ λεωφ πλ",
    "es": "véase cf av avda ctra pza plza urb",
    "et": "vrd vt tn mnt pst",
    "fi": "vrt ks",
    "fr": "cf av bd boul pl imp",
    "hr": "usp ul",
    "hu": "ld vö",
    "id": "lih jl gg",
    "it": "cfr p.za v.le c.so",
    "lt": "žr plg",
    "lv": "sk sal",
    "nb": "jf",
    "nl": "vgl",
    "nn": "jf",
    "pl": "zob por ul al pl os",
    "pt": "cf av trav urb pça al rod",
    "ro": "cf str bd bdul șos",
    "ru": "ср ул пл просп наб бул",
    "sk": "porov ul",
    "sl": "prim gl ul",
    "sr": "уп ул бул ul bul",
    "sv": "jfr jmf",
    "tr": "bkz bk krş mah cad sok",
    "uk": "див пор вул пл просп бульв",
}
# Nouns with a number behind them: parts of books and laws, of addresses and of dates.
NUMBERED_OF = {
    "af": "bl bls hfst afd afb fig tab art par nr vgl deel",
    "bg": "ок стр гл табл рис фиг ст чл ал бл вх ет ап бр изд прил сп тел",
    "ca": "aprox pàg pàgs cap fig taula art núm vol apt tel",
    "cs": "cca str čís kap obr tab čl odst písm sv roč např tel hod min čp příl zák srov viz",
    "da": "side kap fig tab afsn art nr stk kl pkt bd bind tlf",
    "de": """abs abb art bd bde kap tab nr rn rz rdnr ziff zif fig bl sp anm aufl heft jg bsp
        gl anh lit satz tel""",
    "el": "περ σελ κεφ εικ πίν άρθ αρθ παρ παράγρ αρ τόμ τομ τηλ εδ σχ",
    "es": "aprox pág págs pag cap fig tab art arts núm num nro vol ap párr inc sec ed tel av",
    "et": "lk ptk joon tab nr lg tel",
    "fi": "n luku kuv taul nro art mom tel klo vrt",
    "fr": "pp chap fig tab art no num vol al éd par bd tél",
    "hr": "cca str gl sl tab čl st br sv god tel toč",
    "ht": "paj chap fig tab at nim vol",
    "hu": "cca old fej ábra tábl sz bek kb tel pl vö ker",
    "hy": "էջ գլ նկ աղ հոդ կետ հտ տես",
    "id": "hlm hal bab gbr tab ps no jil ay art telp jl",
    "it": "pag pagg cap fig tab art artt num vol par sez lett tel co",
    "kk": "бет сур кес тар",
    "lt": "psl sk pav lent str nr tel plg žr",
    "lv": "lpp nod att tab nr sēj tel sal",
    "nb": "kap fig tab avsn art nr pkt kl bd tlf",
    "nl": "pp blz hfst hfdst afb fig tab art nr deel vgl lid tel",
    "nn": "kap fig tab avsn art nr pkt kl bd tlf",
    "pl": "ok str rozdz rys tab art ust pkt nr poz tom godz ul tel lit por ryc",
    "pt": "aprox pág págs cap fig tab art arts núm num vol par inc sec ed tel av lt qd apto",
    "ro": "cca pag cap fig tab art alin nr pct vol lit ed tel et ap sc bl str bd",
    "ru": """ок стр рис табл гл разд ст пп пункт изд прил кн вып см ср кв ул тел эт корп оф пр
        стб абз пон вт чт пт""",
    "sk": "cca str čís kap obr tab čl ods písm zv roč tel hod príl porov",
    "sl": "cca str pogl sl tab čl odst št zv tel",
    "sr": "cca стр гл сл таб чл ст бр св тел str gl sl tab čl br",
    "sv": "ca omkr sid kap fig tab avsn art nr st kl bd tel jfr jmf",
    "sw": "uk ukr sur kif kielelezo jed na juz",
    "tr": "yakl sf syf böl şek tab mad md bkz bk no nr cilt fık tel sok cad",
    "uk": "бл стор рис табл гл розд ст пп вид дод кн див пор буд кв вул тел абз",
    "vi": "tr ch hình mục điều quyển số tel",
    # Rupees, numbers and pages.
    "bn": "রু নং পৃ",
    "gu": "રૂ નં પૃ",
    "hi": "रु सं पृ क्र",
    "kn": "ರೂ ನಂ ಪು",
    "ml": "രൂ നം പേ",
    "mr": "रु पृ क्र",
    "pa": "ਰੁ ਨੰ ਪੰ",
    "ta": "ரூ எண் பக்",
    "te": "రూ నం పు",
}
# Abbreviations that the sources lack: "for example", "so-called", "that is", "or", "about";
# thousands and millions; countings of years; companies, and gazettes of laws.
PLAIN_OF = {
    "bg": "напр вкл пр сл хр т.нар т.е хил млн млрд хр прибл респ дв",
    "ca": "p.ex ex aprox cia mil",
    "cs": """např tzv tzn tj resp popř příp event zejm zvl mil mld tis cca př pozn vč n.l kol okr
        mezin spol sb nám angl něm lat kupř""",
    "da": "f.eks bl.a dvs inkl ekskl evt mio mia e.kr f.kr vedr ca",
    "de": "v.chr n.chr z.b bgbl mio mrd tsd ca gmbh",
    "el": "π.χ δηλ λ.χ μ.χ κ.ά εκ δισ χιλ περ βλ",
    "es": "p.ej aprox a.c d.c mill cía ca",
    "et": "nt s.t jne e.m.a m.a.j mln mld tuh ca",
    "fi": "esim mm ns eaa jaa ekr jkr mrd milj tuh ks t.s",
    "fr": "p.ex av.j.-c apr.j.-c env me",
    "hr": "npr tzv tj odn mil mlrd tis pr.kr n.e cca br",
    "hu": "pl ún ill kb i.e kr.e kr.u vmint mrd",
    "id": "a.l mis spt dlm",
    "it": "p.es a.c d.c es ca d.lgs d.l d.p.r mln mld",
    "lt": "pvz t.y vad apie mln mlrd tūkst pr.kr m.e",
    "lv": "piem t.i t.s milj mljrd tūkst p.m.ē m.ē apm",
    "nb": "f.eks bl.a dvs inkl ekskl evt mill mrd e.kr f.kr vedr ca",
    "nl": "bijv d.w.z o.a zgn mln mld v.chr n.chr ca resp",
    "nn": "t.d m.a dvs inkl evt mill mrd e.kr f.kr ca",
    "pl": "np tzw tzn tj mln mld tys dz p.n.e n.e im lek ww jw",
    "pt": "p.ex aprox a.c d.c cia mil",
    "ro": "ex cca î.hr d.hr î.e.n mil mld m.of nr",
    "ru": "напр т.е т.н т.к см им пер прим тыс млн млрд н.э",
    "sk": "napr tzv tzn tj resp popr príp mil mld tis cca pozn n.l zb nám",
    "sl": "npr t.i tj oz mio mrd tis cca pr.kr n.št ur.l",
    "sr": "нпр тзв тј одн мил млрд хиљ npr tzv tj odn mil mlrd hilj cca",
    "sv": """t.ex bl.a dvs s.k d.v.s fr.o.m t.o.m inkl exkl ev milj mdr e.kr f.kr ca resp p.g.a
        m.a.o f.d""",
    "tr": "örn vd yakl m.ö m.s",
    "uk": "напр т.зв т.д тис млн млрд н.е ім див пров прибл",
}
# Titles that are small words of the language where they have no capital.
CAPITAL_OF = {
    "de": "mag",
    "fr": "me cap col",
    "pt": "me pe dom",
    "sl": "ga",
    "tr": "gör",
}
# Adjectives cut short, which are nouns and names with a capital.
LOWER_OF = {
    "de": "abt akt best ben max schweiz",
}
# In the sources, but words of everyday that often end a sentence: prefixes that a dictionary
# writes with a dot, names of tools, acronyms of a language in small letters.
WORDS_OF = {
    "da": """al del do el form fru if jul ma nord no on par port red sort so sø ti to tv""",
    "de": "alt app art ass bart pin port test",
    "es": """an ante anti auto bis com contra des dis en entre ex extra in infra inter intra kit
        macro mar may mega micro mini mono multi neo post pre pro ram re retro rol sal san sobre sol
        sub super supra tri ultra uni vice vid""",
    "fr": "all auto jeu mer sec var vol voit quart contr",
    "hu": "all an ford miss old red vas út",
    "it": """ali ama an are art as bar bei ce com dia dir en es fasi fiat file go grano http
        in inter is it mac mar mica na nato on or pop post re sa sai san set sin so spot tim to
        top tv uni usa va val""",
    "nb": "bla no on sp to ti ti vg ad des ma",
    "nl": "app art best hand it not pan pers red tom top ver vol volg",
    "pt": "con long mar out port set",
    "ru": "майор пункт июнь июль марта мая полк",
    "bg": "майор",
    "sl": """del gozd grad it les lov mar mest papir rad rib stil star šport trg živ os""",
    "sv": "ung",
    "tr": "bul kur",
    "pl": "port",
    "ro": "rom",
}
# Abbreviations behind which a sentence ends before a capital, as in "usw." and "etc."
TRAILING_OF = {
    "cs": "atd atp apod aj mj",
    "da": "osv m.m m.fl o.l",
    "de": "usw usf",
    "es": "etc ud uds vd vds",
    "fr": "etc",
    "hr": "itd itsl",
    "hu": "stb",
    "id": "dll dsb dst",
    "it": "ecc",
    "lt": "t.t pan",
    "nb": "osv m.m m.fl",
    "nl": "enz e.d",
    "pl": "itd itp",
    "pt": "etc",
    "ro": "etc ș.a",
    "sk": "atď apod",
    "sl": "itd ipd",
    "sr": "итд",
    "sv": "osv m.m m.fl o.d",
    "tr": "vb vs",
}
