import type { MemoryKind } from "@parley/core";
import { thingOf } from "./meaning.ts";

/** What people say of themselves, by its form. */
export interface FactPattern {
  /** What it says something of, where only one thing can be true; with `{}`: one for each thing. */
  readonly fact: string | null;
  readonly kind: MemoryKind;
  readonly importance: number;
  readonly en?: RegExp;
  readonly zh?: RegExp;
  /** `{}` is what the first group found, `{2}` the second. */
  readonly say: string;
  readonly sayZh: string;
  /** False: what was found is no such thing. */
  readonly fits?: (first: string, second: string) => boolean;
  /** Several things in one sentence are several facts. */
  readonly isList?: true;
  /** It says that something is no longer so: only what names the same thing gives way. */
  readonly isEnd?: true;
  /** The fact's key is made of this in place of what was found. */
  readonly keyOf?: (first: string, second: string) => string;
}

const WHAT = "([^.!?;,\\n]{1,80}?)";
const UNTIL =
  "(?=\\s+(?:and|but|because|so|since|with|now|right now|currently|these days|at the moment|any ?more|any longer|please|from now on|though|actually|by the way|too|again|yesterday|today|recently|(?:last|this|next) (?:year|month|week|summer|winter|spring|autumn|fall)|in (?:19|20)\\d\\d)\\b|[.!?;,\\n]|\\s*[\\u{1F000}-\\u{1FAFF}]|$)";
const WHAT_ZH = "([^。！？；，、,.!?\\n]{1,40}?)";
const UNTIL_ZH = "(?=(?:了|啦|吧|呢|哦|喔|呀|啊)*(?:[。！？；，、,.!?\\n]|\\s*[\\u{1F000}-\\u{1FAFF}]|$))";
const en = (source: string) => new RegExp(`\\b${source}\\s+${WHAT}${UNTIL}`, "iu");
const zh = (source: string) => new RegExp(`${source}${WHAT_ZH}${UNTIL_ZH}`, "u");

const PARTNER = "(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?)";
const PARTNER_ZH = "(?:妻子|老婆|太太|丈夫|老公|先生|女朋友|男朋友|女友|男友|伴侣|对象|未婚妻|未婚夫)";
const RELATIVE = "(?:mother|mom|mum|father|dad|boss)";
const RELATIVE_ZH = "(?:妈妈|爸爸|母亲|父亲|老板)";
const SEVERAL = "(?:sister|brother|son|daughter|child|kid|best friend|friend|uncle|aunt|cousin)";
const SEVERAL_ZH = "(?:姐姐|妹妹|哥哥|弟弟|儿子|女儿|孩子|朋友)";
const PET =
  "(?:dog|puppy|cat|kitten|hamster|parrot|rabbit|bunny|turtle|tortoise|horse|pony|goldfish|budgie|ferret|guinea pig|bird|snake|gecko|lizard|hedgehog)";
const PET_ZH = "(?:狗狗?|猫猫?|小狗|小猫|仓鼠|兔子|鹦鹉|乌龟|金鱼|马|刺猬)";
const CALLED = "(?:'s name is|'s called|is called|is named|name is|called|named)";
const OCCUPATION =
  "(?:teacher|nurse|doctor|dentist|engineer|developer|programmer|designer|lawyer|accountant|architect|journalist|writer|editor|cook|chef|baker|waiter|waitress|barista|carpenter|plumber|electrician|mechanic|driver|pilot|farmer|gardener|librarian|translator|scientist|researcher|professor|pharmacist|therapist|psychologist|paramedic|firefighter|soldier|salesperson|cashier|manager|consultant|photographer|musician|actor|actress|artist|hairdresser|student|retiree|freelancer)";
const OCCUPATION_ZH =
  "(?:老师|教师|护士|医生|牙医|工程师|程序员|设计师|律师|会计|建筑师|记者|作家|编辑|厨师|面包师|服务员|木匠|电工|司机|飞行员|农民|园丁|图书管理员|翻译|科学家|研究员|教授|药剂师|消防员|军人|销售|收银员|经理|顾问|摄影师|音乐家|演员|画家|学生|公务员|自由职业者)";

/** No place: idioms. */
const NO_PLACE =
  /^(?:fear|hope|peace|denial|harmony|sin|exile|misery|luxury|the (?:moment|past|future|present|now|clouds|moon|sun|dark|shadows?)|a (?:dream|bubble|castle|pineapple|cave|society|world|simulation|rush|mess)|my (?:head|own world|dreams|mind|car|bed|imagination)|another (?:world|planet|dimension)|.*\b(?:under the sea|on the moon|on mars|in space)\b|mars|space|hell|heaven|narnia|hogwarts|middle-earth|梦里|云端|月球|火星|地狱|天堂|过去|恐惧|.*(?:以后|之前|时候))/iu;
/** When, why or how somebody works is no job. */
const NO_JOB =
  /^(?:an? )?(?:at |in |on |for |from |the )*(?:(?:every |the |this |each |most )?(?:night|nights|day|days|morning|mornings|evening|evenings|afternoon|weekends?|dawn|noon|midnight|moment|time|times|hours?|week|weeks|month|months|year|years|shifts?|summer|winter|holidays?)|home|my desk|a desk|my room|the office|an office|bed|peace|silence|fun|free|money|it|that|this|myself|now|a living|long hours|pairs?|teams?|a team|progress|general|vain)(?=$| (?:at|in|on|for|from|with|most|every|when|by)\b)|^(?:晚上|夜里|夜间|白天|周末|早上|上午|下午|凌晨|半夜|家里?|这里|那里|网上|线上|办公室|房间|学习|努力|认真|一起|附近)/iu;
const NO_NAME =
  /^(?:later|back|maybe|when|whenever|if|at|on|tomorrow|tonight|today|now|soon|crazy|old-?fashioned|a|an|the|anytime|any|names?|out|up|in|by|what|whatever|not|it|again|dr|mr|mrs|ms|prof|st|\d)\b|^(?:起床|起来|去|来|做|吃|喝|回|不|别|帮|给|写|说|等|滚|走|买|看|听|开|醒|早|晚|干|背|出|进|他|她|它|你|我|了|过|一|外卖|车|服务)/iu;
const isName = (name: string) =>
  !NO_NAME.test(name) &&
  (/^[\p{Script=Han}·]{1,8}$/u.test(name) ||
    /^\p{Lu}[\p{L}'.-]*(?: (?:\p{Lu}|of |de |van |von )[\p{L}'.-]*){0,3}$/u.test(name));
const isPlace = (place: string) => !NO_PLACE.test(place);
const isJob = (job: string) => !NO_JOB.test(job);
const petOf = (pet: string) => (/狗|dog|pupp/iu.test(pet) ? "dog" : /猫|cat|kitten/iu.test(pet) ? "cat" : thingOf(pet));

/** Each message is held against all of them; what ends something stands before what begins it. */
export const PATTERNS: readonly FactPattern[] = [
  {
    fact: "name",
    kind: "fact",
    importance: 9,
    en: /(?:\bmy (?:full |real |first )?name(?:'s| is)(?: now)?|(?:^|[,;:]\s*|\b(?:please|just|you (?:can|may|could|should)|so|but|and|now|hi|hello|hey)[, ]\s*)call me)\s+([^.!?;,\n]{1,60}?)(?=\s+(?:and|but|because|so|now|please|from now on|instead|for short|btw|though|actually)\b|[.!?;,\n]|\s*[\u{1F000}-\u{1FAFF}]|$)/iu,
    zh: zh(
      "(?:(?:^|[，,。！!；;\\s])(?:你好|嗨|大家好)?我(?:现在|其实)?(?:叫做?|的名字(?:是|叫))|(?:^|[，,。！!；;\\s])(?:请|可以|就|以后|你可以|你就|以后请|以后就)*叫我)",
    ),
    say: "Is called {}",
    sayZh: "名叫{}",
    fits: isName,
  },
  {
    fact: "home",
    kind: "fact",
    importance: 8,
    isEnd: true,
    en: en(
      "(?:I(?:'m| am)? (?:no longer|not) liv(?:e|ing) in|I (?:don't|do not) live in|I(?:'ve| have)? (?:just )?(?:moved (?:away|out) (?:from|of)|left))(?=[^.!?]*\\b(?:any ?more|any longer|moved|no longer|left)\\b|)",
    ),
    zh: zh("我(?:已经|现在)?(?:不再|不)住在?(?=[^。！？]*了)"),
    say: "No longer lives in {}",
    sayZh: "不再住在{}",
    fits: isPlace,
  },
  {
    fact: "home",
    kind: "fact",
    importance: 8,
    en: en(
      "(?:I(?:'ve| have)?(?: just| recently| finally| now)? moved (?:here )?(?:from [\\p{L} ]{2,30} )?to|I(?:'m| am)?(?: now| currently| still| actually)? ?liv(?:e|ing)(?: now| currently)? in|I(?:'m| am)(?: now| currently)? based in|my (?:new )?home is(?: now)? in)",
    ),
    zh: zh("我(?:们)?(?:现在|目前|如今|刚刚?|已经|又|最近)*(?:住在|住|搬到|搬去|搬家到|定居在?)(?!了|得|的|过|址)"),
    say: "Lives in {}",
    sayZh: "住在{}",
    fits: isPlace,
  },
  {
    fact: "origin",
    kind: "fact",
    importance: 6,
    en: en("(?:I(?:'m| am) (?:originally )?from|I come from|I grew up in|I was born in)"),
    zh: zh("(?:我来自|我老家(?:是|在)?|我出生在)"),
    say: "Comes from {}",
    sayZh: "来自{}",
    fits: (place) => isPlace(place) && !/^\d/.test(place),
  },
  {
    fact: "work",
    kind: "fact",
    importance: 7,
    isEnd: true,
    en: en(
      "(?:I(?:'m| am)? (?:no longer|not) work(?:ing)? (?:as|at|for|in)|I (?:don't|do not) work (?:as|at|for|in)|I(?:'ve| have)? (?:just )?(?:quit|left) my job (?:as|at)|I(?:'m| am) no longer)",
    ),
    zh: zh("我(?:已经|现在)?(?:不再|不)(?:在|当|做)(?=[^。！？]*了)"),
    say: "No longer works as or at {}",
    sayZh: "不再从事：{}",
    fits: (job) =>
      isJob(job) &&
      /^(?:an? )?\p{L}/iu.test(job) &&
      !/^(?:vegan|vegetarian|allergic|single|married|sure|afraid)\b/iu.test(job),
  },
  {
    fact: "work",
    kind: "fact",
    importance: 7,
    isEnd: true,
    en: /\bI(?:'ve| have)?(?: just| recently)? (quit my job|lost my job|got fired|retired|been laid off|been fired|quit)(?=[.!,;\n]|$| and| last| today| yesterday)/iu,
    zh: /我(?:刚|已经|昨天|上周)?(辞职|失业|退休|被裁员?)了/u,
    say: "Is not in the earlier job any more: {}",
    sayZh: "不在原来的工作了：{}",
    keyOf: () => "",
  },
  {
    fact: "work",
    kind: "fact",
    importance: 7,
    en: en(
      "(?:I(?:'m| am)?(?: now| currently| still)? ?work(?:ing)?(?: now| currently)? (?:as|at|for|in)|I(?:'ve| have)?(?: just| recently)? (?:started (?:working |a (?:new )?job )?(?:as|at)|joined|got a (?:new )?job (?:as|at)|become|became)(?= (?:an? )?[\\p{L}\\d])|my (?:new )?job is(?: now)?)",
    ),
    zh: zh("我(?:现在|目前|如今|已经)?(?:的(?:新)?工作是|的职业是|在(?=[^。，]*(?:工作|上班)))"),
    say: "Works as or at {}",
    sayZh: "工作：{}",
    fits: (job) => isJob(job) && !/^(?:vegan|vegetarian|pescatarian)\b/iu.test(job),
  },
  {
    fact: "work",
    kind: "fact",
    importance: 7,
    en: new RegExp(
      `\\bI(?:'m| am)(?: now| currently)? ((?:an? )(?:\\p{L}+ ){0,2}${OCCUPATION})(?= now|[.!,;\\n]|$| and| at| in| by)`,
      "iu",
    ),
    zh: new RegExp(
      `我(?:现在|目前|如今|已经)?(?:是|当|做)(?:了)?(?:一?[名个位])?([^。！？，、的]{0,6}${OCCUPATION_ZH})${UNTIL_ZH}`,
      "u",
    ),
    say: "Works as or at {}",
    sayZh: "工作：{}",
  },
  {
    fact: "age",
    kind: "fact",
    importance: 6,
    en: /\bI(?:'m| am| just turned)(?: now)? (\d{1,3})(?: years old)?(?=[.!,;\n]|$| and| now)/iu,
    zh: /我(?:今年|已经|现在)*(\d{1,3})岁/u,
    say: "Is {} years old",
    sayZh: "{}岁",
    fits: (age) => Number(age) < 130,
  },
  {
    fact: "birthday",
    kind: "fact",
    importance: 8,
    en: new RegExp(
      `(?:\\bmy (?:birthday|bday|b-day)(?:'s| is)(?: on)?|\\bI was born on)\\s+${WHAT}(?=[.!?;\\n]|,(?! \\d{4})|$| and| but| so)`,
      "iu",
    ),
    zh: new RegExp(`我的?生日(?:是|在|：|:)${WHAT_ZH}${UNTIL_ZH}|我是([^。，]{2,20}?)出生的`, "u"),
    say: "Has birthday on {}",
    sayZh: "生日是{}",
    fits: (day) =>
      /\d|[一二三四五六七八九十]月|january|february|march|april|may|june|july|august|september|october|november|december|christmas|eve|new year|tomorrow|today/iu.test(
        day,
      ),
  },
  {
    fact: "study",
    kind: "fact",
    importance: 6,
    en: en("I(?:'m| am)?(?: now| currently)? study(?:ing)?"),
    zh: zh("我(?:在学|学的是|读的是|的专业是)"),
    say: "Studies {}",
    sayZh: "在学{}",
    fits: isJob,
  },
  {
    fact: "allergy:{}",
    kind: "fact",
    importance: 9,
    isEnd: true,
    isList: true,
    en: en("I(?:'m| am) (?:not|no longer) allergic to"),
    zh: zh("我(?:已经|现在)?(?:不再|不)对(?=[^。，]*过敏)"),
    say: "Is not allergic to {}",
    sayZh: "不对{}",
  },
  {
    fact: "allergy:{}",
    kind: "fact",
    importance: 9,
    isList: true,
    en: /\bI(?:(?:'m| am)(?: \w+ly| very| also| actually| deathly)? allergic to|(?:'ve| have)(?: got)? (?:a (?:severe |bad )?)?allerg(?:y|ies) to)\s+([^.!?;\n]{1,80}?)(?=\s+(?:but|because|so|since|now|these days|though|please)\b|[.!?;\n]|\s*[\u{1F000}-\u{1FAFF}]|$)/iu,
    zh: zh("我(?:们)?(?:从小|一直|也)?对(?=[^。，]*过敏)"),
    say: "Is allergic to {}",
    sayZh: "对{}",
    fits: (thing) =>
      !/^(?:work|mondays?|stupidity|people|bullshit|nonsense|responsibility|drama|idiots?|fun)$/iu.test(thing),
  },
  {
    fact: "allergy:{}",
    kind: "fact",
    importance: 9,
    en: /\bI(?:'ve| have)(?: got)? an? (?:severe |bad |terrible )?(\p{L}+(?: \p{L}+)?) allergy\b/iu,
    say: "Is allergic to {}",
    sayZh: "对{}过敏",
  },
  {
    fact: "diet",
    kind: "preference",
    importance: 7,
    isEnd: true,
    en: /\bI(?:'m| am) (?:no longer|not)(?: an?)? (vegan|vegetarian|pescatarian)\b/iu,
    zh: /我(?:已经|现在)?不再?(?:是|吃)(素食者|素食主义者|纯素|素)了?/u,
    say: "Is no longer {}",
    sayZh: "不再是{}",
  },
  {
    fact: "diet",
    kind: "preference",
    importance: 7,
    en: /\bI(?:'m| am|'ve (?:become|gone|turned)| (?:became|went|turned)| have (?:become|gone|turned))(?: now)? (?:a |an )?(?:strict )?(vegan|vegetarian|pescatarian|lactose intolerant|gluten[- ]free)\b/iu,
    zh: /我(?:现在|已经|一直|改)*(?:是|吃|开始吃)?(素食者|素食主义者|纯素|吃素)/u,
    say: "Is {}",
    sayZh: "{}",
  },
  {
    fact: "diet",
    kind: "preference",
    importance: 7,
    en: /\bI (?:don't|do not|can't|cannot|no longer|stopped) (?:eat(?:ing)?) (meat|pork|beef|gluten|fish|dairy|animal products)\b/iu,
    zh: /我(?:现在|从来|已经)?(?:不吃|戒了?)(肉|猪肉|牛肉|海鲜|奶制品|麸质)/u,
    say: "Does not eat {}",
    sayZh: "不吃{}",
  },
  {
    fact: "partner",
    kind: "relation",
    importance: 7,
    en: /\bI(?:'m| am)(?: now| currently)? (single|divorced|widowed)(?=[.!,;\n]|$| again| now| and)|\b(?:my (?:wife|husband|partner|girlfriend|boyfriend) and I|we) (broke up|split up|got divorced|are divorced)\b/iu,
    zh: /我(?:现在|又|已经)?(?:是)?(单身|离婚|分手)了?/u,
    say: "Has no partner at present: {}",
    sayZh: "目前没有伴侣：{}",
  },
  {
    fact: "partner",
    kind: "relation",
    importance: 7,
    en: new RegExp(
      `\\bI(?:'m| am| got|'ve been)(?: now| currently)? (married to|engaged to|dating)\\s+${WHAT}${UNTIL}`,
      "iu",
    ),
    say: "Is {} {2}",
    sayZh: "",
    fits: (_, name) => isName(name),
  },
  {
    fact: "partner",
    kind: "relation",
    importance: 7,
    en: new RegExp(`\\bmy (${PARTNER}) ?${CALLED}\\s+${WHAT}${UNTIL}`, "iu"),
    zh: new RegExp(`我的?(${PARTNER_ZH})(?:叫做?|名叫|的名字是)${WHAT_ZH}${UNTIL_ZH}`, "u"),
    say: "Has a {} called {2}",
    sayZh: "{}叫{2}",
    fits: (_, name) => isName(name),
  },
  {
    fact: "relative:{}",
    kind: "relation",
    importance: 7,
    en: new RegExp(`\\bmy (${RELATIVE}) ?${CALLED}\\s+${WHAT}${UNTIL}`, "iu"),
    zh: new RegExp(`我的?(${RELATIVE_ZH})(?:叫做?|名叫|的名字是)${WHAT_ZH}${UNTIL_ZH}`, "u"),
    say: "Has a {} called {2}",
    sayZh: "{}叫{2}",
    fits: (_, name) => isName(name),
  },
  {
    fact: "relative:{}",
    kind: "relation",
    importance: 7,
    en: new RegExp(
      `\\bmy (?:other |older |younger |big |little |second |first )?(${SEVERAL}) ?${CALLED}\\s+${WHAT}${UNTIL}`,
      "iu",
    ),
    zh: new RegExp(`我的?(?:大|小|二)?(${SEVERAL_ZH})(?:叫做?|名叫|的名字是)${WHAT_ZH}${UNTIL_ZH}`, "u"),
    say: "Has a {} called {2}",
    sayZh: "{}叫{2}",
    fits: (_, name) => isName(name),
    keyOf: (kin, name) => `${thingOf(kin)}:${thingOf(name)}`,
  },
  {
    fact: "pet:{}",
    kind: "relation",
    importance: 7,
    en: new RegExp(
      `\\b(?:my (?:other |new |old |second |first |little )?|I(?:'ve got| have(?: got)?| own| adopted| got)(?: also)? (?:a|an|another) (?:\\p{L}+ )?)(${PET}),? ?${CALLED}\\s+${WHAT}${UNTIL}`,
      "iu",
    ),
    zh: new RegExp(
      `我(?:的|家的?|养了?一[只条]|有一[只条]|家有一[只条])?(?:另一[只条])?(${PET_ZH})，?(?:叫做?|名叫|的名字是)${WHAT_ZH}${UNTIL_ZH}`,
      "u",
    ),
    say: "Has a {} called {2}",
    sayZh: "{}叫{2}",
    keyOf: (pet, name) => `${petOf(pet)}:${thingOf(name)}`,
  },
  {
    fact: "pets:{}",
    kind: "relation",
    importance: 6,
    en: new RegExp(
      `\\b(?:I(?:'ve got| have(?: got)?| own)|there are)(?: now)? ((?:two|three|four|five|six|several|many|\\d{1,2}) (?:\\p{L}+ )?${PET.replace("puppy", "pupp(?:y|ie)")}s)(,? (?:called|named) [\\p{L} ,]{2,60}?)?(?=[.!;\\n]|$| but| so| at home)`,
      "iu",
    ),
    zh: new RegExp(
      `我(?:们|家)?(?:现在)?(?:养了?|有)([两二三四五六\\d几]+[只条]${PET_ZH})((?:，|,)?(?:名字|分别)?叫[^。！？\\n]{1,30}?)?(?=[。！？；\\n]|$)`,
      "u",
    ),
    say: "Has {} {2}",
    sayZh: "养了{}{2}",
    keyOf: (pets) => petOf(pets),
  },
  {
    fact: "pets:{}",
    kind: "relation",
    importance: 6,
    en: new RegExp(`\\bmy ((?:\\p{L}+ )?${PET}s) are (?:called|named)\\s+([\\p{L} ,]{2,60}?)(?=[.!;\\n]|$| but)`, "iu"),
    say: "Has {} called {2}",
    sayZh: "养了{}，叫{2}",
    keyOf: (pets) => petOf(pets),
  },
  {
    fact: "favourite:{}",
    kind: "preference",
    importance: 6,
    en: new RegExp(`\\bmy favou?rite ([a-z ]{2,30}?) is ${WHAT}${UNTIL}`, "iu"),
    zh: new RegExp(`我最(?:喜欢|爱)的([^是，。]{1,12})是${WHAT_ZH}${UNTIL_ZH}`, "u"),
    say: "Favourite {}: {2}",
    sayZh: "最喜欢的{}是{2}",
  },
  {
    fact: "taste:{}",
    kind: "preference",
    importance: 5,
    en: en(
      "I(?: (?:really |absolutely |do |also |just |still |truly |totally )?(?:like|love|enjoy|adore)|(?:'m| am) (?:\\w+ly |so |a (?:big |huge )?)?(?:crazy about|fond of|fan of|into|in love with|keen on|obsessed with)| (?:can't|cannot) get enough of)",
    ),
    zh: zh("我(?:也|真的?|一直|还|就|可)?(?:很|非常|特别|最|超级?|十分|挺|好)?(?:喜欢|爱|热爱|迷上了?|喜爱)(?!的|上)"),
    say: "Likes {}",
    sayZh: "喜欢{}",
    fits: (thing) =>
      !/^(?:you|it|that|this|him|her|them|how|when|to think|to know|你|他|她|它|这样|这个)(?:\b|$)/iu.test(thing),
  },
  {
    fact: "taste:{}",
    kind: "preference",
    importance: 5,
    en: en(
      "I (?:really |absolutely |also |just |truly )?(?:hate|dislike|detest|can't stand|cannot stand|don't like|do not like|don't enjoy|no longer like)",
    ),
    zh: zh("我(?:也|真的?|一直)?(?:很|非常|特别|最)?(?:讨厌|不喜欢|不爱|受不了|不再喜欢)"),
    say: "Dislikes {}",
    sayZh: "不喜欢{}",
    fits: (thing) => !/^(?:you|it|that|this|him|her|them|how|when|你|他|她|它|这样)(?:\b|$)/iu.test(thing),
  },
  {
    fact: null,
    kind: "other",
    importance: 8,
    en: /\b(?:please )?remember(?: that|:)\s+([^\n]{3,300})/iu,
    zh: /(?:请|帮我)?记住[:：，,]?([^\n]{2,200})/u,
    say: "{}",
    sayZh: "{}",
  },
];
