import type { Memory } from "@parley/core";
import { extractLocally } from "../extraction/local-facts.ts";
import { normalizeThing } from "../extraction/normalize-meaning.ts";
import { extractSincereSentences, normalizeQuotes } from "../extraction/sincere-sentences.ts";

/** A person's request to forget something. */
export interface ForgetRequest {
  /** The thing to forget in the person's words: "my birthday", "that I live in Rome". */
  readonly what: string;
  /** True when the message contains nothing else. */
  readonly isWholeMessage: boolean;
}

const POLITE =
  "(?:(?:hi|hey|hello|ok|okay|well|now|also|so|and|then|actually)[, ]+|\\p{L}+, )*(?:(?:please|pls|kindly|just|can you|could you|would you|will you|you (?:can|may|should|must)|i(?:'d| would) like you to|i (?:want|need) you to)[, ]+)*";
const ENGLISH = [
  new RegExp(`^${POLITE}(?:forget|stop remembering|don't remember|do not remember)(?: about)?\\s+(.+)$`, "iu"),
  new RegExp(`^${POLITE}(?:delete|erase|remove|wipe|clear)\\s+(.+?)\\s+from (?:your |the )?memor(?:y|ies)\\b.*$`, "iu"),
];
const POLITE_ZH = "(?:请|麻烦你?|拜托|能不能|能否|你?可以|你能|可不可以|帮我|就|以后|现在|[,，])*";
const CHINESE = [
  new RegExp(
    `^${POLITE_ZH}(?:忘掉|忘记|忘了|(?:不要|别|不用)再?记(?:住|着|得)?)(.*我.+?)(?:吧|好吗|可以吗|行吗)?$`,
    "u",
  ),
  new RegExp(
    `^${POLITE_ZH}(?:把|将)(.*我.+?)(?:从(?:你的)?记忆(?:里|中)?)?(?:忘掉|忘记|忘了|删掉|删除|抹掉)(?:吧|好吗|可以吗|行吗)?$`,
    "u",
  ),
];
/** A word that each of the forms contains; most messages have none. */
const MAY_ASK = /forget|rememb|memor|忘|记|删|抹/iu;
const ABOUT_SELF = /\b(?:my|me|i|i'm|i've|mine|our|we)\b|我/iu;
const SENTENCE = /[^.!?。！？\n]+/gu;

/** Finds a request to forget something about the sender; undefined if there is none, or if it asks not to forget. */
export function parseForgetRequest(text: string): ForgetRequest | undefined {
  if (!MAY_ASK.test(text)) return undefined;
  const sentences = [...normalizeQuotes(text).matchAll(SENTENCE)]
    .map(([one]) => one.trim())
    .filter((one) => one !== "");
  for (const sentence of sentences) {
    const found = [...ENGLISH, ...CHINESE].map((form) => form.exec(sentence)?.[1]).find((what) => what !== undefined);
    const what = found?.replace(/[\s,，]*(?:please|thanks|thank you|谢谢)$/iu, "").trim();
    if (what && ABOUT_SELF.test(what) && isMemory(what)) return { what, isWholeMessage: sentences.length === 1 };
  }
  return undefined;
}

/** Objects of "forget" that name no memory, such as the last message or a chore. */
const NOT_A_MEMORY =
  /\b(?:(?:last|previous|earlier|first) (?:message|question|request|instruction|sentence|line)|question|message|instructions?|homework|keys|umbrella)\b|上一|刚才的(?:问题|消息)/iu;
const isMemory = (what: string) => !NOT_A_MEMORY.test(what);

interface FactTopic {
  /** Matches people's words for the topic. */
  readonly namePattern: RegExp;
  /** Keys of the topic's facts; `key` also covers `key:<thing>`. */
  readonly facts: readonly string[];
  /** Matches related memories that are not such a fact. */
  readonly contentPattern: RegExp;
}

/** Topics of facts, with the words people use when they ask to forget them. */
const FACT_TOPICS: readonly FactTopic[] = [
  {
    namePattern: /birthday|b-?day|born|生日|出生/iu,
    facts: ["birthday"],
    contentPattern: /birthday|born on|生日|出生/iu,
  },
  {
    namePattern: /\bname\b|what i'm called|名字|叫什么/iu,
    facts: ["name"],
    contentPattern: /^(?:is|am) called|name is|goes by|名叫|名字/iu,
  },
  { namePattern: /\bage\b|how old|年龄|多大|几岁/iu, facts: ["age"], contentPattern: /years old|\d+岁/iu },
  {
    namePattern: /\bhome\b|\baddress\b|where (?:i|we) live|my (?:city|town)|住|地址|家在/iu,
    facts: ["home"],
    contentPattern: /\b(?:no longer )?lives? in|moved to|住在|搬到/iu,
  },
  {
    namePattern: /where i(?:'m| am| come) from|origin|老家|来自/iu,
    facts: ["origin"],
    contentPattern: /comes from|来自/iu,
  },
  {
    namePattern: /\bjob\b|\bwork\b|where i work|what i do|profession|occupation|employer|工作|职业|上班/iu,
    facts: ["work"],
    contentPattern: /\bworks?\b|\bjob\b|employed|工作|职业|上班/iu,
  },
  { namePattern: /allerg|过敏/iu, facts: ["allergy"], contentPattern: /allerg|过敏/iu },
  {
    namePattern: /\bdiet\b|what i eat|饮食|吃素/iu,
    facts: ["diet"],
    contentPattern: /vegan|vegetarian|does not eat|素|不吃/iu,
  },
  {
    namePattern:
      /partner|wife|husband|spouse|girlfriend|boyfriend|fianc|relationship|老婆|妻子|丈夫|老公|女朋友|男朋友|伴侣|对象/iu,
    facts: ["partner"],
    contentPattern: /wife|husband|partner|girlfriend|boyfriend|married|老婆|妻子|丈夫|老公|女朋友|男朋友|伴侣/iu,
  },
  {
    namePattern: /\bpets?\b|\bdogs?\b|\bcats?\b|宠物|狗|猫/iu,
    facts: ["pet", "pets", "relative:dog", "relative:cat", "relative:狗", "relative:猫"],
    contentPattern: /\b(?:dog|cat|pet|puppy|kitten)s?\b|狗|猫|宠物/iu,
  },
  {
    namePattern: /what i stud|my studies|\bmajor\b|专业|在学/iu,
    facts: ["study"],
    contentPattern: /studies|在学|专业/iu,
  },
  {
    namePattern:
      /what i (?:like|love|dislike|hate)|my (?:likes|tastes|hobbies|preferences|favou?rites)|喜好|爱好|喜欢什么|口味/iu,
    facts: ["taste", "favourite"],
    contentPattern: /^(?:dis)?likes|favou?rite|^不?喜欢/iu,
  },
];
const EVERYTHING =
  /^(?:everything|all|anything|whatever)\b.*\b(?:me|i)\b|^(?:关于)?我的?(?:一切|全部|所有)|(?:一切|全部|所有|任何).*(?:关于|有关)我|(?:关于|有关)我的(?:一切|全部|所有|事)/iu;

/** Finds the memories that a request refers to; undefined when no topic or memory matches. */
export function findMemoriesToForget(what: string, all: readonly Memory[]): readonly Memory[] | undefined {
  if (EVERYTHING.test(what)) return all;
  const statedFacts = extractLocally(toStatement(what));
  const ofStatement = all.filter((memory) => statedFacts.some((one) => statesSameFact(memory, one)));
  if (ofStatement.length > 0) return ofStatement;
  const topics = FACT_TOPICS.filter(({ namePattern }) => namePattern.test(what));
  if (topics.length > 0) return all.filter((memory) => topics.some((topic) => belongsToTopic(memory, topic)));
  const words = toKeywords(what);
  const matching =
    words.length === 0 ? [] : all.filter(({ content }) => words.every((word) => toKeywords(content).includes(word)));
  return matching.length > 0 ? matching : undefined;
}

/** Converts the request to a statement: "that I like tea" becomes one, "what I said about tea" does not. */
const toStatement = (what: string) =>
  extractSincereSentences(what.replace(/^(?:that|the fact that|how)\s+/iu, ""))
    .map(({ text }) => text)
    .join(". ");

function statesSameFact(
  { fact, content }: Memory,
  request: { readonly fact: string | null; readonly formerFact?: string; readonly content: string },
) {
  return content === request.content || (fact !== null && (fact === request.fact || fact === request.formerFact));
}

function belongsToTopic({ fact, content }: Memory, { facts, contentPattern }: FactTopic): boolean {
  if (fact !== null) return facts.some((one) => fact === one || fact.startsWith(`${one}:`));
  return contentPattern.test(content);
}

const STOP_WORDS =
  /^(?:that|the|a|an|i|i'm|i've|my|me|is|am|are|was|were|to|of|about|what|said|told|you|we|our|in|on|at|for|with|and|or|do|does|did|have|has|had|like|likes|love|loves|this|it|fact|thing|things)$/iu;

/** Returns the keywords of a text, normalized. */
function toKeywords(text: string): readonly string[] {
  const plain = normalizeQuotes(text).toLowerCase();
  const found = [...plain.matchAll(/[\p{L}\p{N}'-]+/gu)].map(([word]) => word).filter((word) => !STOP_WORDS.test(word));
  return found.map(normalizeThing);
}
