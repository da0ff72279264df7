// Derived from Unicode CLDR 48 by the scripts in ../derive; not to be edited by hand.
/** Currencies whose amounts have not two decimals. */
export const NO_DECIMALS = "ADP AFN ALL BIF BYR CLP COP DJF ESP GNF HUF IDR IQD IRR ISK ITL JPY KMF KPW KRW LAK LBP LUF MGA MGF MMK MRO PKR PYG RWF SLL SOS STD SYP TMM TRL UGX UYI VND VUV XAF XOF XPF YER ZMK ZWD";
export const THREE_DECIMALS = "BHD JOD KWD LYD OMR TND";
export const FOUR_DECIMALS = "CLF UYW";
/** Symbols in American English that are not the code, and narrow symbols that are not those. */
export const SYMBOLS = "AUD=A$ BRL=R$ CAD=CA$ CNY=CN¥ EUR=€ GBP=£ HKD=HK$ ILS=₪ INR=₹ JPY=¥ KRW=₩ MXN=MX$ NZD=NZ$ PHP=₱ TWD=NT$ USD=$ VND=₫ XAF=FCFA XCD=EC$ XCG=Cg. XOF=F CFA XPF=CFPF XXX=¤";
export const NARROW = "AFN=؋ AMD=֏ AOA=Kz ARS=$ AUD=$ AZN=₼ BAM=KM BBD=$ BDT=৳ BMD=$ BND=$ BOB=Bs BSD=$ BWP=P BZD=$ CAD=$ CLP=$ CNY=¥ COP=$ CRC=₡ CUC=$ CUP=$ CZK=Kč DKK=kr DOP=$ EGP=E£ ESP=₧ FJD=$ FKP=£ GEL=₾ GHS=GH₵ GIP=£ GNF=FG GTQ=Q GYD=$ HKD=$ HNL=L HRK=kn HUF=Ft IDR=Rp ISK=kr JMD=$ KGS=⃀ KHR=៛ KMF=CF KPW=₩ KYD=$ KZT=₸ LAK=₭ LBP=L£ LKR=Rs LRD=$ LTL=Lt LVL=Ls MGA=Ar MMK=K MNT=₮ MUR=Rs MXN=$ MYR=RM NAD=$ NGN=₦ NIO=C$ NOK=kr NPR=Rs NZD=$ PKR=Rs PLN=zł PYG=₲ RON=lei RUB=₽ RWF=RF SBD=$ SEK=kr SGD=$ SHP=£ SRD=$ SSP=£ STN=Db SYP=£ THB=฿ TOP=T$ TRY=₺ TTD=$ TWD=$ UAH=₴ UYU=$ VEF=Bs XCD=$ ZAR=R ZMW=ZK";
