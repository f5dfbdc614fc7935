"""Names of glyphs: those of the encodings in ISO 32000-1, Annex D, and the standard strings of CFF."""

from __future__ import annotations

_CHARACTERS = """
space:20 exclam:21 quotedbl:22 numbersign:23 dollar:24 percent:25 ampersand:26 quotesingle:27 parenleft:28
parenright:29 asterisk:2a plus:2b comma:2c hyphen:2d period:2e slash:2f zero:30 one:31 two:32 three:33 four:34
five:35 six:36 seven:37 eight:38 nine:39 colon:3a semicolon:3b less:3c equal:3d greater:3e question:3f at:40 A:41
B:42 C:43 D:44 E:45 F:46 G:47 H:48 I:49 J:4a K:4b L:4c M:4d N:4e O:4f P:50 Q:51 R:52 S:53 T:54 U:55 V:56 W:57 X:58
Y:59 Z:5a bracketleft:5b backslash:5c bracketright:5d asciicircum:5e underscore:5f grave:60 a:61 b:62 c:63 d:64 e:65
f:66 g:67 h:68 i:69 j:6a k:6b l:6c m:6d n:6e o:6f p:70 q:71 r:72 s:73 t:74 u:75 v:76 w:77 x:78 y:79 z:7a
braceleft:7b bar:7c braceright:7d asciitilde:7e exclamdown:a1 cent:a2 sterling:a3 currency:a4 yen:a5 brokenbar:a6
section:a7 dieresis:a8 copyright:a9 ordfeminine:aa guillemotleft:ab logicalnot:ac registered:ae macron:af degree:b0
plusminus:b1 acute:b4 mu:b5 paragraph:b6 periodcentered:b7 cedilla:b8 ordmasculine:ba guillemotright:bb
onequarter:bc onehalf:bd threequarters:be questiondown:bf Agrave:c0 Aacute:c1 Acircumflex:c2 Atilde:c3 Adieresis:c4
Aring:c5 AE:c6 Ccedilla:c7 Egrave:c8 Eacute:c9 Ecircumflex:ca Edieresis:cb Igrave:cc Iacute:cd Icircumflex:ce
Idieresis:cf Eth:d0 Ntilde:d1 Ograve:d2 Oacute:d3 Ocircumflex:d4 Otilde:d5 Odieresis:d6 multiply:d7 Oslash:d8
Ugrave:d9 Uacute:da Ucircumflex:db Udieresis:dc Yacute:dd Thorn:de germandbls:df agrave:e0 aacute:e1 acircumflex:e2
atilde:e3 adieresis:e4 aring:e5 ae:e6 ccedilla:e7 egrave:e8 eacute:e9 ecircumflex:ea edieresis:eb igrave:ec
iacute:ed icircumflex:ee idieresis:ef eth:f0 ntilde:f1 ograve:f2 oacute:f3 ocircumflex:f4 otilde:f5 odieresis:f6
divide:f7 oslash:f8 ugrave:f9 uacute:fa ucircumflex:fb udieresis:fc yacute:fd thorn:fe ydieresis:ff dotlessi:131
Lslash:141 lslash:142 OE:152 oe:153 Scaron:160 scaron:161 Ydieresis:178 Zcaron:17d zcaron:17e florin:192
circumflex:2c6 caron:2c7 breve:2d8 dotaccent:2d9 ring:2da ogonek:2db tilde:2dc hungarumlaut:2dd pi:3c0
figuredash:2012 endash:2013 emdash:2014 quoteleft:2018 quoteright:2019 quotesinglbase:201a quotedblleft:201c
quotedblright:201d quotedblbase:201e dagger:2020 daggerdbl:2021 bullet:2022 onedotenleader:2024 twodotenleader:2025
ellipsis:2026 perthousand:2030 guilsinglleft:2039 guilsinglright:203a fraction:2044 colonmonetary:20a1 Euro:20ac
trademark:2122 onethird:2153 twothirds:2154 oneeighth:215b threeeighths:215c fiveeighths:215d seveneighths:215e
partialdiff:2202 Delta:2206 product:220f summation:2211 minus:2212 radical:221a infinity:221e integral:222b
approxequal:2248 notequal:2260 lessequal:2264 greaterequal:2265 lozenge:25ca
"""

CHARACTERS = {name: int(code, 16) for name, _, code in (pair.rpartition(":") for pair in _CHARACTERS.split())}
"""The characters that glyph names stand for: the names that an encoding of PDF uses."""

_STANDARD = """
20:space 21:exclam 22:quotedbl 23:numbersign 24:dollar 25:percent 26:ampersand 27:quoteright 28:parenleft
29:parenright 2a:asterisk 2b:plus 2c:comma 2d:hyphen 2e:period 2f:slash 30:zero 31:one 32:two 33:three 34:four
35:five 36:six 37:seven 38:eight 39:nine 3a:colon 3b:semicolon 3c:less 3d:equal 3e:greater 3f:question 40:at 41:A
42:B 43:C 44:D 45:E 46:F 47:G 48:H 49:I 4a:J 4b:K 4c:L 4d:M 4e:N 4f:O 50:P 51:Q 52:R 53:S 54:T 55:U 56:V 57:W 58:X
59:Y 5a:Z 5b:bracketleft 5c:backslash 5d:bracketright 5e:asciicircum 5f:underscore 60:quoteleft 61:a 62:b 63:c 64:d
65:e 66:f 67:g 68:h 69:i 6a:j 6b:k 6c:l 6d:m 6e:n 6f:o 70:p 71:q 72:r 73:s 74:t 75:u 76:v 77:w 78:x 79:y 7a:z
7b:braceleft 7c:bar 7d:braceright 7e:asciitilde a1:exclamdown a2:cent a3:sterling a4:fraction a5:yen a6:florin
a7:section a8:currency a9:quotesingle aa:quotedblleft ab:guillemotleft ac:guilsinglleft ad:guilsinglright ae:fi
af:fl b1:endash b2:dagger b3:daggerdbl b4:periodcentered b6:paragraph b7:bullet b8:quotesinglbase b9:quotedblbase
ba:quotedblright bb:guillemotright bc:ellipsis bd:perthousand bf:questiondown c1:grave c2:acute c3:circumflex
c4:tilde c5:macron c6:breve c7:dotaccent c8:dieresis ca:ring cb:cedilla cd:hungarumlaut ce:ogonek cf:caron d0:emdash
e1:AE e3:ordfeminine e8:Lslash e9:Oslash ea:OE eb:ordmasculine f1:ae f5:dotlessi f8:lslash f9:oslash fa:oe
fb:germandbls
"""

STANDARD = {int(code, 16): name for code, _, name in (pair.partition(":") for pair in _STANDARD.split())}
"""StandardEncoding: names of glyphs by code (ISO 32000-1, table D.2)."""

_STRINGS = """
.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus
comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater
question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum
underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde
exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft
guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase
quotedblright guillemotright ellipsis perthousand questiondown grave acute circumflex tilde macron breve dotaccent
dieresis ring cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi
lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide
brokenbar degree thorn threequarters twosuperior registered minus eth multiply threesuperior copyright Aacute
Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis
Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis
Zcaron aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute
icircumflex idieresis igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis
ugrave yacute ydieresis zcaron exclamsmall Hungarumlautsmall dollaroldstyle dollarsuperior ampersandsmall Acutesmall
parenleftsuperior parenrightsuperior twodotenleader onedotenleader zerooldstyle oneoldstyle twooldstyle
threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle nineoldstyle commasuperior
threequartersemdash periodsuperior questionsmall asuperior bsuperior centsuperior dsuperior esuperior isuperior
lsuperior msuperior nsuperior osuperior rsuperior ssuperior tsuperior ff ffi ffl parenleftinferior
parenrightinferior Circumflexsmall hyphensuperior Gravesmall Asmall Bsmall Csmall Dsmall Esmall Fsmall Gsmall Hsmall
Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall Vsmall Wsmall Xsmall
Ysmall Zsmall colonmonetary onefitted rupiah Tildesmall exclamdownsmall centoldstyle Lslashsmall Scaronsmall
Zcaronsmall Dieresissmall Brevesmall Caronsmall Dotaccentsmall Macronsmall figuredash hypheninferior Ogoneksmall
Ringsmall Cedillasmall questiondownsmall oneeighth threeeighths fiveeighths seveneighths onethird twothirds
zerosuperior foursuperior fivesuperior sixsuperior sevensuperior eightsuperior ninesuperior zeroinferior oneinferior
twoinferior threeinferior fourinferior fiveinferior sixinferior seveninferior eightinferior nineinferior
centinferior dollarinferior periodinferior commainferior Agravesmall Aacutesmall Acircumflexsmall Atildesmall
Adieresissmall Aringsmall AEsmall Ccedillasmall Egravesmall Eacutesmall Ecircumflexsmall Edieresissmall Igravesmall
Iacutesmall Icircumflexsmall Idieresissmall Ethsmall Ntildesmall Ogravesmall Oacutesmall Ocircumflexsmall
Otildesmall Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall Ucircumflexsmall Udieresissmall Yacutesmall
Thornsmall Ydieresissmall 001.000 001.001 001.002 001.003 Black Bold Book Light Medium Regular Roman Semibold
"""

STANDARD_STRINGS = tuple(_STRINGS.split())
"""The strings that every CFF font knows by number (Technical Note 5176, appendix A)."""


def encoding(name: str) -> dict[int, str]:
    """Return the names of glyphs by code in one of PDF's encodings; {} for an unknown one."""
    if name == "StandardEncoding":
        return dict(STANDARD)
    # Python's codecs agree with PDF's tables but for the codes added below.
    codec = {"WinAnsiEncoding": "cp1252", "MacRomanEncoding": "mac_roman"}.get(name)
    if codec is None:
        return {}
    found = {}
    for code in range(32, 256):
        character = bytes([code]).decode(codec, "ignore")
        if character and ord(character) in _NAMES:
            found[code] = _NAMES[ord(character)]
    if codec == "cp1252":
        # The no-break space and the soft hyphen (notes to table D.2).
        found |= {0xA0: "space", 0xAD: "hyphen"}
        # Note 3: codes over 126 without a glyph are bullets.
        found |= {code: "bullet" for code in range(0x7F, 256) if code not in found}
    return found


_NAMES = {code: name for name, code in reversed(CHARACTERS.items())}


def character(name: str) -> int | None:
    """Return the character that a glyph's name stands for; None if it is unknown."""
    # `a.sc` is a form of `a` (Adobe Glyph List Specification, section 2).
    known = CHARACTERS.get(name.partition(".")[0])
    if known is not None:
        return known
    digits = name[3:] if name.startswith("uni") else name[1:] if name.startswith("u") else ""  # `uni20AC` and `u1F600`
    if len(digits) in (4, 5, 6) and all(digit in "0123456789ABCDEF" for digit in digits):
        return int(digits, 16)
    return None
