import { stemmer } from "stemmer";
import { IRREGULAR } from "./irregular-words.ts";

/**
 * Groups of English synonyms from WordNet 3.1. The words of a group share a sense that occurs in WordNet's texts and is, for
 * each word, its first sense or a quarter of its uses.
 *
 * WordNet 3.1 Copyright 2011 by Princeton University. All rights reserved. THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND
 * PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR IMPLIED. The name of Princeton University may not be
 * used in advertising. Permission to use, copy, modify and distribute it for any purpose and without fee is granted as long as
 * this notice is kept: https://wordnet.princeton.edu/license-and-commercial-use
 */
const GROUPS = `
abasement abjection|abashed embarrassed|aberrant deviant|abhorrent repulsive|abide bide|ably competently
abominable odious|about approximately roughly some|above supra|abroad overseas|abruptness curtness
absently absentmindedly|absolutely perfectly utterly|absorbed engrossed intent wrapped|abstraction abstract
abuse maltreat|accede defer|accelerate speed quicken|acceptance adoption|accessory accouterment
accomplish fulfill fulfil execute|accordingly consequently|accretion accumulation|accumulate amass|accusing accusative
achieve attain accomplish|achievement accomplishment|acid blistering|acquaintance familiarity|acquiesce assent
acquit exonerate|acrobatics tumbling|act behave|acting playacting|acutely keenly|adamant inexorable|adapt accommodate
adapt conform|addlebrained muddleheaded|adherent disciple|adieu adios|adjoin butt|adjustment alteration modification
admirer protagonist supporter|admit acknowledge|adopt espouse|adroitness quickness|adult grownup|advance progression
adventure escapade|adversity hardship|advertise publicize|advertising advertisement|advise counsel|advise notify
advocate proponent|afford yield|afire aflare|aflame ablaze|aforesaid said|aggravate exacerbate|aggravate exasperate
aggression aggressiveness|aghast dismayed shocked|agile nimble|agilely nimbly|agony torment|agree concur
agreement correspondence|ailing peaked|ailment complaint|aimless afloat rudderless|airless stuffy|airs pose
akin kindred|alabaman alabamian|alarm consternation dismay|alert alarm|alertness vigilance|alien exotic
alienated anomic|alignment coalition|allegory parable|alley alleyway|allocate apportion|allotment allocation
almost nearly virtually|also too likewise|altercation fracas|alternative alternate|amateur recreational
amaze astound astonish|amazed astonished stunned|amazement astonishment|amazing astonishing|ambiguous equivocal
ambitious challenging|ambush ambuscade|ambush bushwhack waylay|ammunition ammo|amorphous shapeless|amount sum
amplify magnify|amply richly|anatomical anatomic|ancestor antecedent|ancestry lineage pedigree|anchor backbone
anchor ground|anguish torment torture|anguished tormented tortured|animal creature beast
annihilating devastating withering|annihilation obliteration|annoyance vexation|annoyed stung
annoying galling irritating nettlesome pestering|answer reply|antagonist opponent adversary|anticipated awaited
anticipation expectancy|antique outmoded|anxiously uneasily|anyway anyhow|apart aside|apothecary pharmacist
appalling dismaying|apparatus setup|apparent seeming|apparently seemingly ostensibly|appeal charm|applause clapping
applicability pertinence|apprehension dread|approach near|appropriate reserve|appropriately suitably|approval blessing
approve sanction|apt given|arbitrarily randomly haphazardly indiscriminately|arbitrate intercede mediate|arch curve
arched arching|architect designer|ardor zeal|argot jargon|argue reason|argument controversy|arise originate
aristocracy gentry|aristocracy nobility|arm gird|arms munition|arouse evoke elicit provoke|arrest apprehend collar nab
artificial stilted|artisan craftsman|ashen blanched livid|aspect facet|ass behind buttocks|assault assail
assent acquiescence|assessment appraisal|assign allot|assimilate ingest|assistance help aid assist|assistant helper
associate relate link|assume presume|assumption premise|assure insure ensure|astonishingly surprisingly
asynchrony desynchronizing|atmosphere ambiance|atone expiate|attack onrush onslaught|attacker aggressor|attic loft
attire garb|attribute ascribe impute|audacious dauntless|augur bode portend presage|august aug|authentic veritable
author writer|authority potency|authorization mandate|automatic machinelike|autopsy necropsy|auxiliary aide
auxiliary supplemental supplementary|avenge retaliate revenge|average mean|average norm|avoid avert|awaken awake wake
award awarding|awareness cognizance|away off forth|awestruck awed|awful unspeakable|awry cockeyed|axiom maxim
baby babe infant|back endorse indorse|backstage offstage|backward rearward backwards|badger pester tease bug
badness bad|baffling knotty|baked parched scorched sunbaked|balustrade banister|band circle|bang clap blast
bang smash bash|banish ostracize|banquet feast|bar saloon ginmill|bare scanty|barrier roadblock|bartender barkeep
basement cellar|basis groundwork|bastard prick|bathing washup|batter buffet|battle fight engagement
battlefield battleground|beard whiskers|bearded bewhiskered whiskered|bearer carrier toter|bearing comportment mien
beat crush vanquish|before earlier|beg implore|beg solicit|begin start commence|behavior conduct|belch belching
believable credible|believer worshipper|bellow bawl|belly abdomen|below beneath|bemoan bewail|benefit profit
benefit welfare|bequest legacy|beset plague chivy harry|besmirch calumniate|bestial brute|bewildered confused
bewilderment puzzlement|bible scripture|biblical scriptural|bickering squabble|big boastfully|bind bond|bite morsel
biting barbed|bitterness resentment rancor|black blackness|blame fault|blame rap|blanch pale|blanket cover|blast blare
blatant vociferous clamorous|blazing glaring|blithe lighthearted|block bar barricade|block obstruct|blond blonde
bloodstained gory|bloom blooming|bloom blossom flower|blossom bloom|blue bluish|blunder goof|blurred fuzzy
blush flush redden|board plank|board room|boast brag bluster|boast sport|boisterous unruly|boldness daring
bonus fillip|bony scrawny skinny|boom din|boost encouragement|boost hike|boring tedious irksome tiresome wearisome
boss foreman|bother annoy irritate vex|bottleneck constriction|bottom underside|boulder bowlder
bounce rebound ricochet|boundary bound|boundary bounds|boundless unbounded|bouquet corsage|brace steady
branched forked|brand make|bravado bluster|brave courageous|brazen insolent|breakdown dislocation|breast tit
brilliant brainy|brilliant superb|brilliantly bright brightly|brink verge|broadside flyer|bronzed suntanned tanned
brood dwell|brooding reflective contemplative meditative pensive|brothel bawdyhouse|brotherhood fraternity
brow forehead|brown brownish|bruise contusion|bruit rumor|brush thicket|brute wildcat|buckle warp|buddy crony
buffoon clown|build construct|build physique|building edifice|bulge protuberance|bulging convex|bullet slug
bully roughneck rowdy ruffian|bully swell|bum puke skunk|bum tramp|bundle sheaf|burden encumbrance|bureau dresser
burn tan|burrow tunnel|burst explosion|bury entomb inter|bush shrub|bushwhacker hillbilly|bushy shaggy|bustle hustle
buy purchase|cafe coffeehouse|calculation computation|calculation computation figuring reckoning|caliber calibre
call name|calm composure calmness equanimity|calm quiet still|camp bivouac|camp encamp|campaign crusade
camping tenting|canonized glorified|canvass poll|capacitor condenser|capture captivate charm beguile bewitch
capture seizure|car automobile auto motorcar|care tending|career vocation|carnal animal sensual|carry transport
carved carven|case instance|castle palace|casual nonchalant|catalogue catalog|catastrophic ruinous|category class
cater ply|catharsis abreaction|cattle oxen cows|cause induce stimulate|caution caveat|cavort romp frolic skylark
celebrate fete|celerity rapidity|celtic gaelic|cemetery graveyard|center middle|central fundamental key cardinal
certainly sure surely|chagrin humiliation mortification|challenge dispute|champion champ|change alter
change alteration|chant intone|characterization delineation|chase pursuit|chase trail dog track|chat chatter jaw
chatter gabble prattle|cheap inexpensive|cheat jockey|cheer embolden|cheering shouting|chide rebuke scold berate
child kid youngster minor|childish infantile|chill thrill quiver|chip fleck scrap|chipper jaunty|choice pick
choice select|choose select|christ jesus savior|chuck grub|chuckle chortle|chunk clod lump|churchman cleric
cinch picnic|cipher encipher|circuit tour|city metropolis|clad clothed|clamber scramble|clammy dank
clandestine undercover|clarify elucidate|clarity clearness lucidity|classify class|classroom schoolroom
cleaning cleansing|clergyman reverend|clever cagey|cliche commonplace|cling cohere|clique ingroup|clod lummox
clogged clotted|close last|close shut|closer nearer|closet cupboard|clot coagulate|cloth fabric textile
clouded overcast|cloudy nebulous|clowning prank|clue hint|clumsy ungainly|cluster bunch|cluster clump bunch
clutch seize|cluttered littered|coast seacoast|coax wheedle|coddle pamper|code codification|coffee java
cohesion cohesiveness|coil spiral gyrate|collect accumulate compile|collection accumulation aggregation
collectively jointly|colloquial conversational|colony settlement|color colour|colored negro|combat battle
combine compound|come arrive|comeback retort|comfort solace console soothe|comforting consoling|coming advent
coming upcoming|command bid bidding|commerce commercialism|commission committee|commit perpetrate
commitment allegiance|communication communicating|communist commie|communist communistic|commuting commutation
compassionately pityingly|compel oblige|compensate counterbalance|compete vie|competitor rival|complete finish
completed accomplished|complicate refine|composite complex|composition composing|compound intensify deepen
comprehend grasp apprehend savvy|compress constrict|compromising conciliatory|compunction remorse|compute calculate
comrade companion|concept conception|concern interest|concern refer pertain|conclude reason|conclusion decision
condemn decry excoriate|condemnation disapprobation|condescending patronizing|conduct demeanor|conduction conductivity
confidence assurance|configuration constellation|confirm affirm corroborate substantiate|confirmation verification
conformity compliance|confuse confound befuddle|confusion disarray|congratulate compliment|congratulate felicitate
congregation fold|connected affiliated attached|conquer suppress subdue|consider regard view
considerably substantially|consist dwell|consistency consistence|consistently systematically|consolation solace
constant unvarying|consultant advisor|consume ingest|contain comprise|contaminate foul|contamination taint
contempt scorn disdain|contemptuous scornful disdainful|contend postulate|continuance continuation
continuously endlessly unceasingly|contradict belie|contrary opposite reverse|contrast counterpoint|contribute lend
contributory contributing|control curb|controller accountant|convict inmate|convulsive spasmodic|cook ready|cool chill
cooperate collaborate|cooperative concerted|coordinate organise|cope grapple|corporate incarnate
corporeality physicalness|corpse cadaver|correct redress|correspondent newspaperman|corrupt deprave|couch sofa
count counting|countenance visage|counter antagonistic|counteract antagonise
countless myriad innumerable multitudinous unnumbered|country nation commonwealth|coup takeover|couple pair
courage bravery|court tribunal|court woo|cowboy puncher cowhand cowpuncher|crack gap|crackle crunch|cradle provenance
crafter craftsman|crafty sly wily|cramp spasm|crash clangor clash clang clangoring|craved desired|crawl creep
crazily insanely|crazy mad|creak screech squeak|crease wrinkle|creativity creativeness|credo creed|creek brook
criminal crook felon outlaw|criminal reprehensible|criticize criticise|crop harvest|cross transverse|cross traverse
crossroads hamlet|crouch stoop|crow gloat|crowd herd|crude earthy|crumble crumple|crush oppress|cry exclaim|cry yell
cry yell shout outcry|culminate climax|culmination apogee|cultural ethnic|cultured polite|cure remedy|curiosity wonder
curious funny peculiar queer|curiously oddly peculiarly|cursory perfunctory|curtain drapery drape|curved curving
customary habitual|damage harm impairment|damaging prejudicial|damn bedamn imprecate|damn goddamn|damn shucks
damned darned goddam goddamned blessed infernal|damned unredeemed|damp moist|dampen stifle|dangerously perilously
dapper jaunty|dappled mottled|darkness dark|dart flit flutter|dash flair|dash scoot scud|dawn dawning daybreak
daylight daytime|dazed groggy|deadlock impasse standstill|dealer trader|dear beloved darling|dear honey
deathlike deathly|debility feebleness infirmity|debut entry introduction|deceased gone|decedent deceased
deceive delude|december dec|declaim recite|decline diminution|decline worsen|decomposition disintegration
decorate adorn grace ornament|decoration ornament|decrease diminish lessen|decrease lessening|decree fiat
deduct subtract|deeply profoundly|defeat licking|defeat overcome|deficiency inadequacy|define delimit|defining shaping
definitely decidedly emphatically|deformation distortion|deformed malformed|defraud swindle con|defy withstand
delay wait|deliberately purposely advisedly intentionally|delicately fine|delight revel|delightful delicious
delivery bringing|demon fiend|demonstration presentation|demur except|departure going leaving|dependence dependency
depict picture|deplorable sorry|deplorably woefully|deposit situate|deprecatory deprecating|deranged crazed
derisive gibelike mocking taunting|derivative differential|derive deduce infer|descendant descendent|describe depict
desert forsake|desertion abandonment defection|deserve merit|design contrive|desolate bleak|despair desperation
desperate despairing|desperately urgently|despise disdain scorn|despised hated|destroy ruin|destroyed ruined
destruction demolition|detachment disengagement|detailed elaborate|detectable noticeable|detection sensing
determine ascertain|determinedly unfalteringly|developing underdeveloped|development evolution|deviate divert
devil lucifer|devise invent contrive forge|devote commit dedicate|dextrous dexterous|diagnosis diagnosing
dialect idiom|diameter diam|diarrhea diarrhoea|diary journal|dice die|dictate prescribe|dictatorship tyranny
die perish expire croak|diethylstilbestrol des|difficult hard|dig delve|dimension attribute
diminished lessened weakened|din clamor blare blaring|din commotion rumpus|dingy grimy|dip dunk
directionality directivity|directly straight|dirt soil|dirty soiled unclean|disability handicap|disable incapacitate
disabled handicapped|disabling crippling|disappear vanish|disappointed frustrated|disappointment letdown
disaster catastrophe|disbelief skepticism|discard dispose|discern distinguish|discernible discernable
discipline condition|disclose reveal divulge|discorporate disembodied|discourage deter|discouraged disheartened
discredit disrepute|discrepancy disagreement|discrepancy variant|diseased pathologic|disgrace dishonor dishonour shame
disgusting foul loathsome|disjointed disordered garbled|dismally drearily|dismiss ignore discount disregard
disordered upset|dispatch communique|dispatch despatch|display exhibit|display showing|disposition temperament
disregard neglect|disruptive riotous troubled tumultuous turbulent|disseminate circulate diffuse
distaste antipathy aversion|distill purify|distinction differentiation|distinction eminence|distinguish differentiate
distort falsify warp|distribute dispense|district territory|distrust mistrust|disturb trouble upset
disturbing distressing|dive honkytonk|divertimento serenade|divide split|divinity deity|doctor physician
doctrine philosophy ism|doggedly tenaciously|dogma tenet|dominance ascendancy|dominate prevail predominate reign
done through|doom destine|doomed lost|door doorway|doorhandle doorknob|doorman porter|dope gage|dosage dose|dot stud
dotted flecked speckled|double dual|double twofold|doubt uncertainty|doubtful dubious|dough kale loot|down downward
downpour cloudburst torrent|doze drowse|dozen twelve|drab dreary|drab somber|drafty draughty|drag haul cart
drainage drain|dramatize embellish pad|draped wrapped|drawn haggard worn careworn|dream daydream woolgather
dress clothe|dressed attired garbed|dribble trickle|drift err stray|drift impetus|drill bore|drive thrust
drone monotone|drown submerge|drugstore pharmacy|drunk drunkard|dub nickname|dullard stupid|dung droppings|dupe gull
durable lasting|dusk nightfall twilight|dusky swart swarthy|dust debris junk rubble|each apiece|earlier sooner
earn garner|earth globe|earthquake quake|easily easy|east orient|eccentric bizarre|echo reverberation
eclipse overshadow|ecstasy rapture|edge inch|edgy restive jumpy|education instruction|efface obliterate
effect effectuate|effect result consequence upshot|effective efficient|effluent wastewater|effort attempt try endeavor
ejaculate blurt|elaborate expound|elaboration amplification|elate uplift|element component ingredient
elementary unproblematic|elevation raising|elude evade|emblematic symbolic|embodiment incarnation|embody personify
embrace embracing|embrace encompass|emission emanation|emotionalism emotionality|emphasis vehemence|employment employ
enact ordain|enchant enthrall|enclose envelop|encounter skirmish|encourage promote|encroachment intrusion invasion
end terminate|endless interminable|endlessly infinitely|endow gift|endure brave|enduring abiding|enforce implement
engage pursue|engender breed|engulf steep engross immerse|enhance heighten|enigmatic puzzling|enjoy savor bask relish
enough plenty|entanglement web|enterprise endeavor|entertainment amusement|entire full total
entirely completely all altogether wholly totally|entirety totality|entitle title|entrance entranceway|entrust intrust
envision foresee|epitomize typify|equality equivalence par|era epoch|eradicate annihilate|erode gnaw|eroded scoured
erratic mercurial quicksilver|erratically unpredictably|error mistake fault|escort bodyguard
especially particularly specially|essential indispensable|essentially basically fundamentally|establish launch found
establishment constitution|estimate approximate gauge|estimate approximation|eternal everlasting perpetual unending
evade sidestep skirt hedge|evaluate assess appraise|evaluation rating|evangelist gospeler
everyday mundane routine unremarkable|evidence grounds|evidence manifest certify attest|evident apparent plain
evil wickedness|exaggerated overdone|exalted lofty|examination scrutiny|exceed transcend|excel surpass|excise expunge
exclamation exclaiming|exclude omit except|exclusive sole|exclusiveness clannishness|excruciating torturing
excursion outing|excuse pardon|exercise exert|exercise practice|exercise workout exercising|exert wield
exhausted fatigued|existence being|existential experiential|expansion enlargement|expect anticipate
expectation outlook|experiment experimentation|explode detonate|express utter|extravagantly profusely|extreme extremum
extreme utmost|extremely exceedingly super|extremely highly|extricate disentangle|exuberant ebullient
exultant triumphant jubilant rejoicing|face confront|facilitate ease alleviate|facility installation|factory mill
faded bleached|fail miscarry|faint dim|faint swoon|faithfully reliably|fake forge|fake phony bogus|fall autumn
falloff slump|falsity untruth|familiarity intimacy|family household|famous famed noted illustrious notable
fan buff devotee|fancy phantasy|fantastic grotesque antic|farming husbandry|fascinate intrigue|fascinate transfix
fascinating engrossing|faster quicker|fatal fateful|fate destiny|fathom penetrate|fatigue weariness|fault flaw
favored favorite|fear dread|fear fright|fearless unafraid|feasible workable practicable viable|feat exploit
feature characteristic|february feb|fedora stetson|feeding eating|feeling impression notion
fellow lad fella bloke chap cuss|fence fencing|ferment fermentation unrest|fertile prolific|fetid foul|feverish hectic
fiendish infernal satanic unholy|fierce furious ferocious|fierce vehement|fiercely ferociously|fighting fight
figure fig|figure flesh anatomy|figure reckon forecast|figurine statuette|file register|film cinema|film movie
final concluding|finally eventually|financial fiscal|find encounter bump|finding determination|fine okay
finish finishing|fireplace hearth|firm unfaltering unshakable unwavering|firmly securely|firmly steadfastly firm
firmness resolve|fisherman fisher|fishmonger fishwife|fit paroxysm|fit set primed|fit suit accommodate|fit tantrum
fitting decent|fixed set|flash twinkle|flashy gaudy|flashy gaudy tawdry|flat level plane|fleshy overweight
flicker flutter|flinch cringe recoil shrink wince quail|float drift|flood inundation|flood swamp|floor flooring
flourish thrive|flow flowing|flowering unfolding|flurry ado bustle|flushed rosy|fly wing|foam froth
focus center rivet pore|focus centering focusing|folly foolishness|fond affectionate|fondly lovingly|food nutrient
fool chump sucker|fool gull|footpath pathway|forbid prohibit proscribe disallow veto|forbidden taboo
force coerce pressure|foreigner alien|foresee foreknow|forever everlastingly eternally|forgo waive|fork ramification
form organize|formally officially|former onetime|formidable redoubtable|fort garrison|fortress fort
fortunately luckily|forty twoscore|foster further|founding initiation|frambesia yaws|frank forthright blunt candid
freak monstrosity|free liberate loose|freeway pike superhighway thruway|freight cargo shipment
frenzy fury delirium hysteria|frequent patronize|friction clash|frighten scare|frightful horrible horrifying
frigid icy|fringe periphery|front battlefront|fruitless futile vain|frustrate thwart foil|fully full|fun merriment
fundamental rudimentary|funny comic|furious enraged maddened|furor craze cult|further farther|furtive stealthy
fury ferocity fierceness wildness|fusion unification|fuss fret|futile unavailing|fuzzy fuzzed|gadfly cuss
gadget contrivance contraption|gage gauge|gaiety merriment|gallon gal|gamble adventure chance|gap spread|gape gawk
gaping agape|garbage refuse|gasp pant puff|gathering assemblage|gaunt emaciated cadaverous haggard pinched
gay cheery sunny|generalization induction|generalize extrapolate infer|generation contemporaries
genial amiable cordial|geographical geographic|gesticulate gesture motion|get acquire|gigantic mammoth|giggle titter
girl miss|girlish schoolgirlish|given granted|glance glimpse|glare brilliance|glare glower|glasses spectacles
glassy glazed|gleam gleaming|gleam gleaming glimmer|glee hilarity|glint glitter gleam glisten|glistening shiny
glittering glinting|global world|glorify exalt|glue paste|glut gorge overeat overindulge|glycerine glycerol|gold amber
golden gilded gilt gold|gospel gospels|gourmet epicure|govern regulate|government authorities regime|grade class
graded ranked stratified|graining woodgraining|grammatic grammatical|grandeur nobility|grandeur splendor brilliance
grandmother granny grandma|grant award|granular gritty|grappling wrestling|grave grievous|gravely soberly|gray grey
greasy oily|greatcoat overcoat|greatest sterling superlative|greek grecian|greek hellenic
grim ghastly gruesome macabre|grim relentless inexorable|grip hold clutch clutches|groan moan|groove rut|grope fumble
group grouping|grove orchard|grovel cringe|growl rumble|grown adult|growth growing maturation|grudge grievance
grumble scold|guardian defender|guess guessing|guess speculation surmise|guidance counseling|guide maneuver steer
gulp draught swig|gun artillery|gunfire gunshot|gunman gunslinger|gunner artilleryman|gush spout|guts backbone
gymnastic acrobatic athletic|hackneyed stock threadbare timeworn trite|hail acclaim herald
halfway middle center midway|halfway midway|hall hallway|hamper shackle|handclasp handshaking|happen occur
happily blithely merrily gayly jubilantly|harassed pestered|harbor nurse|hardly barely scarcely scarce
hardworking industrious|harmonious symmetrical|harrow disk|harshness scratchiness|harvest reap glean|hastily hurriedly
hate detest|hatred hate|haunt hangout|haunt obsess|haunted obsessed preoccupied|haversack knapsack
hawk peddle huckster|hazy misty|headmaster schoolmaster|heartbeat beat pulse|heedless unheeding|help aid assist
hereafter hereinafter|heroic epic|hesitate waver|heyday flush|hidden concealed|hide conceal|hideous outrageous
hideout hideaway|highlight spotlight|highwayman hijacker|hijack commandeer|hillock knoll|hinder impede|hire employ
hoarse gruff husky|hollering bellow holler|home dwelling abode|homeland motherland|honest honorable
honestly frankly candidly|honor honour reward|honor laurels honour|honour laurels|hood punk|hope promise
horribly dreadfully|hospital infirmary|host horde|housekeeping housework|housing lodging
however nevertheless nonetheless notwithstanding withal|howl howling|huddle cower|huddle powwow|hug embrace|hulk whale
humble lowly|humbly meekly|humiliate humble|hurrying scurrying|hurt ache smart|husky burly beefy|hyperbolic inflated
hypocrite phony|icebox refrigerator|idea thought|identical indistinguishable|idiom parlance|idiosyncrasy foible
idiot imbecile|idle laze|ignorant illiterate|ignore disregard snub|illness sickness malady|illuminate crystallize
illustrate exemplify|imagination imagery imaging|imaginative inventive|imagine envisage|imbalance unbalance
imbed embed implant|immediate contiguous|immediately instantly forthwith straightaway|imp pixie
impassioned fervent fiery ardent|impending imminent|implike mischievous puckish|imply connote|impose enforce
imposition infliction|impossible inconceivable unimaginable|impotence impotency|imprecation malediction|imprison jail
improve better|improvement advance betterment|improvised makeshift|impulse urge|impurity dross|incentive inducement
incipiency incipience|incite instigate|inconvenience worriment|incorporate integrate|increase gain
increasingly progressively|incredible unbelievable|indecent untoward|indecision irresolution|indefatigable tireless
indefensible untenable|indicate point|indicate signal bespeak|indicator index|indignant incensed outraged
indignation outrage|individualism individuality|individualized personalized|individually separately|indolent lazy
induction initiation|inevitably inescapably unavoidably|inevitably necessarily|inexplicable incomprehensible
infective pathogenic|infertile unfertile|inflection prosody|inflict impose|inflow influx
infuriating maddening exasperating|inhabitant dweller|inherent integral|inhibitory repressive|initiate originate
injure wound|injury hurt harm|inn hostelry|inoculation vaccination|inquire enquire|inscribe engrave
inscription lettering|inside indoors|inside within|insight penetration|insistent repetitive|insolent impudent
inspire animate enliven|install instal|instant instantaneous|instant twinkling wink|instead alternatively
institute found|insularity insulation|insult affront|insure ensure|intact integral|intake uptake consumption
integration integrating|intelligent levelheaded|intensify deepen|interior inside|interject interpose|interlock mesh
interlocking interwoven|interpret construe|interpreting rendering|interrelation interrelationship
interrogation interrogative|interrupt disrupt|interruption disruption|interview consultation|introduce acquaint
invariably constantly|invent manufacture|invention innovation|investigation investigating|investigator researcher
ironic wry|irritability petulance|irritable peevish|irritably petulantly testily|irritation annoyance|isolate insulate
isolated separated detached|isolated stray|issue publish|itemize enumerate|ivory pearl|jab jabbing|jabber spout
jaded wearied|jam throng|jammed packed|jangle jingle|january jan|jar jolt|jealous envious|jeep landrover
jeopardize stake|jerk jerking jolt|jerk yank|jimdandy jimhickey|job occupation|job task chore|jocular jocose
joke gag jest|joke jest|journey journeying|jumble welter muddle|jumbled disorderly|junk scrap|just exactly precisely
justify vindicate|justness nicety|jutting sticking projected|keen incisive penetrating|keenness sharpness
keep hold maintain|keepsake souvenir|ketosis acetonemia|kid banter chaff|killing kill|kind sort
kissing hugging petting|knock knocking|labeled tagged|labor labour proletariat|laboratory lab|lack deficiency
lacking deficient|lamentation wail|lance spear|lanky rangy|lappet wattle|lapsed nonchurchgoing|large big
largely mostly|larger bigger|lashing whipping|later afterward afterwards after subsequently|lather suds soapsuds
laugh laughter|lavender lilac|lavish shower|lawyer attorney|lead guide|leaden weighted|leaders leadership
leading preeminent|leading star stellar|leaf foliage|leakage outflow|lean tilt|leap bounce leaping
leap jump spring bound|learned erudite|learned knowledgeable|left remaining|lend loan|lengthy prolonged extended
let allow permit|letter missive|level degree|lewd salacious|liberate emancipate|liberty autonomy|lick lap|lid eyelid
lift elevate|light illuminate illumine|lighted lit|like wish|limbo oblivion|limit confine throttle
limiting confining constraining restricting|limp hobble hitch|linger loiter tarry|linguistic lingual
liquor booze spirits|listener hearer|live populate dwell inhabit|load loading|loaded laden ladened|loathe abhor
lobby foyer vestibule|lobscuse lobscouse|locate situate|located situated|lock mesh|logical legitimate|lonely lone
long yearn hanker|look expression|look looking|looking sounding|loom tower hulk|loose unleash|loot booty plunder
loot plunder|lord creator divine|lot heap mint|lots dozens scores tons wads|loudly loud|lousy rotten stinking
luck circumstances|luck fortune hazard|luggage baggage|lukewarm tepid|lumber timber|luminary notable|lunch luncheon
lunge hurl hurtle|lure tempt entice|lurid shocking|lurk skulk|machinist mechanic|madly frantically|magic magical
magnificently excellently splendidly|maimed wounded|main principal chief|maintenance upkeep|majority bulk
maleness masculinity|malingering skulking|mama mamma mommy|manager coach|manager director|maniac madman|manic frenzied
mar impair|march marching|marginal borderline|mark tag|marked pronounced|market marketplace
marketing selling merchandising|marriage matrimony|marry wed|masterly virtuoso|match correspond|matching twin
material stuff|mathematics math|matter affair|matter topic|maturation ripening|maturity adulthood|maximum maximal
maze labyrinth|meadow hayfield|mean entail|meandering wandering winding|measurement measuring|meddling interfering
meddling tampering|medicine medication|meet encounter|melee scrimmage|melodious tuneful|melting thaw thawing
men manpower|mention refer cite|merge unite unify|merit virtue|merry jolly jovial|message content|messenger courier
metal metallic|microphone mike|midst thick|militia reserves|mind psyche|mingle unify|minimal minimum
minister pastor parson|minute min|misbehavior misdeed|mischief shenanigan devilment|miserable suffering
misery wretchedness|misgiving qualm|misinterpretation mistaking misunderstanding|mislay misplace|missile projectile
misunderstand misconstrue|mite speck|mitigate extenuate|mix fuse coalesce|mixed sundry miscellaneous assorted
mob rabble|mobile wandering|mobilize marshal|mobilize rally|model framework|modernize overhaul|moisten dampen
moisture wet|mold model mould|mold stamp|moment instant|momentary fleeting|mood climate|mood humor temper
morality morals ethics|moreover furthermore|mortician undertaker|motive motivation|motto shibboleth slogan
mountainous craggy|move travel|muffle stifle smother|multiplication propagation|multitude pack
murmur murmuring muttering|muse ponder meditate mull|musician instrumentalist|mute unspoken|mutter mumble
myofibrilla myofibril|mysterious cryptic inscrutable|mystery enigma|nagging shrewish|naked bare nude|nasal pinched
nationalism patriotism|native aborigine|naturally course|near close|needed required|neglect disregard
neglected unheeded|negligence carelessness|negotiation talks|neighborhood locality vicinity neighbourhood
nestle snuggle cuddle nuzzle|neutral inert|newcomer fledgling freshman|newly fresh freshly new|news tidings
next following|night nighttime|noble baronial imposing stately|nominal tokenish|noon midday|north northward
northern northerly|note notice|note remark|nothing zero naught|notice observe detect discover|notification presentment
notorious infamous|novelty freshness|november nov|now today|nuance subtlety|nudge prod|null void|nutrient nutritive
oath curse expletive swearing|objection remonstrance|obnoxious objectionable|obscure befog cloud|obscure blur
obscurity abstruseness|observed discovered|observer commentator|obstruct impede occlude
obviously evidently plainly manifestly|occasion juncture|occupant resident|occupy busy|occurrence happening
october oct|odor smell aroma|offence offensive|offer offering|office agency bureau|often frequently oftentimes
older elderly aged|ominous sinister threatening menacing|one ace|only alone solely exclusively
only just merely simply but|opening gap|operate function|operational useable|opinion sentiment|opponent opposite
opportunity chance|opposition resistance|optimum optimal|orator rhetorician|orb eyeball|orbit revolve|order enjoin
organism being|ornery crotchety|outdo surpass outstrip|outlay spending|outlook mentality|outside exterior
outside outdoors|outsmart overreach|outspoken vocal|overcome master surmount|overcome overpower overwhelm
override overturn|overrun infest|overtake overhaul|overthrow subvert|overture prelude|own possess|owner proprietor
pace footstep|pace gait|pacify appease conciliate gentle mollify|package box|package parcel|packet bundle package
pail bucket|pains striving|pale pallid wan|papa dad daddy pop|papers document|parachute chute|paradise heaven
parallel analogue|paramount overriding|paraphrase rephrase|park common|part portion component
participation involvement|particle speck|partly part partially|partner pardner|partner spouse|pass walk
passing ephemeral|past yesteryear|pasted glued|pastelike pasty|patch piece|pathetic pitiable pitiful
pathologist diagnostician|patrol police|patronage backing|pattern model|pause hesitate|peal pealing
pecs pectoral pectoralis|peddler hawker|peer equal|pelt pepper|penance repentance|percent percentage|perch roost
perfumed scented|perhaps maybe possibly perchance|perky buoyant|permanent lasting|permit allow|permit license
perpetuation lengthening prolongation|perplexing puzzling confusing|persist persevere|persist prevail
persistency persistence tenacity|persistent relentless|person individual someone mortal|persuade sway
perturbation upset|pervade permeate diffuse|phantom apparition|philosophical philosophic|phonology phonemics
phosphate orthophosphate|photograph photo|phrase word articulate|phraseology wording|physiognomy visage
picket scout sentinel sentry|picture envision visualize fancy|picture painting|pier wharf|pile heap|pilfer purloin
pimp pander procurer|pinch nip|pit cavity|pitch lurch|pitcher hurler|pitiless remorseless ruthless|pity commiseration
place spot|placid tranquil|plague blight|plane airplane|plant works|play drama|playwright dramatist
pleasantly agreeably|please delight|plenty plenitude|plight predicament|plod trudge|plot patch|plumb clean
plunge immerse|poetry verse|poignant touching|poke jab|poke nose|polish refine|polish refinement|pommel pummel
poor piteous hapless pathetic|poorly badly ill|portrait portrayal|possession ownership|post berth
postpone defer shelve|pot toilet|potential potentiality|potter tinker|poultry fowl|pound ram|pounding throbbing
powder gunpowder|powdered powdery pulverized|power powerfulness|practice pattern|praise congratulations
prance strut swagger|preaching sermon|precaution safeguard|precede forego|precious cherished treasured
predominance predomination|preferable preferred|preference predilection|prejudice bias|premonition foreboding
preparative preparatory|prepare ready|preserve uphold|presumption given|pretence pretension|pretend dissemble feign
pretended fictive|pretty fairly reasonably moderately|prevent forestall preclude foreclose|priceless invaluable
primarily chiefly mainly principally|priority precedence|prisoner captive|privacy secrecy|prize treasure value
probably likely|proceedings proceeding|proceeds takings|process procedure|proclaim exclaim promulgate
proclamation announcement|prodigious colossal stupendous|product merchandise
proficient skillful expert adept practiced|profit profits earnings|program plan|prohibition ban
project task undertaking|prominent outstanding salient|prominently conspicuously|promotion publicity
prompt motivate incite|pronounce articulate enunciate|pronouncement dictum|properly decent
proportionately proportionally|prosper thrive|protease peptidase|protest protestation|prototype epitome
protrude project|prove demonstrate|provide supply furnish render|provision proviso|prowess artistry|prurient salacious
pry jimmy prise|public populace|publish print|pull draw|pull pulling|pulpit dais rostrum|pulsation pulse
punish penalize|punishment penalty|purely strictly|purpose aim intention intent|purse handbag|pursuit quest
push pushing|put place set lay position|puzzle bewilder baffle mystify|quantity measure|quarrel dispute
quarrel wrangle|quell squelch|question inquiry query|quick speedy|quickly quick promptly|quiver quake|radical ultra
rage fury|rage storm|rail inveigh|rail railing|railroad railway|rain rainfall|ramble jog|ramp incline
range scope compass reach|ransack comb|ransack despoil rifle|rapidly quickly speedily|rarely seldom|rascal rogue
rate grade rank|rather instead|rather kinda|rating evaluation valuation|rattle rattling|rattlesnake rattler
raucous rowdy|reactivity responsiveness|reality realism|realize recognize|really actually|really truly genuinely
realm kingdom|rear rearward|reasonable sensible|rebel reb johnny|rebellion revolt insurrection uprising|rebuff snub
rebut refute|recently lately|reckless foolhardy|recognized accepted|recollection remembrance|recommend advocate
record disc|recovery recuperation|recreation diversion|recruit enroll enrol|red crimson|redevelopment renovation
reek smack|reeking watery|reference mention|reflection contemplation musing|refreshing brisk|refuse decline
regard heed|regardless disregardless irrespective|register registry|registration enrollment|regroup reorganize
regulation ordinance|rehearse practise|reinforce reenforce|reissue reprint|reject decline|relatively comparatively
relegate demote|relevance relevancy|reliable dependable|relieve alleviate|religion faith|religious spiritual
relish gusto zest|remain stay|remake refashion|remark comment|remarkable singular|remarkably unusually
remember recall recollect|rending ripping splitting|rendition rendering|rent lease|repair fix mend|repair fixing
repay refund|repeal rescind|repeat reiterate restate|repeated recurrent|repetition repeat|replace supersede supplant
replacement replacing|replenish refill|report describe|reporter newsman|representative congressman
repress subdue quash subjugate|republic democracy|repulse rebuff|reputation repute|request petition
require need demand necessitate|requirement necessity essential|rescue deliverance|reserve modesty|residence abode
resign vacate|resignation surrender|resonant resounding|respect esteem value|respect regard|respite reprieve
respond react|responsibility obligation duty|rest remainder residue|restrict curtail|restriction limitation
result ensue|resultant consequent|resume survey|resurrect upraise|retch vomit|retention holding|retort rejoin
retract forswear|retreat withdraw recede|retrieve recover regain|revealing telling telltale|revel revelry
revelation disclosure|revenge retaliation|revenue receipts|revere reverence venerate|revered venerable|reverie revery
review reexamine|revive recreate vivify|revolutionary radical|revulsion repugnance repulsion|reward wages
rhino rhinoceros|rhythm beat|rhythmic rhythmical|richness profusion|rickety shaky wobbly|ridiculous preposterous
right correct|rightly justly|rigidly stiffly bolt|rigor hardship|ring echo resound reverberate|ring hoop
riotous lush profuse|rip rend rive|ripple ruffle undulate|risk hazard jeopardy peril|ritual rite|roadside wayside
roar thunder boom roaring|rock sway|roiling churning turbulent|roll roster|romp runaway|rooms suite|rotate revolve
round circular|rubberlike rubbery|rug carpet|rule convention|rumble grumble grumbling|run tally|rundown summation
runner smuggler|rush race speed hasten|russia ussr|sacrilege desecration|sadness unhappiness|sag droop
saleslady salesgirl|sallow sickly|saltwater seawater|salvation redemption|sanction imprimatur|satire irony sarcasm
satiric satirical|satisfaction gratification|satisfy fulfil|satisfy gratify|savage barbarian
savage vicious cruel brutal|save salvage|say tell state|scamper scuttle scurry|scare daunt|scared frightened
scatter disperse dissipate|scatter dissipate|scent perfume fragrance|schedule agenda|schoolmarm schoolmistress
schoolmate classmate|scoff jeer|scoffing mockery|score mark|scornfully contemptuously|scot scotchman
scouring scrubbing|scout reconnoiter|scrape scraping|scream shout yell cry holler squall
scream shriek screaming screech shrieking|screech screeching|screechy squeaky|scrub scour|seahorse walrus
sealing waterproofing|seaman seafarer|sear scorch|seated sitting|secede splinter|second sec|second secondly
secure procure|sediment deposit|sedimentation deposit|seek search|seem look appear|selection choice
sensational stunning|sensor detector|separation breakup|september sept|serenity tranquility|seriously earnestly
seriousness sincerity earnestness|severe wicked|severely badly|severely sternly|sew stitch|shack shanty|shade tint
shadowed shadowy|shaft barb jibe|shaken jolted|shallowness superficiality|sham fake|shame disgrace|shameful inglorious
shape contour configuration|shape influence|sharp crisp|shaved shaven|sheer absolute|shenanigan wile
shift displacement|shift transformation transmutation|shipment dispatch|shiver shudder|shock outrage scandalize
shock stupor|shoelace shoestring|shopkeeper storekeeper tradesman|shortage deficit|shorten abridge foreshorten
shot shooting|shouting yelling|show display|show present demonstrate|shred whit|shrewd astute|shriek shrill pipe
shrink wither|shudder shiver|shuffle shamble|shun eschew|shut closed|sick ill|sick nauseated sickish|sidewalk pavement
sidle sashay|sign ratify|sign subscribe|signal signaling|silence hush still|silence quiet|silent mum|silent still
silently mutely wordlessly|silly wacky|silver silvery|similarly likewise|similitude likeness|simulate imitate copy
simulated imitation|simultaneous concurrent cooccurring|sin sinfulness|sin sinning|sinful ungodly|singer vocalist
single individual|sinner evildoer|sire beget father|sister sis|sketch vignette|slam bang|slant weight
slanting sloping slanted|slaughter butcher|slaughter massacre|sleep slumber|slender slim|slice slit|slight rebuff
sling catapult|slop spill|slope incline|slow decelerate|slowing deceleration retardation|slowly slow
slugger batter hitter|small little|smash blast|smile grin grinning smiling|smitten stricken|smothered strangled
smothering suffocating|snake serpent|snap snarl|snicker snigger|snow snowfall|sober grave solemn|social societal
sod sward turf|softly quietly|soil dirt|solitary lone|somersault flip somersaulting|somewhat slightly
somewhere someplace|sonority vibrancy|soon presently shortly|sorbed occluded|soul psyche|source origin
sovereign monarch|spaced separated|spare trim|spark glint|spark sparkle|spark trigger activate actuate
spatter splatter splutter sputtering|speak mouth|special particular peculiar|specialty forte
specify stipulate condition|speck pinpoint|spectator viewer watcher|specter ghost|spectral ghostlike ghostly
speculate hypothesize theorize conjecture|speculation conjecture|speed velocity|spellbound fascinated
sphere domain arena|spin reel|spirit flavor|spiteful vindictive|splattered dabbled|splendid resplendent
splendor brilliancy luster|spoil flub|sponsor patronize|sport athletics|sportsman sportswoman|spot spy
spotless immaculate spic|spread dispersed|spring springtime|sprinkle disperse|sprout germinate|spur goad|spur urging
spurn disdain scorn|spy snoop|squat crouch|squat squatting|squeeze crush mash squash|stage phase|stagger flounder
stagger lurch reel careen|staggering stupefying|staircase stairway|stall procrastinate|stammer stutter|stamp stomp
stand pedestal|standard criterion|standard criterion touchstone|stare gaze|start outset kickoff|starved starving
state province|steeple spire|step measure|steps stairs|stereo stereophonic|stick deposit wedge|sticky gummy pasty
still motionless static|stillness hush|stimulate excite|stimulus stimulation stimulant|stoic stoical|stone rock
stop cease quit discontinue|stop halt|store shop|storm tempest|story tale narrative|strain strive|strand maroon
strangle throttle|strategy scheme|strengthen fortify|stress emphasize accentuate|stretch reach|stricken afflicted
strict rigorous|stride tread|striking dramatic spectacular|strip deprive divest|strive endeavor|struggle conflict
stubbornly obstinately|student pupil|study analyze examine analyse|study survey|stumble trip|sturdy hardy
subdued muted|subject theme topic|subordinate underling|substantial significant|substitute sub|subway metro
successive sequential serial|succor ministration|suddenly abruptly short|suffering agony|suffering distress
suffering woe|suffocate smother|suggest propose|suggestion proposition|suited suitable|sullen morose glowering
sullenly dourly|sumptuous opulent|sunlight sunshine|super crack topnotch|supervise superintend|supplement accessory
supposedly purportedly|supreme sovereign|surplus excess|surplus excess extra redundant spare|surround border
surroundings milieu|survive last endure|suspect surmise|suspect suspicious|suspicion hunch|sustenance nourishment
swaggering haughty supercilious|swarm teem|swear curse blaspheme cuss|swear swan|sweat perspiration|sweep expanse
sweet sweetly|swift fleet|swirl purl eddy|switch swap|swivel pivot|swoop pounce|symmetric symmetrical
synchrony synchronism|synthesize synthesise|tactual tactile|talent gift endowment|talk speak|talk talking
talkative talky|tangled tortuous|taste preference|taunt bait tantalize tease|teach instruct|teacher instructor
team squad|tear rupture|tears weeping|teen teenage|teenager adolescent|telegraph wire cable|telephone phone
temerity audacity|tempo pacing|tenancy occupancy|tend incline|tendency inclination|tentative provisional
terminal depot|termination expiration|terms footing|terrible dreadful frightening awful fearful|terribly awfully awful
terrified frightened panicked|terror panic|thaw melt unthaw|theatre theater|thence therefrom|theory hypothesis
therapeutic healing|therapist healer|thereafter thenceforth|thieving stealing|thin lean|think believe conceive
think guess suppose reckon|thoriated tittering|thorough thoroughgoing exhaustive|thoroughly exhaustively
thoroughly good|thrash flail lam|thrash thresh|thread wind meander|threat menace
threaten endanger jeopardize imperil menace|three trio|thrill kick|thrilling electrifying|thriving prosperous
throb pulsate pulse|throttle accelerator|thrust stuff|thumping thud|thunderous deafening earsplitting
thus therefore hence|tie affiliation|tie necktie|tilted leaning|time clip|time clock|timidly shyly
tiny diminutive petite|tire weary|tiring wearying|toad frog|toilet john lavatory privy|tolerate endure abide brook
tomb grave|top transcend|torn mangled|torture torment|toss flip|toss pitch|total aggregate|total number
tousled disheveled frowzled|trade craft|trade merchandise|trademark hallmark stylemark|tradition custom
tragedy disaster calamity catastrophe|train educate|trample tread|trance spell|transfer reassign
transfer transportation|transform transmute|transition passage|transmission transmitting|transversally transversely
trap snare|traveler traveller|treasure gem|treat process|treaty pact|trembling shivering|tremendous enormous
tremendously enormously staggeringly|trespass intrude|tribute testimonial|trichrome tricolor|trooper cavalryman
troops soldiery|true admittedly|trust reliance|try attempt seek essay|tsh thyrotrophin|tub bathtub|tube tubing
tumble topple|tumor tumour|tune melody|turn bend crook|turn turning|twelve dozen|twine interlace intertwine lace
twinge pang|twist writhe squirm wriggle|typing typewriting|ulcer ulceration|unaccountable unexplainable
unanswered unrequited|unavoidable inescapable|uncertain incertain|underestimate underrate|underground belowground
underline underscore|understandable intelligible|understanding apprehension|undoubtedly doubtless|undress disrobe
uneconomical wasteful|unequivocally unambiguously|unexpectedly accidentally|unfair unjust|unfold blossom
unfortunately unluckily|unhurt unscathed|unified integrated|unique unparalleled|uniqueness singularity|unity integrity
unlikely improbable|unlovely unpicturesque|unnecessary unneeded|unobtainable unprocurable|unquestionably unimpeachably
unreflective unthinking|unshaved unshaven|unspeakable indescribable ineffable untellable|unsteadily uncertainly
untested untried|untie unlace|unwittingly inadvertently|upraised lifted|upright unsloped|uproar tumult|upward upwards
urgent pressing|use apply employ utilize|use usage utilization|usually normally commonly ordinarily|vacation holiday
vague obscure|valor heroism gallantry|vanity conceit|variety assortment potpourri|various respective
vary depart deviate|vast huge immense|vastly immensely|veer swerve curve sheer|velour velours|venture hazard
veranda verandah|verse rhyme|very identical|very real|vest enthrone|vibrant vivacious|victory triumph|view perspective
viewpoint standpoint|villain scoundrel|violate breach transgress|violation misdemeanor|violin fiddle|visual optical
vitality verve|vivid lifelike pictorial|vocabulary lexicon|volley burst salvo|voltaic galvanic
voluptuous juicy luscious|vote voting ballot|voter elector|vulgar coarse|wag waggle
wage pay salary earnings remuneration|wail howl|wait waiting|wallop whack|wander roam drift rove stray|want desire
war warfare|warlike militant|warning admonition|wash rinse|washbasin washbowl|washing wash|watching observance
water irrigate|wave beckon|way manner style fashion mode|wearily tiredly|weave interweave|wee teensy|weep cry
weird uncanny|well good|westward westwards|whip lash flog|whirl swirl twirl twiddle|whirring whir|whisky whiskey
white whiteness|whiz whir|whore prostitute|wide broad|width breadth|wiggle joggle|will volition|wind curve
winter wintertime|wiry stringy|wish wishing|wit humor|wit mentality|wizard hotshot virtuoso whiz|wonder marvel
wonderful tremendous fantastic marvelous terrific wondrous|wondrously wonderfully superbly marvelously
woods forest wood|wool woolen|world universe cosmos|worried disturbed upset|worry headache|worship revere idolize
worth deserving|wounded hurt|wrap wind|wreck wrack|write pen|writing authorship|wrong incorrect|wrong wrongly
yank yankee northerner|yard grounds|yearning longing|yelp yap|yelp yelping|yet heretofore hitherto|yield output
youthful vernal
`;

const synonyms = new Map<string, Set<string>>();
for (const group of GROUPS.trim().split(/[|\n]/)) {
  const terms = group.split(" ").map((word) => stemmer(IRREGULAR.get(word) ?? word));
  for (const term of terms) {
    const known = synonyms.get(term) ?? new Set();
    for (const other of terms) if (other !== term) known.add(other);
    synonyms.set(term, known);
  }
}

/** Returns terms that count as matches of this one. */
export function synonymsOf(term: string): ReadonlySet<string> {
  return synonyms.get(term) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
