/**
 * The named character references of the HTML standard
 * (https://html.spec.whatwg.org/multipage/named-characters.html), packed: 6.7 KB gzipped.
 *
 * Entries are parted by commas or line ends, in ascending order of code points: `name name=step+second`.
 * `step` is the distance from the first code point of the entry before, in base 36, 1 where it is left out;
 * `second` is the second code point, in base 36, of those that have one. `*` after a name: the reference
 * counts without its semicolon too. What {@link addSmallLetters} and {@link addAlphabets} can tell is left out.
 */
const PACKED_NAMES = `Tab=9,NewLine,excl=n,QUOT* quot*,num,dollar,percnt,AMP* amp*,apos,lpar,rpar,ast midast,plus,comma,period=2,sol
colon=b,semi,LT* lt*,nvlt=0+6he,equals,bne=0+6hx,GT* gt*,nvgt=0+6he,quest,commat,lbrack lsqb=r,bsol,rbrack rsqb
Hat,UnderBar lowbar,DiacriticalGrave grave,fjlig=6+2y,lbrace lcub=l,VerticalLine verbar vert,rbrace rcub
NonBreakingSpace nbsp*=z,iexcl*,cent*,pound*,curren*,yen*,brvbar*,sect*,Dot DoubleDot die uml*,COPY* copy*,ordf*
laquo*,not*,shy*,REG* circledR reg*,macr* strns,deg*,PlusMinus plusmn* pm,sup2*,sup3*,DiacriticalAcute acute*
micro*,para*,CenterDot centerdot middot*,Cedilla cedil*,sup1*,ordm*,raquo*,frac14*,frac12* half,frac34*,iquest*
Agrave*,Aacute*,Acirc*,Atilde*,Auml*,Aring* angst,AElig*,Ccedil*,Egrave*,Eacute*,Ecirc*,Euml*,Igrave*,Iacute*
Icirc*,Iuml*,ETH*,Ntilde*,Ograve*,Oacute*,Ocirc*,Otilde*,Ouml*,times*,Oslash*,Ugrave*,Uacute*,Ucirc*,Uuml*
Yacute*,THORN*,szlig*,div divide*=o,yuml*=8,Amacr,Abreve=2,Aogon=2,Cacute=2,Ccirc=2,Cdot=2,Ccaron=2,Dcaron=2
Dstrok=2,Emacr=2,Edot=4,Eogon=2,Ecaron=2,Gcirc=2,Gbreve=2,Gdot=2,Gcedil=2,Hcirc=2,Hstrok=2,Itilde=2,Imacr=2
Iogon=4,Idot=2,imath inodot,IJlig,Jcirc=2,Kcedil=2,kgreen=2,Lacute,Lcedil=2,Lcaron=2,Lmidot=2,Lstrok=2,Nacute=2
Ncedil=2,Ncaron=2,napos=2,ENG,Omacr=2,Odblac=4,OElig=2,Racute=2,Rcedil=2,Rcaron=2,Sacute=2,Scirc=2,Scedil=2
Scaron=2,Tcedil=2,Tcaron=2,Tstrok=2,Utilde=2,Umacr=2,Ubreve=2,Uring=2,Udblac=2,Uogon=2,Wcirc=2,Ycirc=2,Yuml=2
Zacute,Zdot=2,Zcaron=2,fnof=l,imped=z,gacute=1s,jmath=1u,circ=3z,Hacek caron,Breve breve=h,DiacriticalDot dot
ring,ogon,DiacriticalTilde tilde,DiacriticalDoubleAcute dblac,DownBreve=1g,Alpha=3k,Beta,Gamma,Delta,Epsilon
Zeta,Eta,Theta,Iota,Kappa,Lambda,Mu,Nu,Xi,Omicron,Pi,Rho,Sigma=2,Tau,Upsilon,Phi,Chi,Psi,Omega ohm,epsi=c
sigmaf sigmav varsigma=d,upsi=3,thetasym thetav vartheta=c,Upsi upsih,phiv straightphi varphi=3,piv varpi
Gammad=6,digamma,kappav varkappa=j,rhov varrho,epsiv straightepsilon varepsilon=4,backepsilon bepsi,IOcy=b,DJcy
GJcy,Jukcy,DScy,Iukcy,YIcy,Jsercy,LJcy,NJcy,TSHcy,KJcy,Ubrcy=2,DZcy,Acy,Bcy,Vcy,Gcy,Dcy,IEcy,ZHcy,Zcy,Icy,Jcy
Kcy,Lcy,Mcy,Ncy,Ocy,Pcy,Rcy,Scy,Tcy,Ucy,Fcy,KHcy,TScy,CHcy,SHcy,SHCHcy,HARDcy,Ycy,SOFTcy,Ecy,YUcy,YAcy,ensp=5hv
emsp,emsp13,emsp14,numsp=2,puncsp,ThinSpace thinsp,VeryThinSpace hairsp
NegativeMediumSpace NegativeThickSpace NegativeThinSpace NegativeVeryThinSpace ZeroWidthSpace,zwnj,zwj,lrm,rlm
dash hyphen,ndash=3,mdash,horbar,Verbar Vert,OpenCurlyQuote lsquo=2,CloseCurlyQuote rsquo rsquor,lsquor sbquo
OpenCurlyDoubleQuote ldquo=2,CloseCurlyDoubleQuote rdquo rdquor,bdquo ldquor,dagger=2,Dagger ddagger,bull bullet
nldr=3,hellip mldr,permil=a,pertenk,prime,Prime,tprime,backprime bprime,lsaquo=4,rsaquo,OverBar oline=4,caret=3
hybull=2,frasl,bsemi=b,qprime=8,MediumSpace=8,ThickSpace=0+6bu,NoBreak,ApplyFunction af,InvisibleTimes it
InvisibleComma ic,euro=21,TripleDot tdot=1b,DotDot,Copf complexes=12,incare=3,gscr=5,HilbertSpace Hscr hamilt
Hfr Poincareplane,Hopf quaternions,planckh,hbar hslash planck plankv,Iscr imagline,Ifr Im image imagpart
Laplacetrf Lscr lagran,ell,Nopf naturals=2,numero,copysr,weierp wp,Popf primes,Qopf rationals,Rscr realine
Re Rfr real realpart,Ropf reals,rx,TRADE trade=4,Zopf integers=2,mho=3,Zfr zeetrf,iiota,Bernoullis Bscr bernou=3
Cayleys Cfr,escr=2,Escr expectation,Fouriertrf Fscr,Mellintrf Mscr phmmat=2,order orderof oscr,alefsym aleph
beth,gimel,daleth,CapitalDifferentialD DD=d,DifferentialD dd,ExponentialE ee exponentiale,ImaginaryI ii,frac13=b
frac23,frac15,frac25,frac35,frac45,frac16,frac56,frac18,frac38,frac58,frac78
LeftArrow ShortLeftArrow larr leftarrow slarr=1e,ShortUpArrow UpArrow uarr uparrow
RightArrow ShortRightArrow rarr rightarrow srarr,DownArrow ShortDownArrow darr downarrow
LeftRightArrow harr leftrightarrow,UpDownArrow updownarrow varr,UpperLeftArrow nwarr nwarrow
UpperRightArrow nearr nearrow,LowerRightArrow searr searrow,LowerLeftArrow swarr swarrow,nlarr nleftarrow
nrarr nrightarrow,rarrw rightsquigarrow=2,nrarrw=0+mw,Larr twoheadleftarrow,Uarr,Rarr twoheadrightarrow,Darr
larrtl leftarrowtail,rarrtl rightarrowtail,LeftTeeArrow mapstoleft,UpTeeArrow mapstoup,RightTeeArrow map mapsto
DownTeeArrow mapstodown,hookleftarrow larrhk=2,hookrightarrow rarrhk,larrlp looparrowleft,looparrowright rarrlp
harrw leftrightsquigarrow,nharr nleftrightarrow,Lsh lsh=2,Rsh rsh,ldsh,rdsh,crarr=2,cularr curvearrowleft
curarr curvearrowright,circlearrowleft olarr=3,circlearrowright orarr,LeftVector leftharpoonup lharu
DownLeftVector leftharpoondown lhard,RightUpVector uharr upharpoonright,LeftUpVector uharl upharpoonleft
RightVector rharu rightharpoonup,DownRightVector rhard rightharpoondown,RightDownVector dharr downharpoonright
LeftDownVector dharl downharpoonleft,RightArrowLeftArrow rightleftarrows rlarr,UpArrowDownArrow udarr
LeftArrowRightArrow leftrightarrows lrarr,leftleftarrows llarr,upuparrows uuarr,rightrightarrows rrarr
ddarr downdownarrows,ReverseEquilibrium leftrightharpoons lrhar,Equilibrium rightleftharpoons rlhar
nLeftarrow nlArr,nLeftrightarrow nhArr,nRightarrow nrArr,DoubleLeftArrow Leftarrow lArr
DoubleUpArrow Uparrow uArr,DoubleRightArrow Implies Rightarrow rArr,DoubleDownArrow Downarrow dArr
DoubleLeftRightArrow Leftrightarrow hArr iff,DoubleUpDownArrow Updownarrow vArr,nwArr,neArr,seArr,swArr
Lleftarrow lAarr,Rrightarrow rAarr,zigrarr=2,LeftArrowBar larrb=7,RightArrowBar rarrb,DownArrowUpArrow duarr=g
loarr=8,roarr,hoarr,ForAll forall,comp complement,PartialD part,npart=0+mw,Exists exist,NotExists nexist nexists
empty emptyset emptyv varnothing,Del nabla=2,Element in isin isinv,NotElement notin notinva
ReverseElement SuchThat ni niv=2,NotReverseElement notni notniva,Product prod=3,Coproduct coprod,Sum sum,minus
MinusPlus mnplus mp,dotplus plusdo,Backslash setminus setmn smallsetminus ssetmn=2,lowast,SmallCircle compfn
Sqrt radic=2,Proportional prop propto varpropto vprop=3,infin,angrt,ang angle,nang=0+6he,angmsd measuredangle
angsph,VerticalBar mid shortmid smid,NotVerticalBar nmid nshortmid nsmid
DoubleVerticalBar par parallel shortparallel spar,NotDoubleVerticalBar npar nparallel nshortparallel nspar
and wedge,or vee,cap,caps=0+1e68,cup,cups=0+1e68,Integral int,Int,iiint tint,ContourIntegral conint oint
Conint DoubleContourIntegral,Cconint,cwint,ClockwiseContourIntegral cwconint
CounterClockwiseContourIntegral awconint,Therefore there4 therefore,Because becaus because,ratio
Colon Proportion,dotminus minusd,mDDot=2,homtht,Tilde sim thicksim thksim,nvsim=0+6he,backsim bsim,race=0+mp
ac mstpos,acE=0+mr,acd,VerticalTilde wr wreath,NotTilde nsim,EqualTilde eqsim esim,NotEqualTilde nesim=0+mw
TildeEqual sime simeq,NotTildeEqual nsime nsimeq,TildeFullEqual cong,simne,NotTildeFullEqual ncong
TildeTilde ap approx asymp thickapprox thkap,NotTildeTilde nap napprox,ape approxeq,apid,napid=0+mw
backcong bcong,CupCap asympeq,nvap=0+6he,Bumpeq HumpDownHump bump,NotHumpDownHump nbump=0+mw
HumpEqual bumpe bumpeq,NotHumpEqual nbumpe=0+mw,DotEqual doteq esdot,nedot=0+mw,doteqdot eDot
efDot fallingdotseq,erDot risingdotseq,Assign colone coloneq,ecolon eqcolon,ecir eqcirc,circeq cire,wedgeq=2
veeeq,triangleq trie=2,equest questeq=3,NotEqual ne,Congruent equiv,bnequiv=0+6hx,NotCongruent nequiv,le leq=2
nvle=0+6he,GreaterEqual ge geq,nvge=0+6he,LessFullEqual lE leqq,nlE nleqq=0+mw,GreaterFullEqual gE geqq
NotGreaterFullEqual ngE ngeqq=0+mw,lnE lneqq,lvertneqq lvnE=0+1e68,gnE gneqq,gvertneqq gvnE=0+1e68
Lt NestedLessLess ll,NotLessLess nLtv=0+mw,nLt=0+6he,Gt NestedGreaterGreater gg,NotGreaterGreater nGtv=0+mw
nGt=0+6he,between twixt,NotCupCap,NotLess nless nlt,NotGreater ngt ngtr,NotLessEqual nle nleq
NotGreaterEqual nge ngeq,LessTilde lesssim lsim,GreaterTilde gsim gtrsim,NotLessTilde nlsim
NotGreaterTilde ngsim,LessGreater lessgtr lg,GreaterLess gl gtrless,NotLessGreater ntlg,NotGreaterLess ntgl
Precedes pr prec,Succeeds sc succ,PrecedesSlantEqual prcue preccurlyeq,SucceedsSlantEqual sccue succcurlyeq
PrecedesTilde precsim prsim,SucceedsTilde scsim succsim,NotSucceedsTilde=0+mw,NotPrecedes npr nprec
NotSucceeds nsc nsucc,sub subset,NotSubset nsubset vnsub=0+6he,Superset sup supset
NotSuperset nsupset vnsup=0+6he,nsub,nsup,SubsetEqual sube subseteq,SupersetEqual supe supseteq
NotSubsetEqual nsube nsubseteq,NotSupersetEqual nsupe nsupseteq,subne subsetneq,varsubsetneq vsubne=0+1e68
supne supsetneq,varsupsetneq vsupne=0+1e68,cupdot=2,UnionPlus uplus,SquareSubset sqsub sqsubset
NotSquareSubset=0+mw,SquareSuperset sqsup sqsupset,NotSquareSuperset=0+mw,SquareSubsetEqual sqsube sqsubseteq
SquareSupersetEqual sqsupe sqsupseteq,SquareIntersection sqcap,sqcaps=0+1e68,SquareUnion sqcup,sqcups=0+1e68
CirclePlus oplus,CircleMinus ominus,CircleTimes otimes,osol,CircleDot odot,circledcirc ocir,circledast oast
circleddash odash=2,boxplus plusb,boxminus minusb,boxtimes timesb,dotsquare sdotb,RightTee vdash,LeftTee dashv
DownTee top,UpTee bot bottom perp,models=2,DoubleRightTee vDash,Vdash,Vvdash,VDash,nvdash,nvDash,nVdash,nVDash
prurel,LeftTriangle vartriangleleft vltri=2,RightTriangle vartriangleright vrtri
LeftTriangleEqual ltrie trianglelefteq,nvltrie=0+6he,RightTriangleEqual rtrie trianglerighteq,nvrtrie=0+6he
origof,imof,multimap mumap,hercon,intcal intercal,veebar,barvee=2,angrtvb,lrtri,Wedge bigwedge xwedge
Vee bigvee xvee,Intersection bigcap xcap,Union bigcup xcup,Diamond diam diamond,sdot,Star sstarf
divideontimes divonx,bowtie,ltimes,rtimes,leftthreetimes lthree,rightthreetimes rthree,backsimeq bsime
curlyvee cuvee,curlywedge cuwed,Sub Subset,Sup Supset,Cap,Cup,fork pitchfork,epar,lessdot ltdot,gtdot gtrdot,Ll
nLl=0+mw,Gg ggg,nGg=0+mw,LessEqualGreater leg lesseqgtr,lesg=0+1e68,GreaterEqualLess gel gtreqless,gesl=0+1e68
cuepr curlyeqprec=3,cuesc curlyeqsucc,NotPrecedesSlantEqual nprcue,NotSucceedsSlantEqual nsccue
NotSquareSubsetEqual nsqsube,NotSquareSupersetEqual nsqsupe,lnsim=3,gnsim,precnsim prnsim,scnsim succnsim
NotLeftTriangle nltri ntriangleleft,NotRightTriangle nrtri ntriangleright
NotLeftTriangleEqual nltrie ntrianglelefteq,NotRightTriangleEqual nrtrie ntrianglerighteq,vellip,ctdot,utdot
dtdot,disin,isinsv,isins,isindot,notindot=0+mw,notinvc,notinvb,isinE=2,notinE=0+mw,nisd,xnis,nis,notnivc,notnivb
barwed barwedge=7,Barwed doublebarwedge,LeftCeiling lceil=2,RightCeiling rceil,LeftFloor lfloor
RightFloor rfloor,drcrop,dlcrop,urcrop,ulcrop,bnot,profline=2,profsurf,telrec=2,target,ulcorn ulcorner=6
urcorn urcorner,dlcorn llcorner,drcorn lrcorner,frown sfrown=3,smile ssmile,cylcty=a,profalar,topbot=8,ovbar=7
solbar=2,angzarr=1p,lmoust lmoustache=1g,rmoust rmoustache,OverBracket tbrk=3,UnderBracket bbrk,bbrktbrk
OverParenthesis=12,UnderParenthesis,OverBrace,UnderBrace,trpezium=3,elinters=5,blank=1o,circledS oS=4l
HorizontalLine boxh=1k,boxv=2,boxdr=a,boxdl=4,boxur=4,boxul=4,boxvr=4,boxvl=8,boxhd=8,boxhu=8,boxvh=8,boxH=k
boxV,boxdR,boxDr,boxDR,boxdL,boxDl,boxDL,boxuR,boxUr,boxUR,boxuL,boxUl,boxUL,boxvR,boxVr,boxVR,boxvL,boxVl,boxVL
boxHd,boxhD,boxHD,boxHu,boxhU,boxHU,boxvH,boxVh,boxVH,uhblk=k,lhblk=4,block=4,blk14=9,blk12,blk34
Square squ square=e,FilledVerySmallSquare blacksquare squarf squf=9,EmptyVerySmallSquare,rect=2,marker,fltns=3
bigtriangleup xutri=2,blacktriangle utrif,triangle utri,blacktriangleright rtrif=3,rtri triangleright
bigtriangledown xdtri=4,blacktriangledown dtrif,dtri triangledown,blacktriangleleft ltrif=3,ltri triangleleft
loz lozenge=7,cir,tridot=x,bigcirc xcirc=3,ultri=9,urtri,lltri,EmptySmallSquare,FilledSmallSquare
bigstar starf=9,star,phone=8,female=1e,male=2,spades spadesuit=u,clubs clubsuit=3,hearts heartsuit=2
diamondsuit diams,sung=4,flat=3,natur natural,sharp,check checkmark=4k,cross=4,malt maltese=9,sext=m
VerticalSeparator=y,lbbrk=q,rbbrk,bsolhsub=2d,suphsol,LeftDoubleBracket lobrk=t,RightDoubleBracket robrk
LeftAngleBracket lang langle,RightAngleBracket rang rangle,Lang,Rang,loang,roang
LongLeftArrow longleftarrow xlarr=8,LongRightArrow longrightarrow xrarr
LongLeftRightArrow longleftrightarrow xharr,DoubleLongLeftArrow Longleftarrow xlArr
DoubleLongRightArrow Longrightarrow xrArr,DoubleLongLeftRightArrow Longleftrightarrow xhArr,longmapsto xmap=2
dzigrarr=3,nvlArr=77,nvrArr,nvHarr,Map,lbarr=7,bkarow rbarr,lBarr,dbkarow rBarr,RBarr drbkarow,DDotrahd
UpArrowBar,DownArrowBar,Rarrtl=3,latail=3,ratail,lAtail,rAtail,larrfs,rarrfs,larrbfs,rarrbfs,nwarhk=3,nearhk
hksearow searhk,hkswarow swarhk,nwnear,nesear toea,seswar tosa,swnwar,rarrc=9,nrarrc=0+mw,cudarrr=2,ldca,rdca
cudarrl,larrpl,curarrm=3,cularrp,rarrpl=8,harrcir=3,Uarrocir,lurdshar,ldrushar,LeftRightVector=3
RightUpDownVector,DownLeftRightVector,LeftUpDownVector,LeftVectorBar,RightVectorBar,RightUpVectorBar
RightDownVectorBar,DownLeftVectorBar,DownRightVectorBar,LeftUpVectorBar,LeftDownVectorBar,LeftTeeVector
RightTeeVector,RightUpTeeVector,RightDownTeeVector,DownLeftTeeVector,DownRightTeeVector,LeftUpTeeVector
LeftDownTeeVector,lHar,uHar,rHar,dHar,luruhar,ldrdhar,ruluhar,rdldhar,lharul,llhard,rharul,lrhard
UpEquilibrium udhar,ReverseUpEquilibrium duhar,RoundImplies,erarr,simrarr,larrsim,rarrsim,rarrap,ltlarr,gtrarr=2
subrarr,suplarr=2,lfisht,rfisht,ufisht,dfisht,lopar=6,ropar,lbrke=5,rbrke,lbrkslu,rbrksld,lbrksld,rbrkslu,langd
rangd,lparlt,rpargt,gtlPar,ltrPar,vzigzag=4,vangrt=2,angrtvbd,ange=7,range,dwangle,uwangle,angmsdaa,angmsdab
angmsdac,angmsdad,angmsdae,angmsdaf,angmsdag,angmsdah,bemptyv,demptyv,cemptyv,raemptyv,laemptyv,ohbar,omid,opar
operp=2,olcross=2,odsold,olcir=2,ofcir,olt,ogt,cirscir,cirE,solb,bsolb,boxbox=4,trisb=4,rtriltri,LeftTriangleBar
NotLeftTriangleBar=0+mw,RightTriangleBar,NotRightTriangleBar=0+mw,iinfin=c,infintie,nvinfin,eparsl=5,smeparsl
eqvparsl,blacklozenge lozf=6,RuleDelayed=9,dsol=2,bigodot xodot=a,bigoplus xoplus,bigotimes xotime
biguplus xuplus=2,bigsqcup xsqcup=2,iiiint qint=6,fpartint,cirfnint=3,awint,rppolint,scpolint,npolint,pointint
quatint,intlarhk,pluscir=b,plusacir,simplus,plusdu,plussim,plustwo,mcomma=2,minusdu,loplus=3,roplus,Cross,timesd
timesbar,smashp=2,lotimes,rotimes,otimesas,Otimes,odiv,triplus,triminus,tritime,intprod iprod,amalg=3,capdot
ncup=2,ncap,capand,cupor,cupcap,capcup,cupbrcap,capbrcup,cupcup,capcap,ccups,ccaps,ccupssm=3,And=3,Or,andand
oror,orslope,andslope,andv=2,orv,andd,ord,wedbar=2,sdote=7,simdot=4,congdot=3,ncongdot=0+mw,easter,apacir,apE
napE=0+mw,eplus,pluse,Esim,Colone,Equal,ddotseq eDDot=2,equivDD,ltcir,gtcir,ltquest,gtquest
LessSlantEqual leqslant les,NotLessSlantEqual nleqslant nles=0+mw,GreaterSlantEqual geqslant ges
NotGreaterSlantEqual ngeqslant nges=0+mw,lesdot,gesdot,lesdoto,gesdoto,lesdotor,gesdotol,lap lessapprox
gap gtrapprox,lne lneq,gne gneq,lnap lnapprox,gnap gnapprox,lEg lesseqqgtr,gEl gtreqqless,lsime,gsime,lsimg
gsiml,lgE,glE,lesges,gesles,els eqslantless,egs eqslantgtr,elsdot,egsdot,el,eg,siml=3,simg,simlE,simgE,LessLess
NotNestedLessLess=0+mw,GreaterGreater,NotNestedGreaterGreater=0+mw,glj=2,gla,ltcc,gtcc,lescc,gescc,smt,lat,smte
smtes=0+1e68,late,lates=0+1e68,bumpE,PrecedesEqual pre preceq,NotPrecedesEqual npre npreceq=0+mw
SucceedsEqual sce succeq,NotSucceedsEqual nsce nsucceq=0+mw,prE=3,scE,precneqq prnE,scnE succneqq
prap precapprox,scap succapprox,precnapprox prnap,scnap succnapprox,Pr,Sc,subdot,supdot,subplus,supplus,submult
supmult,subedot,supedot,subE subseteqq,nsubE nsubseteqq=0+mw,supE supseteqq,nsupE nsupseteqq=0+mw,subsim,supsim
subnE subsetneqq=3,varsubsetneqq vsubnE=0+1e68,supnE supsetneqq,varsupsetneqq vsupnE=0+1e68,csub=3,csup,csube
csupe,subsup,supsub,subsub,supsup,suphsub,supdsub,forkv,topfork,mlcp,Dashv DoubleLeftTee=9,Vdashl=2,Barv,vBar
vBarv,Vbar=2,Not,bNot,rnmid,cirmid,midcir,topcir,nhpar,parsim,parsl=a,nparsl=0+6hx,fflig=1537,filig,fllig,ffilig
ffllig`;

export interface NamedReferences {
  /** What each name stands for. */
  readonly byName: ReadonlyMap<string, string>;
  /** Those that count without a semicolon. */
  readonly legacy: ReadonlySet<string>;
}

let unpacked: NamedReferences | undefined;

/** All names, unpacked once and not before one is met. */
export function namedReferences(): NamedReferences {
  unpacked ??= unpackNames();
  return unpacked;
}

function unpackNames(): NamedReferences {
  const byName = new Map<string, string>();
  const legacy = new Set<string>();
  let first = 0;
  for (const entry of PACKED_NAMES.split(/[,\n]/)) {
    const [names = "", value = ""] = entry.split("=");
    const [step, second] = value.split("+");
    first += step ? Number.parseInt(step, 36) : 1;
    const characters =
      String.fromCodePoint(first) + (second ? String.fromCodePoint(Number.parseInt(second, 36)) : "");
    for (const flagged of names.split(" ")) {
      const name = flagged.endsWith("*") ? flagged.slice(0, -1) : flagged;
      if (name !== flagged) legacy.add(name);
      byName.set(name, characters);
    }
  }
  addSmallLetters(byName, legacy);
  addAlphabets(byName);
  return { byName, legacy };
}

// What lies above is no letter of a script with small ones, such as `Map` or a sign that only looks like a letter.
const LAST_CYRILLIC = "\u052f";

/** `eacute` stands to `Eacute` as é to É: so it is for all Latin, Greek and Cyrillic letters but one. */
function addSmallLetters(byName: Map<string, string>, legacy: Set<string>): void {
  for (const [name, letter] of [...byName]) {
    const smallName = name.toLowerCase();
    const small = letter.toLowerCase();
    const isLetter = letter <= LAST_CYRILLIC && small.length === 1 && small !== letter;
    // The standard has no name for its small letter.
    if (!isLetter || smallName === name || name === "Gcedil") continue;
    byName.set(smallName, small);
    if (legacy.has(name)) legacy.add(smallName);
  }
}

/** Where each of these mathematical alphabets begins: `Afr`, `Bfr` and so on to `zfr`. */
const ALPHABETS: readonly (readonly [suffix: string, first: number])[] = [
  ["scr", 0x1d49c],
  ["fr", 0x1d504],
  ["opf", 0x1d538],
];

/** Letters that stand elsewhere, as they are older than their alphabet, are known by then. */
function addAlphabets(byName: Map<string, string>): void {
  for (const [suffix, first] of ALPHABETS) {
    for (const [at, letter] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"].entries()) {
      const name = letter + suffix;
      if (!byName.has(name)) byName.set(name, String.fromCodePoint(first + at));
    }
  }
}
