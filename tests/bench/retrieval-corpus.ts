import { hash } from "node:crypto";

/** Facts people told about themselves over two years, in two languages, and later questions in other words. */
export interface BenchPassage {
  readonly id: string;
  readonly text: string;
  /** Time in milliseconds since the epoch. */
  readonly time: number;
}
export interface BenchQuestion {
  readonly text: string;
  readonly kind: "fact" | "who" | "when" | "changed" | "several";
  /** Ids of the passages that answer it. */
  readonly gold: readonly string[];
}

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 3);

const EN = {
  name: "Mara Jonas Priya Tom Elif Henrik Lucia Akira Nadia Ines".split(" "),
  city: "Lyon Porto Leeds Ghent Turin Bergen Graz Malmö Cork Split Bremen Nantes Basel Gdansk Tartu Seville York Lodz Bari Utrecht".split(
    " ",
  ),
  shop: "bakery,florist,locksmith,tailor,bookshop,laundry,bicycle workshop".split(","),
  job: "nurse,welder,translator,gardener,accountant,tram driver,teacher,sound engineer,plumber,librarian".split(","),
  firm: "Harbour Clinic,Oak & Sons,Blue Lantern,the city archive,Norda Foods,Station Theatre,Kestrel Air".split(","),
  animal: "cat,dog,parrot,rabbit,tortoise".split(","),
  pet: "Biscuit Moss Pepper Juno Tango Olive Ziggy Cocoa Nimbus Pixel Clover Rufus Saffron Domino Fig Maple Otto Plum Quill Sable".split(
    " ",
  ),
  fear: "thunder,vacuum cleaners,balloons,the postman,umbrellas,fireworks,hats".split(","),
  food: "peanuts,shellfish,milk,strawberries,wheat,eggs,celery".split(","),
  land: "Iceland,Morocco,Japan,Peru,Norway,Vietnam,Canada,Greece,Kenya,Chile".split(","),
  item: "the camera,a front tooth,the rental car's mirror,a phone screen,the tent pole,a pair of skis".split(","),
  weekday: "Monday,Tuesday,Wednesday,Thursday,Friday,Saturday".split(","),
  instrument: "cello,accordion,drums,flute,harp,trumpet,banjo".split(","),
  teacher: "Mrs Albrecht,Mr Okafor,old Teodor,a neighbour called Sunniva,Professor Lim".split(","),
  thing:
    "second-hand piano,electric kettle,racing bike,leather sofa,telescope,sewing machine,inflatable canoe,coffee grinder".split(
      ",",
    ),
  price: [35, 48, 120, 260, 310, 415, 560, 75, 90, 640],
  seller: "a retired captain,an online auction,the flea market,her cousin,a school that closed".split(","),
  book: "The Salt Road,Winter Ledger,A Map of Rooms,The Ninth Ferry,Glass Orchard,Letters to a Lighthouse".split(","),
  hall: "the boathouse,a bowling alley,the botanical garden,a rooftop,the old mill".split(","),
  injury: "an ankle,a wrist,a knee,the left shoulder,two fingers".split(","),
  sport: "climbing,skating,playing volleyball,carrying a fridge,running for the bus,dancing".split(","),
  doctor: "Varga,Osei,Lindqvist,Moretti,Hall".split(","),
  object: "bookshelf,kennel,kayak,loft bed,greenhouse,chess table".split(","),
  stuff: "pallets,driftwood,old doors,bamboo,copper pipes".split(","),
  film: "a silent comedy,a documentary about whales,a western,a horror film,an animated musical".split(","),
  drink: "black coffee,ginger beer,oolong,tomato juice,hot chocolate".split(","),
};
const ZH: { readonly [Name in keyof typeof EN]: readonly (string | number)[] } = {
  name: "林晓雨,王建国,陈思远,赵敏,周文博,吴佳怡,徐志强,孙丽华,马天宇,朱雅婷".split(","),
  city: "昆明,青岛,厦门,成都,杭州,哈尔滨,桂林,西安,大连,拉萨,苏州,长沙,珠海,贵阳,洛阳,烟台,南宁,兰州,温州,绍兴".split(
    ",",
  ),
  shop: "面包房,花店,修锁铺,裁缝店,书店,洗衣店,自行车行".split(","),
  job: "护士,电焊工,翻译,园艺师,会计,电车司机,小学老师,录音师,水管工,图书管理员".split(","),
  firm: "海港诊所,橡木公司,蓝灯传媒,市档案馆,北方食品厂,车站剧院,红隼航空".split(","),
  animal: "猫,狗,鹦鹉,兔子,乌龟".split(","),
  pet: "豆包,团子,可乐,芝麻,元宵,布丁,橘子,雪球,奶茶,土豆,花生,小满,栗子,饭团,年糕,麻薯,汤圆,桂花,薯条,石榴".split(","),
  fear: "打雷,吸尘器,气球,邮递员,雨伞,鞭炮,帽子".split(","),
  food: "花生,虾蟹,牛奶,草莓,小麦,鸡蛋,芹菜".split(","),
  land: "冰岛,摩洛哥,日本,秘鲁,挪威,越南,加拿大,希腊,肯尼亚,智利".split(","),
  item: "相机,一颗门牙,租来的车的后视镜,手机屏幕,帐篷杆,一副滑雪板".split(","),
  weekday: "周一,周二,周三,周四,周五,周六".split(","),
  instrument: "大提琴,手风琴,架子鼓,长笛,竖琴,小号,二胡".split(","),
  teacher: "秦老师,欧阳师傅,退休的老教授,邻居苏姐,音乐学院的沈教授".split(","),
  thing: "二手钢琴,电热水壶,公路自行车,真皮沙发,天文望远镜,缝纫机,充气皮划艇,咖啡研磨机".split(","),
  price: EN.price,
  seller: "一位退休船长,网上拍卖,跳蚤市场,表妹,一所停办的学校".split(","),
  book: "《盐路》,《冬日账簿》,《房间地图》,《第九班渡轮》,《玻璃果园》,《致灯塔的信》".split(","),
  hall: "船坞,保龄球馆,植物园,天台,老磨坊".split(","),
  injury: "脚踝,手腕,膝盖,左肩,两根手指".split(","),
  sport: "攀岩,滑冰,打排球,搬冰箱,追公交车,跳舞".split(","),
  doctor: "冯医生,卢医生,段医生,白医生,江医生".split(","),
  object: "书架,狗窝,皮划艇,高架床,温室,棋桌".split(","),
  stuff: "旧托盘,漂流木,旧门板,竹子,铜管".split(","),
  film: "一部默片喜剧,一部鲸鱼纪录片,一部西部片,一部恐怖片,一部动画歌舞片".split(","),
  drink: "黑咖啡,姜汁汽水,乌龙茶,番茄汁,热巧克力".split(","),
};

type Values = Readonly<Record<keyof typeof EN | "friend" | "date" | "job2" | "firm2", string>>;
interface Topic {
  /** Sentence that contains the fact. */
  readonly en: string;
  readonly zh: string;
  readonly asked: readonly (readonly [BenchQuestion["kind"], en: string, zh: string, among?: keyof typeof EN])[];
}

const TOPICS: readonly Topic[] = [
  {
    en: "{name} moved to {city} on {date}. The new flat is right above a {shop}, so it smells of work all day.",
    zh: "{date}，{name}搬到了{city}，新家就在一家{shop}楼上，整天都能听见动静。",
    asked: [
      ["when", "When did {name} relocate to {city}?", "{name}是什么时候搬去{city}的？"],
      ["fact", "Which town does {name} live in since the move?", "{name}搬家以后住在哪座城市？"],
    ],
  },
  {
    en: "I met {name} at the market. For three years {name} has been a {job} with {firm} and likes the colleagues.",
    zh: "在集市上遇到了{name}，在{firm}当{job}已经三年了，说同事都不错。",
    asked: [["fact", "What was {name}'s profession at {firm}?", "{name}以前在{firm}做什么工作？"]],
  },
  {
    en: "News from {name}: the contract was ended, and since {date} it is a position as {job2} at {firm2} instead.",
    zh: "{name}换工作了：原来的合同到期，从{date}起改到{firm2}当{job2}。",
    asked: [["changed", "Where is {name} working now?", "{name}现在在哪里上班？"]],
  },
  {
    en: "The {animal} that {name} adopted from the shelter is called {pet}. It hides under the bed because of {fear}.",
    zh: "{name}从收容所领养的{animal}叫{pet}，一碰到{fear}就躲到床底下。",
    asked: [
      ["fact", "What name did {name} give to the adopted {animal}?", "{name}给领养的{animal}起了什么名字？"],
      ["who", "Who is the owner of {pet}?", "{pet}是谁养的？"],
      ["several", "Which people have adopted a {animal}?", "哪些人领养了{animal}？", "animal"],
    ],
  },
  {
    en: "We had to change the menu: {name} got a rash again, this time from {food}, and carries pills since then.",
    zh: "菜单得改了：{name}又起疹子了，这次是因为{food}，之后都随身带着药。",
    asked: [["fact", "Which food gives {name} a rash?", "{name}吃了什么会起疹子？"]],
  },
  {
    en: "{name} flew to {land} with {friend}. They came back sunburnt, and {item} was broken on the second day.",
    zh: "{name}和{friend}一起飞去了{land}，晒得黝黑，第二天还弄坏了{item}。",
    asked: [
      ["who", "Who accompanied {name} on the flight to {land}?", "谁陪{name}去了{land}？"],
      ["several", "Who has been flying to {land}?", "有谁去过{land}？", "land"],
    ],
  },
  {
    en: "Every {weekday} evening {name} practises the {instrument} with {teacher}; the neighbours have complained twice.",
    zh: "每到{weekday}晚上，{name}就跟着{teacher}练{instrument}，邻居已经投诉过两次。",
    asked: [
      ["when", "On what weekday does {name} have {instrument} practice?", "{name}每周哪天练{instrument}？"],
      ["who", "Who teaches {name} to play the {instrument}?", "{name}的{instrument}是跟谁学的？"],
    ],
  },
  {
    en: "{name} bought a {thing} from {seller} and paid {price} euros. It did not fit through the door.",
    zh: "{name}从{seller}那里买了{thing}，花了{price}欧元，结果进不了门。",
    asked: [["fact", "How many euros did the {thing} that {name} buys cost?", "{name}买的{thing}花了多少钱？"]],
  },
  {
    en: "{name} is reading {book} at last. {friend} gave away who did it, which led to an argument.",
    zh: "{name}终于在读{book}了，可是{friend}提前说出了结局，两人吵了一架。",
    asked: [["who", "Who spoiled {book} for {name}?", "是谁把{book}的结局告诉{name}的？"]],
  },
  {
    en: "{name}'s birthday party was on {date} at {hall}. The cake came late and everybody sang out of tune.",
    zh: "{date}在{hall}给{name}过了生日，蛋糕来晚了，大家唱得都跑调。",
    asked: [["when", "What is the date of {name}'s birthday?", "{name}的生日是哪一天？"]],
  },
  {
    en: "While {sport}, {name} hurt {injury} badly. Dr {doctor} says it takes six weeks and no lifting.",
    zh: "{name}{sport}的时候伤了{injury}，{doctor}说要养六个星期，不能提重物。",
    asked: [
      ["who", "Which doctor looked after {name}'s injury?", "{name}受伤后是哪位医生看的？"],
      ["several", "Who got hurt {sport}?", "谁在{sport}时受了伤？", "sport"],
    ],
  },
  {
    en: "{name} spent the spring building a {object} out of {stuff}. It leans a little, and nobody says so.",
    zh: "{name}花了整个春天用{stuff}做了一个{object}，有点歪，但没人说破。",
    asked: [["fact", "What material was {name}'s {object} built from?", "{name}的{object}是用什么材料做的？"]],
  },
  {
    en: "Cinema with {name} and {friend}: we saw {film}. {name} fell asleep before the first half was over.",
    zh: "和{name}、{friend}去看电影，看的是{film}，{name}前半场就睡着了。",
    asked: [["fact", "What kind of film made {name} sleep?", "{name}看什么电影时睡着了？"]],
  },
  {
    en: "{name} drinks only {drink} in the morning and will not talk before the second cup.",
    zh: "{name}早上只喝{drink}，第二杯之前谁也别搭话。",
    asked: [["fact", "What is {name} drinking for breakfast?", "{name}早晨喝什么？"]],
  },
  {
    en: "{name} has promised to lend {friend} the {thing} until {date}, though they had quarrelled about the last loan.",
    zh: "{name}答应把{thing}借给{friend}用到{date}，虽然上次借东西两人闹过别扭。",
    asked: [["when", "Until when may {friend} keep what {name} lends?", "{name}借给{friend}的东西要用到什么时候？"]],
  },
];

/** Small talk of the same people, which no question is about. */
const CHATTER: readonly { readonly en: string; readonly zh: string }[] = [
  {
    en: "{name} says the weather in {city} has been dreadful and asks whether anyone has a spare umbrella.",
    zh: "{name}说{city}的天气糟透了，问谁有多余的雨伞。",
  },
  {
    en: "Talked with {name} about doctors in general: everybody waits too long for an appointment these days.",
    zh: "和{name}聊起看病，现在谁预约都要等很久。",
  },
  {
    en: "{name} dreamt of being a {job} as a child, and laughs about it.",
    zh: "{name}说小时候梦想当{job}，现在想起来就笑。",
  },
  {
    en: "{name} wonders if a {animal} would be too much work for somebody who is never home.",
    zh: "{name}在想，总不在家的人养{animal}会不会太累。",
  },
  {
    en: "Somebody left {food} on the table and {name} put it away without a word.",
    zh: "有人把{food}忘在桌上，{name}一声不响地收了起来。",
  },
  {
    en: "{name} sent pictures of {land} from a magazine: maybe one day, when there is money for it.",
    zh: "{name}发来杂志上{land}的照片，说等有钱了再说。",
  },
  {
    en: "The {instrument} in the window is too dear, {name} thinks; {friend} disagrees.",
    zh: "{name}觉得橱窗里的{instrument}太贵，{friend}不同意。",
  },
  {
    en: "{name} and {friend} compared prices of a {thing} for an hour and went home with nothing.",
    zh: "{name}和{friend}比了一个小时{thing}的价格，最后空手回家。",
  },
  {
    en: "{friend} recommended {book} to {name}, who has no time to read before the summer.",
    zh: "{friend}向{name}推荐{book}，可是夏天之前没时间看。",
  },
  {
    en: "There was a concert at {hall} on {date}; {name} heard it from outside.",
    zh: "{date}在{hall}有一场音乐会，{name}在外面听的。",
  },
  {
    en: "{name} watched others {sport} and was glad to sit on the bench with {drink}.",
    zh: "{name}看别人{sport}，自己捧着{drink}坐在长椅上。",
  },
  {
    en: "{name} keeps {stuff} in the cellar because one never knows.",
    zh: "{name}在地下室里攒着{stuff}，说总会用上。",
  },
  {
    en: "{firm} has put up a new sign, and {name} cannot stop making jokes about the lettering.",
    zh: "{firm}换了新招牌，{name}一直拿那字体开玩笑。",
  },
  {
    en: "{name} was late on {weekday} again; {friend} had already eaten both portions.",
    zh: "{name}{weekday}又迟到了，{friend}已经把两份都吃了。",
  },
  {
    en: "On {date} {name} wrote only: call me, it is about the {shop}.",
    zh: "{date}{name}只写了一句：给我打电话，是{shop}的事。",
  },
];
const EN_MONTHS = "January February March April May June July August September October November December".split(" ");

/** Number of questions of each kind per topic and language. */
const ASKED_OF = 4;

export function retrievalCorpus(): {
  readonly passages: readonly BenchPassage[];
  readonly questions: readonly BenchQuestion[];
} {
  const passages: BenchPassage[] = [];
  const questions: BenchQuestion[] = [];
  for (const language of ["en", "zh"] as const) {
    const words = language === "en" ? EN : ZH;
    CHATTER.forEach((one, at) => {
      const number = TOPICS.length + at;
      words.name.forEach((_, person) => {
        const text = fillTemplate(one[language], pickValues(words, language, number, person));
        passages.push({ id: `${language}-${number}-${person}`, text, time: pickTime(number, person) });
      });
    });
    TOPICS.forEach((topic, number) => {
      const facts = words.name.map((_, person) => {
        const values = pickValues(words, language, number, person);
        const id = `${language}-${number}-${person}`;
        passages.push({ id, text: fillTemplate(topic[language], values), time: pickTime(number, person) });
        return { id, values };
      });
      for (const [at, [kind, en, zh, among]] of topic.asked.entries()) {
        for (let count = 0; count < ASKED_OF; count += 1) {
          const one = facts[(count * 7 + number + at * 3) % facts.length] as (typeof facts)[number];
          const gold = among ? facts.filter(({ values }) => values[among] === one.values[among]) : [one];
          const text = fillTemplate(language === "en" ? en : zh, one.values);
          if (!questions.some((other) => other.text === text))
            questions.push({ text, kind, gold: gold.map(({ id }) => id) });
        }
      }
    });
  }
  return { passages, questions };
}

function pickTime(topic: number, person: number): number {
  return START + ((topic * 41 + person * 17) % 700) * DAY;
}

function pickValues(words: typeof ZH, language: "en" | "zh", topic: number, person: number): Values {
  // Pseudo-random, so that values do not correlate, and the same in every run.
  const pick = (list: readonly (string | number)[], what: string) =>
    String(list[hash("md5", `${topic} ${person} ${what}`, "buffer").readUInt32LE(0) % list.length]);
  const date = new Date(pickTime(topic, person));
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const values = Object.fromEntries(Object.entries(words).map(([name, list]) => [name, pick(list, name)]));
  const others = words.name.filter((_, other) => other !== person);
  return {
    ...values,
    name: String(words.name[person]),
    friend: pick(others, "friend"),
    job2: pick(words.job, "job2"),
    firm2: pick(words.firm, "firm2"),
    date: language === "en" ? `${day} ${EN_MONTHS[month]} ${year}` : `${year}年${month + 1}月${day}日`,
  } as Values;
}

function fillTemplate(template: string, values: Values): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: keyof Values) => values[name]);
}
