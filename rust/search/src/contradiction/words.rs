//! Words that decide what a sentence asserts: numbers, dates, units, negations, limits and opposites.
//!
//! Words are those of English, German, French, Spanish, Italian, Portuguese and Dutch; negations are those of Russian,
//! Polish, Chinese, Japanese and Arabic, too. A word that several languages have means what the first of them says.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Kind;

/// Words that mean the same, and what stands for them; for each itself where that is empty.
type Row = (Kind, &'static str, &'static str);

const ROWS: &[Row] = &[
    (Kind::Number, "0", "zero null zéro cero nul"),
    (Kind::Number, "1", "one eins uno um één"),
    (Kind::Number, "2", "two zwei deux dos due dois duas twee"),
    (Kind::Number, "3", "three drei trois tres tre três drie"),
    (Kind::Number, "4", "four vier quatre cuatro quattro quatro"),
    (Kind::Number, "5", "five fünf cinq cinco cinque vijf"),
    (Kind::Number, "6", "six sechs seis sei zes"),
    (Kind::Number, "7", "seven sieben sept siete sette sete zeven"),
    (Kind::Number, "8", "eight acht huit ocho otto oito"),
    (Kind::Number, "9", "nine neun neuf nueve nove negen"),
    (Kind::Number, "10", "ten zehn dix diez dieci dez tien"),
    (Kind::Number, "11", "eleven elf onze undici"),
    (Kind::Number, "12", "twelve zwölf douze doce dodici doze twaalf"),
    (Kind::Number, "13", "thirteen dreizehn treize trece tredici treze dertien"),
    (Kind::Number, "14", "fourteen vierzehn quatorze catorce quattordici catorze veertien"),
    (Kind::Number, "15", "fifteen fünfzehn quinze quince quindici vijftien"),
    (Kind::Number, "16", "sixteen sechzehn seize dieciséis sedici dezesseis zestien"),
    (Kind::Number, "17", "seventeen siebzehn diecisiete diciassette dezessete zeventien"),
    (Kind::Number, "18", "eighteen achtzehn dieciocho diciotto dezoito achttien"),
    (Kind::Number, "19", "nineteen neunzehn diecinueve diciannove dezenove negentien"),
    (Kind::Number, "20", "twenty zwanzig vingt veinte venti vinte twintig"),
    (Kind::Number, "30", "thirty dreißig dreissig trente treinta trenta trinta dertig"),
    (Kind::Number, "40", "forty vierzig quarante cuarenta quaranta quarenta veertig"),
    (Kind::Number, "50", "fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig"),
    (Kind::Number, "60", "sixty sechzig soixante sesenta sessanta sessenta zestig"),
    (Kind::Number, "70", "seventy siebzig septante setenta settanta zeventig"),
    (Kind::Number, "80", "eighty achtzig octante ochenta ottanta oitenta tachtig"),
    (Kind::Number, "90", "ninety neunzig nonante noventa novanta negentig"),
    (Kind::Number, "100", "hundred hundreds hundert cent cents cien ciento cento cem honderd"),
    (Kind::Number, "1000", "thousand thousands tausend mille mil mila duizend"),
    (
        Kind::Number,
        "1000000",
        "million millions millionen millón millones milione milioni milhão milhões miljoen",
    ),
    (
        Kind::Number,
        "1000000000",
        "billion billions milliarde milliarden milliard milliards miljard",
    ),
    (
        Kind::Number,
        "",
        "dozen dutzend douzaine docena half halves hälfte moitié mitad metà metade helft quarter quarters viertel drittel",
    ),
    (
        Kind::Number,
        "",
        "once twice thrice double triple doppelt dreifach single pair einmal zweimal dreimal",
    ),
    (
        Kind::Number,
        "1.",
        "first erste ersten erster erstes premier première primero primera primo prima primeiro primeira eerste",
    ),
    (
        Kind::Number,
        "2.",
        "second zweite zweiten zweiter zweites deuxième segundo segunda secondo seconda tweede",
    ),
    (
        Kind::Number,
        "3.",
        "third dritte dritten dritter drittes troisième tercero tercera terzo terza terceiro terceira derde",
    ),
    (Kind::Number, "4.", "fourth vierte vierten quatrième cuarto cuarta quarto quarta vierde"),
    (Kind::Number, "5.", "fifth fünfte fünften cinquième quinto quinta vijfde"),
    (
        Kind::Number,
        "",
        "sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth sechste sechsten siebte siebten achte achten neunte neunten zehnte zehnten",
    ),
    (Kind::Date, "jan", "january jan januar janvier enero gennaio janeiro januari"),
    (Kind::Date, "feb", "february feb februar février febrero febbraio fevereiro februari"),
    (Kind::Date, "mar", "march märz mars marzo março maart"),
    (Kind::Date, "apr", "april apr avril abril aprile"),
    (Kind::Date, "may", "mai mayo maggio maio mei"),
    (Kind::Date, "jun", "june jun juni juin junio giugno junho"),
    (Kind::Date, "jul", "july jul juli juillet julio luglio julho"),
    (Kind::Date, "aug", "august aug août agosto augustus"),
    (Kind::Date, "sep", "september sep septembre septiembre settembre setembro"),
    (Kind::Date, "oct", "october oct oktober octobre octubre ottobre outubro"),
    (Kind::Date, "nov", "november nov novembre noviembre novembro"),
    (Kind::Date, "dec", "december dec dezember décembre diciembre dicembre dezembro"),
    (Kind::Date, "mon", "monday mon montag lundi lunes lunedì maandag"),
    (Kind::Date, "tue", "tuesday tue tues dienstag mardi martes martedì dinsdag"),
    (Kind::Date, "wed", "wednesday mittwoch mercredi miércoles mercoledì woensdag"),
    (Kind::Date, "thu", "thursday thu thurs donnerstag jeudi jueves giovedì donderdag"),
    (Kind::Date, "fri", "friday fri freitag vendredi viernes venerdì vrijdag"),
    (Kind::Date, "sat", "saturday samstag sonnabend samedi sábado sabato zaterdag"),
    (Kind::Date, "sun", "sunday sonntag dimanche domingo domenica zondag"),
    (
        Kind::Date,
        "",
        "today tomorrow yesterday heute morgen gestern aujourd demain hier hoy mañana ayer oggi domani ieri hoje amanhã ontem vandaag gisteren",
    ),
    (
        Kind::Date,
        "",
        "spring summer autumn winter morning noon afternoon evening midnight daily weekly monthly quarterly yearly annually annual hourly täglich wöchentlich monatlich jährlich",
    ),
    (
        Kind::Unit,
        "",
        "minute hour day week month year decade century sekunde minute stunde tag woche monat jahr jahrzehnt heure jour semaine mois année hora día semana mes año giorno settimana mese anno dia mês ano dag maand jaar uur",
    ),
    (Kind::Unit, "hour", "hours hrs hr"),
    (Kind::Unit, "minute", "minutes mins minuten"),
    (Kind::Unit, "second", "seconds secs sec sekunden"),
    (Kind::Unit, "day", "days"),
    (Kind::Unit, "week", "weeks"),
    (Kind::Unit, "month", "months"),
    (Kind::Unit, "year", "years"),
    (Kind::Unit, "stunde", "stunden"),
    (Kind::Unit, "tag", "tage tagen tages"),
    (Kind::Unit, "woche", "wochen"),
    (Kind::Unit, "monat", "monate monaten monats"),
    (Kind::Unit, "jahr", "jahre jahren jahres"),
    (
        Kind::Unit,
        "",
        "millimetre millimeter centimetre centimeter metre meter kilometre kilometer inch foot yard mile",
    ),
    (
        Kind::Unit,
        "",
        "millimetres millimeters centimetres centimeters metres meters kilometres kilometers inches feet yards miles acre acres hectare hectares",
    ),
    (
        Kind::Unit,
        "",
        "milligram gram kilogram milligrams grams kilograms gramm kilogramm pound pounds ounce ounces ton tons tonne tonnes tonnen stone",
    ),
    (
        Kind::Unit,
        "",
        "millilitre milliliter litre liter millilitres milliliters litres liters gallon gallons pint pints",
    ),
    (
        Kind::Unit,
        "",
        "bit bits byte bytes kilobyte megabyte gigabyte terabyte kilobytes megabytes gigabytes terabytes",
    ),
    (
        Kind::Unit,
        "",
        "volt volts watt watts kilowatt kilowatts megawatt ampere amperes hertz kilohertz megahertz joule joules calorie calories pascal degree degrees celsius fahrenheit kelvin grad",
    ),
    (
        Kind::Unit,
        "",
        "ms ns s min h d mm cm m km ft yd mg µg mcg g kg t lb lbs oz ml cl dl l kb mb gb tb kib mib gib tib v mv kv w kw mw gw wh kwh mwh hz khz mhz ghz n kn j kj mj cal kcal pa kpa hpa bar psi mol ppm ppb px dpi rpm bps kbps mbps gbps",
    ),
    (Kind::Unit, "%", "percent percentage prozent pourcent procent"),
    (Kind::Unit, "€", "euro euros eur"),
    (Kind::Unit, "$", "dollar dollars usd"),
    (Kind::Unit, "£", "gbp sterling"),
    (
        Kind::Unit,
        "",
        "chf franc francs franken yen jpy yuan cny rupee rupees inr peso pesos krone kronen rouble roubles",
    ),
    (Kind::Negation, "not", "not nicht geen pas não niet"),
    (
        Kind::Negation,
        "no",
        "no kein keine keiner keines keinem keinen aucun aucune ningún ninguno ninguna nessun nessuno nessuna nenhum nenhuma",
    ),
    (
        Kind::Negation,
        "",
        "nor never none nothing nobody nowhere neither without non except unless lest hardly barely scarcely seldom rarely excluding",
    ),
    (
        Kind::Negation,
        "",
        "nie niemals niemand niemandem niemanden nichts nirgends weder ohne außer ausgenommen kaum sofern",
    ),
    (
        Kind::Negation,
        "",
        "ne jamais rien personne ni sans sauf hormis nunca jamás nada nadie sin tampoco salvo excepto mai niente né senza neanche tranne ninguém nem sem exceto nooit niets nergens zonder behalve",
    ),
    (
        Kind::Negation,
        "",
        "не нет ни никогда без никто ничего кроме нельзя nie bez nigdy żaden لا لم لن ليس غير بدون ません ない",
    ),
    (
        Kind::Limit,
        "",
        "more less fewer most least over under above below before after until till since within beyond beneath exceed exceeds exceeding maximum minimum max min only solely all any some every each both either",
    ),
    (
        Kind::Limit,
        "",
        "may might can could shall should must will would need needs required require requires optional mandatory always sometimes often usually early late earlier later",
    ),
    (
        Kind::Limit,
        "",
        "mehr weniger mindestens höchstens über unter vor nach bis seit nur alle aller allen jede jeder jedes jedem jeden einige muss müssen darf dürfen kann können soll sollen sollte wird werden immer stets",
    ),
    (
        Kind::Limit,
        "",
        "plus moins avant après jusqu depuis seulement tous toutes tout chaque peut peuvent doit doivent más menos antes después hasta desde sólo todos todas cada puede pueden debe deben più meno prima dopo fino solo tutti tutte ogni può possono deve devono mais depois até todos podem pode devem meer minder voor na tot sinds alleen elke mag moet kan moeten mogen kunnen",
    ),
    (
        Kind::Opposite,
        "",
        "yes true false left right north south east west northern southern eastern western high low higher lower highest lowest up down on off in out inside outside upper inner outer",
    ),
    (
        Kind::Opposite,
        "",
        "start starts end ends begin begins open opens opened close closes closed last import export imports exports gain gains loss losses profit profits win wins won lose loses lost pass passes passed fail fails failed failure success successful",
    ),
    (
        Kind::Opposite,
        "",
        "same different public private internal external input output male female men women man woman strong weak hot cold warm rise rises rose fall falls fell new old safe dangerous rich poor good bad best worst better worse positive negative",
    ),
    (
        Kind::Opposite,
        "",
        "buyer seller tenant landlord lessor lessee employer employee plaintiff defendant debtor creditor licensor licensee borrower lender vendor purchaser supplier customer mother father son daughter his her he she",
    ),
    (
        Kind::Opposite,
        "",
        "käufer verkäufer mieter vermieter arbeitgeber arbeitnehmer kläger beklagter gläubiger schuldner erlaubt verboten zulässig pflicht",
    ),
    (
        Kind::Opposite,
        "",
        "buy buys bought sell sells sold give gives take takes send sends receive receives add adds remove removes keep keeps delete deletes push pull read write lock unlock valid void",
    ),
];

/// How words begin that have an opposite, whatever their endings.
const STEMS: &[&str] = &[
    "accept", "allow", "approv", "decreas", "deny", "denie", "disabl", "enabl", "exclud", "expand",
    "forbid", "forbad", "grant", "includ", "increas", "permit", "prohibit", "reduc", "refus",
    "reject", "shrink", "verbiet", "verbot",
];

/// What reverses the word behind it.
pub const PREFIXES: &[&str] = &["un", "in", "im", "il", "ir", "dis", "non", "mis", "de", "anti"];

/// Endings of which the first one reverses the second.
pub const SUFFIXES: [(&str, &str); 3] = [("less", "ful"), ("less", ""), ("los", "")];

/// Characters of scripts without spaces that negate.
pub const NEGATING: &str = "不没沒無无非未勿莫别";

/// Characters of such scripts that are digits.
pub const DIGITS: &str = "〇零一二两兩三四五六七八九十百千万萬亿億";

static WORDS: LazyLock<HashMap<&'static str, (Kind, &'static str)>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for &(kind, meaning, row) in ROWS {
        for word in row.split(' ') {
            let meaning = if meaning.is_empty() { word } else { meaning };
            words.entry(word).or_insert((kind, meaning));
        }
    }
    words
});

/// What a word asserts, and what stands for it; nothing for most words.
pub fn meaning(word: &str) -> Option<(Kind, &str)> {
    if let Some(&found) = WORDS.get(word) {
        return Some(found);
    }
    STEMS.iter().find(|&&stem| word.starts_with(stem)).map(|stem| (Kind::Opposite, *stem))
}
