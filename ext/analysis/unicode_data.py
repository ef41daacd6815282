"""Unicode tables, written by tables_generator.py. Do not edit."""

from base64 import b85decode
from zlib import decompress


def unpack(text: str) -> bytes:
    """The bytes of a table."""
    return decompress(b85decode(text))


# block number by code point >> 7
WORD_BREAK_INDEX = unpack(
    "c-muNWMX1sW?^MwW9Q)H;^yJy;};MV5*85^6PJ*bl9rK`lb2UeR8m#}DpOTc*U;3`*3s3|H!w6}GG<~jF*P%{u(YzWwz0Ccva@$^"
    "bh5H?wz9Hvv0`#{bNBG{^7ird^S25JwDKYy1bGbszyt%qOiUr6Vc`*xQPDB6aq;rB0SQ(V123<{q~sJPrqs0bjLfX;oZLLC{DMNJ"
    "qT&)JrqZ(Vipr|$n%cVhhDIx^rskH`w)T$Bu5PQIUaP+T2@|a*O`bA!+H@<c88c_iwwg0{9@O{q7cecvX4xWG@GK_aDv+8blzR?r"
    "&eCPeSAf_ntyZnJ8d$Jq?Yi|?B{pm%M*Aip-n?ZikleO?2NToIUAsY|d-lTQ_gU>faL~%?5RiEoEO3PB=rOqN<0q`FPM$n<`pn6b"
    "XHT9yck=wn3l}e4zH;*9Nvo?TA>f+VD4-s=PDsHGubZTpcZ+P7+{T^zy}a(A@d<;wgcRJf8U>?Z6pVsVFbYP&C>RB!U=)mkQ7{Td"
    "!6+C7qhJ(_f>AK2z<sL+4@W~`6pVsVFbYN<0036&2$c"
)

# value by code point & 127, block after block
WORD_BREAK_BLOCKS = unpack(
    "c-rk;iDKI}41MjCnHE!fTaK<f{{J^;QKSgox1^*))5I1jfH(+(-~puI%h$)RUx2Te@PuDCxJ;s$1z{<@Cd%_+e$?ml`kCRf{ECo|"
    "kj*Op@Bk_uASf%oGbrh=t(jCiFXAcoQWeDs+OqTOHCO#Y$OXciq>&V96OVuEkLsq+VNk{FLb|oYBVd{g@&ajrXuK`_wgJ9P4{UrF"
    "9cdP%X~~a_>Gnu1nZQ#Gj45NBQ==W&Y_P#kCX$8mX<<FsWKm1k-@duSLX4VK9<7hf8JOLm(fsm#VvSBbG?{~Q;fVACpPY!-U?CB0"
    "V+oT|6vnD7Z~d>0L&_cweLCzjtZzZ<Cx^cJf$UzZx>iisJki!x(@KS8xaojk5Xqu%@-G^)(r1o+TJqlt$eU&Icj;696;A>AI}Lnb"
    "(ehVx<jYW>))KR6TQ89WIpv>+yo5uY8f!%S?sLk&rZ15~dDo!)i5gHy9~tzqDZuG}+~z;W{Jajpp}+Y!(hEZT>*xpG@G%{MfYAt("
    "li{304@$QFEiZm6g!|)X1^W73Jqv3(0Jj@%E0$nWK#Mf}`~3#>CVccoQ367<AfM!PA-EEEQCt{`?-U;MQAYS@xce$7(Yyz4wtRF|"
    "`B(f`?~)=f+S^^@TPx;9d`g+6q5N+LL*I!BNR(iFFMYq24m$DCHU;-atnv6YJHBmfTGGvb&ZJ1me7d*%J+l!Xe#5bbCpMAygZ2YD"
    "!>Jp7Lynljf>z+Zqhvg`=j#LQ-;#gM6pZ(@hwT0hd${!uzeLJ$&8c{$PXF=xPD|F{s?h(@$#kuK5(7oTP#t^o#}k^z+=wU_Y7zj!"
    "1VVJC1#csh)Ga~<`JP~lOUJjEpbdUmY5NHM^6^$pifthynB?Kgl`uM2>y?@7n0wOkL1{ceBI1nnb0z<FE(+!d3nQWA8PVYnw)pSb"
    "uAZLs^T)@F>^@gxNeZ|w4<`9V!PV|`#3HN-Up(Hcm`{0B{72kFF=ytorTEy&m{ujJ^rB=<>oQcwuT-uA?DfAHKNpw`kLG?Jjb_#$"
    "zc!GehVxQxV9olNd&o_QLP}(&;+b~`ubOtHZ}6|AI%@&X5l=A7V)@>R!eXgZGa&`fL%L0iXXt`(?nP!Ul*-PVA>`^~DgCPao_D(G"
    "EWRY1mAm>=_Lujau&~~?{2GKvQ6uEh|Hx3R)z`FwR(qM>77&jaTl)F?5Lg1)x3|ZKw{d`#lfp^g*mQice=O~9ju1j_ymE}G(ZLYq"
    "Hv69;Jq^9*du`*XOW&^H-?>peemk?_<PvxHolNHmOGZRFdedJnYg{F!cq$jmI|<6nSM<nvg?E~SGG17BNb<aVVRDOIFs4d*`{wko"
    "r4DcYnk;x*D+Oq!O6|tC(<GjyuSo5y^?ZrqcE3fp7Pxk7IRSqHGZlZg?#SK~$d(RQKczuQq)Jt=vv*v4wiw*w67_>;PIgb5d#UAb"
    "Jj)*idrhX#F?RMRUW=h7K6A&X?|)9fWs2nUA=ezdaJ^oaGdj~HK_91ySh!wdfjD2J{Zr5LMYXdC&eJYTeenEEEYvvmkY4e!o*`kq"
    "rw(+x<d2S{+yPQYHfs2DNi@l?pmKpebPU<U8&f<eRB#G&&3>fb^(aTJ<{t4W@cWfmwS)Sv8=oilSH<ZUGy^027f?1P%QG3_<F6_C"
    "X74{6pkJihmt!9|Zu}s#xn}xmVn%WS>0=;U_`sX^%P7yqkIJOmnEjJ+`-{`xHv~93nrfxA$NRzke!I$l?WJAqBbEE}th*+YbH)6Y"
    "tpb<YUW&8Y<F94Q*yQ}DSX3~k*R^!jk+-~fKAfMf$iA9bC`UQC=rVqV{M~fAk|gN<eFj!#Psk#?ZJ*#>`oFus(QZrqdY92;-}*%5"
    "`Cslk|7)DT-3DLX0=u{L=zPQqEdF?MU}`5VcJ#2?@u7}<U^BgiH^;9w^KWg+8OXmW^G@S&^tg$8uE;p)LSEk`{%SqzaYTHW&=2uE"
    "Ml6rG43xiFt}8JGF)BXGmW16ym)lqp^RL2dIOt6qPMVEX-|La+*n{Q^Imu`LTB7$lm<;_VmjnVg4UOr087A-T08m#SNm~f<pO1d)"
    "SY7?=(U6$Vi6AC3{ByfFTw53|FSeV1|6uut$}Gic7LxXoNALKrF*G@PEw9`76{t1%Jb5Ah_W74*{}oI4zoNyuPcXh5xt`5y59EgO"
    "QSI`1HR9hNKaSNG-Smy+=ly?(fxDIcJt|*ucH+$=^OJ1W3a&pn?Ge2JqbJ&>y|mZ85Bu&jq2Y3vsWg(4GIzG|1O4#G#0=c@G<s}G"
    "rWoACT%_MoO#wRdp1ThS)mr#;Z_?;57aGEq>LAD7wZLOuYp|ou+~zSXG!9<3NQ;oWU#@wYw!4QfZN8aWwdXr*aC><3`oZx0)WP(_"
    "`Bndh<=)wcQa90qJWYkytiK@<0$AGv)z#LFWF)sMdUXBm8La3529k&>R09z!Z-n_^up5(VZr)JgFJI`r7}wR%Zvs6PNJnA)6@>Tj"
    "O)y^mNh4s?pFbS@y+9x9IS*4GA!j$dy_NE6X;0`TrTX{x@s<tP(c{Xhy=~7PpO5aXN1sA%#r%2B>*h)Dvt0!=_I8sr^yc(rH!Ec%"
    "0OG~}jD>&sPX@Mp{{!8-5#I"
)

# block number by code point >> 7
KIND_INDEX = unpack(
    "c-muNWMX1sW?^MwW9Q)H;^yJy;};MV5*85^6PJ*bl9rK`V`7q5P*hR|DpOHaQ`gYc($>+{(>E|=GGbyfHZe6bx3I(ln5?XAY=N|$"
    "y@Ml|PdYGS8cM*4iOJc;)y>_*)63h(*N;ZF_*+s8n3w_rgMyiuLPEpBBO;@sfkH8{aZK?EiA+pM$tkI6=^2?>**Up+mX`Sig+;|B"
    "rDf$6mX%eO)it$smh}ydP0cNqmaT2=9hRMzT~K#*TQc=vv#b~9@IHdBVq)sIq=xU9m?lh|)COWtwwyAR#PFR4XHB0$1=m>4WMZ1d"
    "#55aIV$NLB44OB80Ta{0MT=2ImjLlnOUq?&f#pmqR>C=}R^v2o4RUym0xE&EgcPh}T2G338_0IaMtu2W6B?f|*lalpM!_f;1*2dT"
    "jDk@x3P!;w7zLwX6pVsVFbYP&C>RB!U=)mkQ7{Td!6+E~008or;u`"
)

# value by code point & 127, block after block
KIND_BLOCKS = unpack(
    "c-rM$2X5pr3>+@*|8G7dS=%ZUn<&|v2nXE4MTK=(9N;}(Ujx-(F5%xf-WO;%Z1>HBnx7<1FDz@i|3RarLPNFU62VLJ{BcnK=hv~J"
    "Z+?L1$_iG2q1T6S+bR^~JXI!tWkJoF&vb&?UhPr*PR%Y2q-#GVmrBz%!KS4)rZ>YieeIKwYQO7+2pC!}ZMF7_qE{0nU7|DcdNlTu"
    "^}Y%%klY7O!#p-TKin9sPp#N@>k~0gmpjqdKmO@NJy$5L0K=+k5!3oA{cBn8P*eS&kN)EN8vU7f3fVu_dB2R~*FiO1-Yr&mr~m@_"
    "2{!pJru@D?q<;k^ed}B4f5~a3e~5^m<l|fF*Pv!}e$goEmh!D$HsdGoKLCK3*R7Jq^9VAuLc{!$+^xfJERE_FCMegb&Wwx7#DE*|"
    "9kul7peEJ$s|%NEX#zi=5%H1lJo$kEP>ZYw{~MpTt%Ia<B!O1D{Oy6%fNExc<6utvQuvo1#EjzuP6AZ1a@}XJ=OV#ABPg#wjM=~V"
    "A;_xk$dm^&{o$pWNdbcVx1>|O{MKXjRhF0E?_mG*6c8dN2_pCto`g@6KT2T8EIX_7l6QY)>=VF)9#JckJVo%f1!TCHf8hf!o+x7$"
    "=w*<gemA)w)KO!L!aI*%JpcL`=qpWaEh<FbmlANvcyCVx)I|<witVb795}n<T^+npOa$?F$F>q3io}|G{ZM?#!mXhH5C6YHSu)4V"
    "s{y4UTNxlWrgBv&(d~41Xo^EWQuTeiJ?Z^T`vhM(NrSFy@WDJ`({~WbO+*e^q?4@~r&ASom3(Jsn8{a{nXfNm+2RGezl!L4;_>->"
    "G<bb>R(pnZu0f?&p;s*Vc;?g35){cLIF8z!ICP0o5q|_+)oooq)A=<cUJGsP_5|=gC?VO00m8#bns8M=u(_M?86nMRFLy~u1fSj6"
    "|M-x4jPAd!^%QaTl_wZE5M!al7TbWo21R=DBxUv2*P>1(F<w$1M#R6{lkZ+Xnj0_1@j|x$&x$t$odT~{(qp&f|J3|FQyP+@p$Mu?"
    "%zx^A$Gz#3(vfNP#TER8zCVk6+?#*SO5M|-OqP`>oANJ?`4OCF7B~g&yZT2yrv9;S{q67j@>{FUzouAc6?3b+``1g@??ivgh8CB;"
    "|9e7&!~7h}Z(!Nxt14AKxZGpB1H5-wY$p~dCXb6fKA(T$O8`jERkQZ140n+D{fmKWiD@V9eCg{C8Yn30A6A(i>%%GMpYV@izn$cd"
    "y|f<0<6H38C-%o!zx+bgyC!^#(~2H>>yNSXn<)WpheO?QiUFzd+_Yvd$nOvR8Dg8HVEy?iI%W`g!v;yQPnPMi#J)bTzwc2EXm?BE"
    "jiLWN^^i^YYx8;cuW!uXF8-d#Ie$L>HROlH;@ji(#amBIR*Ct^6#R8_>3v&aUvISh6GJF8rr1^*^e{hAUw8L^vC2L6Cm&Y-FgB8S"
    "=Q;m~NjEP-O_9Qe`(hgOcaE(9$!E9rVIa(fU-xE-KCI*Jl+#?<m8nE5-OqgfZg)K0C@Yp&s%ONXA^K`Wcmv3;6Bxzcu0-*P=Jot}"
    "4b;JoViJKBC!mn-f7sae_a$cQr8)8MI={C)Qh6SJ%@BaQv%$9neZ}|>cEvp3"
)

# block number by code point >> 7
LOWER_INDEX = unpack(
    "c-rmHR}O+u5QSlihayF3QWQ|x{~k$rAh}T%K<@uNOr~U#8OQbfi-ItUulg(5V*1n1r2KX-q_W!T+8j3zS*Pv#;anF#_v|%JvoU%f"
    "tbES%-B&hR1ONa40000000026&k8O&tHS"
)

# value by code point & 127, block after block
LOWER_BLOCKS = unpack(
    "c-rlk2Uo%{5P*+3aNxjEw+vBGp)%YX#l8RkpD}5Iq_t@;5c|q|epg;{z3b)L-jx=hM-oaP3RG)jb0C^BAjV$?%{YVNC>UbHFo9%}"
    "Y9pg#bT$sD31&)7!W4I#rW^1von|{`h?6^KmWU0J6L*`N$L4AI#c)_4u(-sQSYBE6+WrZux6Yk|H9o9ECX<0I<Z_@aWmH4u!|Ix`"
    "!OR6Zw=8SZLn4H3&No=P?L;nHJ$0eJKoNzpdMTlR5_dLVuiJ*nJE+&&!Q(ia=*Rd;o88D(Dhu2?gxJ;oP!^)__kxQr>y?Tv9luAh"
    "UGb__cl=tdAnEmbqhX_~WS{;H4*C2@tG<ps_?BSbaiT;wQc)BA{ysfBZ@2ly<<&L+lMpnU5q7hf665a^`rVE@K0a?ua!zKRcaC!7"
    "+E3sX0@i5V-9NP8@#*=+Yk7Tp{|QaxTdh8&*nD4oAc@P9r=N25<FkW2mvuTumrquoNUxXa?~%CW_Z7<D=Kl?eJBVQ"
)

# block number by code point >> 7
UPPER_INDEX = unpack(
    "c-rmJX$pd15P;!Kt+X-CJ<BC`?|(tTAdvC^^1aWGVHO4k=Aa#Q!#tfYmVK3foF(3V`mT5PgD?__lci4A<45)s)x7ee{AAU89~al("
    "tZAiNjrxt1VL$&EMMaYU0000000000007i815Z$ybp"
)

# value by code point & 127, block after block
UPPER_BLOCKS = unpack(
    "c-rll2V2505Qaasu8O#DB2HAC2o3}l2W~-@6X*Z`6_&Q?qLqdY>Z5OHlS_`vHFs?TfWx#H(zwl5%hQwoHZYW>U94*cDD4PUM<<9R"
    "9Q?VfT6J?L7P7W5B<M+v9^orK@==#w-FbbI5mSEZ_7PA0e&U%}`uYb3hY$#07$c+HKwu2xm<VDr6r7p{LYSEa=0pSYKo|>QuC*9m"
    "ibR(A&J{U$t84fbtW)SRQm9#$rJH6W8jaQ_^rqB`#pBr8<`j2!6GrjeOQ!a5Af=Lxx3fS}gQ*OYSBAc*#lr@zP|Qb3+7$T59*)ez"
    "D>uu}1P^e0a+=AUonKu3wLo2Q$F;We#(h5+PnIgTZuplKA<Lnbh^!qq)<;$>2Ku?&9Y;Q2C=`pOl3Dvo8D)90`|7Ez45!K$BBxYc"
    "W#^LVp{~ZG2B5(gu}66_#2));O8CWneo?->)mtC8?q+H0rw(_;6sQQw9t^nE-IJYrEjO+ZcI_WEn^#D`@t9ZCSq+^LWp*n?qf2s-"
    "x1R>zZKmnj;l%$NI((SKD~|<>zJAIm+e(?MJ#d{ddR$6B2a>QU{(aTOihtjnqtaX"
)

# 55 states of 32 classes; 0: no way on; 1: start
TRANSITIONS = unpack(
    "c-oCsiFTVX5Zq^$!wDF04F%jnOO0vN^rrp)PwQ$xv1F4b^B6JGB6+1*Fwslc2t8sypfK8Q@9rs1b}3Pk<tq<vXtPJ>ji}8A@^Cmr"
    "#07a_L>_x3%UJZ*BhT{?uc)dkZivI0SVP8iJ1aou`{c`fpM9U{NWSlbHUjWnfX@4Xf<Vibx@G-P)(<%h^{QbQf_8q9tRHa{A-^aB"
    "ZEWS*>Pu^=t&{(qtbZra^W_F!r6;&I;t6JcEc0Xj5M%!zV~XS0c`gBy1UgB;3mV!<yQAH1ZfDv^!8C<VQ_w~RW*Kyr_1P?+kb|Fc"
    ")5~+W0`}m3@n5U`T0Nas#&FOFxgErf#S`%2e?f)#Q*cpe|BIpkZU0J%ms~FORZ>}&YyJ+a{>oqlR{BO&Re>7k^H~bBp<4W@xvq7*"
    "u4`}s;*G=`ZW^6m(=?#%&r#YV9glN6)52)#cXaCa8lNxn!Hu+?uJ*QtZd=gKuao>b?mC@+*L9#(f1{~Cbya`v`}yVaem=7E`#sqA"
    "(0vcu`!n@3K2tv@@N_c0(;|(3gZMY_u=qF7FbtRdX`keF7Pl79Kqmq4>-_WIMjFTQIxP5Z1m!P%86SQ)=cD9&6#rB>pI?fUQqK9#"
    "=l7e{a(>hDeS7x%_xQ)j&*VR@=YLxtME~92Yhm&?`%~-tyR8p*e>eNTiqj<ViT_UX{E4P%de#4fS>Mc8_WXZ(>Nd~"
)

# rule that a state accepts, 255 for none
ACCEPTS = (
    255,
    255,
    255,
    1,
    4,
    255,
    0,
    4,
    1,
    5,
    2,
    255,
    0,
    6,
    3,
    7,
    255,
    0,
    0,
    255,
    255,
    1,
    0,
    1,
    255,
    4,
    4,
    4,
    0,
    0,
    255,
    4,
    0,
    0,
    0,
    0,
    0,
    0,
    255,
    0,
    255,
    255,
    0,
    4,
    4,
    0,
    0,
    255,
    0,
    0,
    0,
    4,
    0,
    0,
    0,
)

# what to add to the code point, by value
LOWER_DELTAS = (
    0,
    32,
    1,
    -199,
    -121,
    210,
    206,
    205,
    79,
    202,
    203,
    207,
    211,
    209,
    213,
    214,
    218,
    217,
    219,
    2,
    -97,
    -56,
    -130,
    10795,
    -163,
    10792,
    -195,
    69,
    71,
    116,
    38,
    37,
    64,
    63,
    8,
    -60,
    -7,
    80,
    15,
    48,
    7264,
    38864,
    -3008,
    -7615,
    -8,
    -74,
    -9,
    -86,
    -100,
    -112,
    -128,
    -126,
    -7517,
    -8383,
    -8262,
    28,
    16,
    26,
    -10743,
    -3814,
    -10727,
    -10780,
    -10749,
    -10783,
    -10782,
    -10815,
    -35332,
    -42280,
    -42308,
    -42319,
    -42315,
    -42305,
    -42258,
    -42282,
    -42261,
    928,
    -48,
    -42307,
    -35384,
    40,
    39,
    34,
)

# the same for upper case
UPPER_DELTAS = (
    0,
    -32,
    743,
    121,
    -1,
    -232,
    -300,
    195,
    97,
    163,
    130,
    56,
    -2,
    -79,
    10815,
    10783,
    10780,
    10782,
    -210,
    -206,
    -205,
    -202,
    -203,
    42319,
    42315,
    -207,
    42280,
    42308,
    -209,
    -211,
    10743,
    42305,
    10749,
    -213,
    -214,
    10727,
    -218,
    42307,
    42282,
    -69,
    -217,
    -71,
    -219,
    42261,
    42258,
    84,
    -38,
    -37,
    -31,
    -64,
    -63,
    -62,
    -57,
    -47,
    -54,
    -8,
    -86,
    -80,
    7,
    -116,
    -96,
    -15,
    -48,
    3008,
    -6254,
    -6253,
    -6244,
    -6242,
    -6243,
    -6236,
    -6181,
    35266,
    35332,
    3814,
    35384,
    -59,
    8,
    74,
    86,
    100,
    128,
    112,
    126,
    9,
    -7205,
    -28,
    -16,
    -26,
    -10795,
    -10792,
    -7264,
    48,
    -928,
    -38864,
    -40,
    -39,
    -34,
)
