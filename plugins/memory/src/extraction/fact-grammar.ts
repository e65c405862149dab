import type { MemoryKind } from "@parley/core";
import { normalizeThing } from "./normalize-meaning.ts";

/** A pattern for a statement that people make about themselves. */
export interface FactPattern {
  /** Key of a fact with one current value; `{}` stands for the thing, so that each thing has one value. */
  readonly fact: string | null;
  readonly kind: MemoryKind;
  readonly importance: number;
  readonly en?: RegExp;
  readonly zh?: RegExp;
  /** Text of the memory; `{}` stands for the first group, `{2}` for the second. */
  readonly statement: string;
  readonly statementZh: string;
  /** Returns false when a match is not such a fact. */
  readonly fits?: (first: string, second: string) => boolean;
  /** True when several things in one sentence are separate facts. */
  readonly isList?: true;
  /** True when the statement ends a fact: only memories of the same thing are replaced. */
  readonly endsFact?: true;
  /** Returns the text for the fact's key instead of the match. */
  readonly keyOf?: (first: string, second: string) => string;
}

export const VALUE = "([^.!?;,\\n]{1,80}?)";
export const VALUE_END =
  "(?= for (?:\\w+ )?(?:years?|months?|weeks?|now|a while)\\b|\\s+(?:and|but|because|so|since|with|now|right now|currently|these days|at the moment|any ?more|any longer|please|from now on|though|actually|by the way|too|again|yesterday|today|recently|(?:last|this|next) (?:year|month|week|summer|winter|spring|autumn|fall)|in (?:19|20)\\d\\d)\\b|[.!?;,\\n]|\\s*[\\u{1F000}-\\u{1FAFF}]|$)";
export const VALUE_ZH = "([^。！？；，、,.!?\\n]{1,40}?)";
export const VALUE_END_ZH =
  "(?=(?:了|啦|吧|呢|哦|喔|呀|啊|就好|就行|就可以)*(?:[。！？；，、,.!?\\n]|\\s*[\\u{1F000}-\\u{1FAFF}]|$))";
/** Returns a pattern for an English beginning and the value that follows it. */
export const en = (source: string) => new RegExp(`\\b${source}\\s+${VALUE}${VALUE_END}`, "iu");
/** Returns a pattern for a Chinese beginning and the value that follows it. */
export const zh = (source: string) => new RegExp(`${source}${VALUE_ZH}${VALUE_END_ZH}`, "u");

export const PARTNER = "(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?)";
export const PARTNER_ZH = "(?:妻子|老婆|太太|丈夫|老公|先生|女朋友|男朋友|女友|男友|伴侣|对象|未婚妻|未婚夫)";
/** A relative, or the boss, of whom a person has one: a new name replaces the old one. */
export const SINGLE_RELATIVE = "(?:mother|mom|mum|father|dad|boss)";
export const SINGLE_RELATIVE_ZH = "(?:妈妈|爸爸|母亲|父亲|老板)";
/** A relative of whom a person may have several. */
export const MULTIPLE_RELATIVE = "(?:sister|brother|son|daughter|child|kid|best friend|friend|uncle|aunt|cousin)";
export const MULTIPLE_RELATIVE_ZH = "(?:姐姐|妹妹|哥哥|弟弟|儿子|女儿|孩子|朋友)";
export const PET =
  "(?:dog|puppy|cat|kitten|hamster|parrot|rabbit|bunny|turtle|tortoise|horse|pony|goldfish|budgie|ferret|guinea pig|bird|snake|gecko|lizard|hedgehog)";
export const PET_ZH = "(?:狗狗?|猫猫?|小狗|小猫|仓鼠|兔子|鹦鹉|乌龟|金鱼|马|刺猬)";
export const CALLED = "(?:'s name is|'s called|is called|is named|name is|called|named)";
export const OCCUPATION =
  "(?:teacher|nurse|doctor|dentist|engineer|developer|programmer|designer|lawyer|accountant|architect|journalist|writer|editor|cook|chef|baker|waiter|waitress|barista|carpenter|plumber|electrician|mechanic|driver|pilot|farmer|gardener|librarian|translator|scientist|researcher|professor|pharmacist|therapist|psychologist|paramedic|firefighter|soldier|salesperson|cashier|manager|consultant|photographer|musician|actor|actress|artist|hairdresser|student|retiree|freelancer)";
export const OCCUPATION_ZH =
  "(?:老师|教师|护士|医生|牙医|工程师|程序员|设计师|律师|会计|建筑师|记者|作家|编辑|厨师|面包师|服务员|木匠|电工|司机|飞行员|农民|园丁|图书管理员|翻译|科学家|研究员|教授|药剂师|消防员|军人|销售|收银员|经理|顾问|摄影师|音乐家|演员|画家|学生|公务员|自由职业者)";

/** Idioms that begin like a place. */
export const NOT_A_PLACE =
  /^(?:fear|hope|peace|denial|harmony|sin|exile|misery|luxury|the (?:moment|past|future|present|now|clouds|moon|sun|dark|shadows?)|a (?:dream|bubble|castle|pineapple|cave|society|world|simulation|rush|mess)|time to time\b.*|my (?:head|own world|dreams|mind|car|bed|imagination)|another (?:world|planet|dimension)|.*\b(?:under the sea|on the moon|on mars|in space)\b|mars|space|hell|heaven|narnia|hogwarts|middle-earth|梦里|云端|月球|火星|地狱|天堂|过去|恐惧|.*(?:以后|之前|时候))/iu;
/** Phrases about when, why or how somebody works, which name no job. */
export const NOT_A_JOB =
  /^(?:an? )?(?:at |in |on |for |from |the )*(?:(?:every |the |this |each |most )?(?:night|nights|day|days|morning|mornings|evening|evenings|afternoon|weekends?|dawn|noon|midnight|moment|time|times|hours?|week|weeks|month|months|year|years|shifts?|summer|winter|holidays?)|home|my desk|a desk|my room|the office|an office|bed|peace|silence|fun|free|money|it|that|this|myself|now|a living|long hours|pairs?|teams?|a team|progress|general|vain)(?=$| (?:at|in|on|for|from|with|most|every|when|by)\b)|^(?:晚上|夜里|夜间|白天|周末|早上|上午|下午|凌晨|半夜|家里?|这里|那里|网上|线上|办公室|房间|学习|努力|认真|一起|附近)/iu;
export const NOT_A_NAME =
  /^(?:later|back|maybe|when|whenever|if|at|on|tomorrow|tonight|today|now|soon|crazy|old-?fashioned|a|an|the|anytime|any|names?|out|up|in|by|what|whatever|not|it|again|dr|mr|mrs|ms|prof|st|\d)\b|^(?:起床|起来|去|来|做|吃|喝|回|不|别|帮|给|写|说|等|滚|走|买|看|听|开|醒|早|晚|干|背|出|进|他|她|它|你|我|了|过|一|外卖|车|服务)/iu;
export const isName = (name: string) =>
  !NOT_A_NAME.test(name) &&
  (/^[\p{Script=Han}·]{1,8}$/u.test(name) ||
    /^\p{Lu}[\p{L}'.-]*(?: (?:\p{Lu}|of |de |van |von )[\p{L}'.-]*){0,3}$/u.test(name));
export const isPlace = (place: string) => !NOT_A_PLACE.test(place);
export const isJob = (job: string) => !NOT_A_JOB.test(job);
export const toPetKey = (pet: string) =>
  /狗|dog|pupp/iu.test(pet) ? "dog" : /猫|cat|kitten/iu.test(pet) ? "cat" : normalizeThing(pet);
