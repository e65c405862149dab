import type { Memory } from "@parley/core";
import { sentencesInEarnest, withPlainQuotes } from "./in-earnest.ts";
import { localFindings } from "./local-facts.ts";
import { thingOf } from "./meaning.ts";

/** Something that people ask to be forgotten. */
export interface ForgetRequest {
  /** In their words: "my birthday", "that I live in Rome". */
  readonly what: string;
  /** Nothing else is said in the message. */
  readonly isAll: boolean;
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
const OF_ONESELF = /\b(?:my|me|i|i'm|i've|mine|our|we)\b|我/iu;
const SENTENCE = /[^.!?。！？\n]+/gu;

/** Finds a request to forget in a message; undefined where there is none, or where it asks not to forget. */
export function forgetRequestIn(text: string): ForgetRequest | undefined {
  const sentences = [...withPlainQuotes(text).matchAll(SENTENCE)]
    .map(([one]) => one.trim())
    .filter((one) => one !== "");
  for (const sentence of sentences) {
    const found = [...ENGLISH, ...CHINESE].map((form) => form.exec(sentence)?.[1]).find((what) => what !== undefined);
    const what = found?.replace(/[\s,，]*(?:please|thanks|thank you|谢谢)$/iu, "").trim();
    if (what && OF_ONESELF.test(what) && isOwn(what)) return { what, isAll: sentences.length === 1 };
  }
  return undefined;
}

/** Objects of "forget" that name no memory, such as the last message or a chore. */
const NOT_OF_MEMORY =
  /\b(?:(?:last|previous|earlier|first) (?:message|question|request|instruction|sentence|line)|question|message|instructions?|homework|keys|umbrella)\b|上一|刚才的(?:问题|消息)/iu;
const isOwn = (what: string) => !NOT_OF_MEMORY.test(what);

interface Slot {
  /** How people name it. */
  readonly named: RegExp;
  /** Facts of it: the fact itself and those of each thing. */
  readonly facts: readonly string[];
  /** What says something of it without being such a fact. */
  readonly told: RegExp;
}

/** The words by which people name a fact when they ask to forget it. */
const SLOTS: readonly Slot[] = [
  { named: /birthday|b-?day|born|生日|出生/iu, facts: ["birthday"], told: /birthday|born on|生日|出生/iu },
  {
    named: /\bname\b|what i'm called|名字|叫什么/iu,
    facts: ["name"],
    told: /^(?:is|am) called|name is|goes by|名叫|名字/iu,
  },
  { named: /\bage\b|how old|年龄|多大|几岁/iu, facts: ["age"], told: /years old|\d+岁/iu },
  {
    named: /\bhome\b|\baddress\b|where (?:i|we) live|my (?:city|town)|住|地址|家在/iu,
    facts: ["home"],
    told: /\b(?:no longer )?lives? in|moved to|住在|搬到/iu,
  },
  { named: /where i(?:'m| am| come) from|origin|老家|来自/iu, facts: ["origin"], told: /comes from|来自/iu },
  {
    named: /\bjob\b|\bwork\b|where i work|what i do|profession|occupation|employer|工作|职业|上班/iu,
    facts: ["work"],
    told: /\bworks?\b|\bjob\b|employed|工作|职业|上班/iu,
  },
  { named: /allerg|过敏/iu, facts: ["allergy"], told: /allerg|过敏/iu },
  { named: /\bdiet\b|what i eat|饮食|吃素/iu, facts: ["diet"], told: /vegan|vegetarian|does not eat|素|不吃/iu },
  {
    named:
      /partner|wife|husband|spouse|girlfriend|boyfriend|fianc|relationship|老婆|妻子|丈夫|老公|女朋友|男朋友|伴侣|对象/iu,
    facts: ["partner"],
    told: /wife|husband|partner|girlfriend|boyfriend|married|老婆|妻子|丈夫|老公|女朋友|男朋友|伴侣/iu,
  },
  {
    named: /\bpets?\b|\bdogs?\b|\bcats?\b|宠物|狗|猫/iu,
    facts: ["pet", "pets", "relative:dog", "relative:cat", "relative:狗", "relative:猫"],
    told: /\b(?:dog|cat|pet|puppy|kitten)s?\b|狗|猫|宠物/iu,
  },
  { named: /what i stud|my studies|\bmajor\b|专业|在学/iu, facts: ["study"], told: /studies|在学|专业/iu },
  {
    named:
      /what i (?:like|love|dislike|hate)|my (?:likes|tastes|hobbies|preferences|favou?rites)|喜好|爱好|喜欢什么|口味/iu,
    facts: ["taste", "favourite"],
    told: /^(?:dis)?likes|favou?rite|^不?喜欢/iu,
  },
];
const EVERYTHING =
  /^(?:everything|all|anything|whatever)\b.*\b(?:me|i)\b|^(?:关于)?我的?(?:一切|全部|所有)|(?:一切|全部|所有|任何).*(?:关于|有关)我|(?:关于|有关)我的(?:一切|全部|所有|事)/iu;

/** Which of somebody's memories they mean; undefined: nothing that is known by its name, nor anything that fits. */
export function askedToForget(what: string, all: readonly Memory[]): readonly Memory[] | undefined {
  if (EVERYTHING.test(what)) return all;
  const said = localFindings(statementIn(what));
  const ofStatement = all.filter((memory) => said.some((one) => isSame(memory, one)));
  if (ofStatement.length > 0) return ofStatement;
  const slots = SLOTS.filter(({ named }) => named.test(what));
  if (slots.length > 0) return all.filter((memory) => slots.some((slot) => isOf(memory, slot)));
  const words = wordsOf(what);
  const fitting =
    words.length === 0 ? [] : all.filter(({ content }) => words.every((word) => wordsOf(content).includes(word)));
  return fitting.length > 0 ? fitting : undefined;
}

/** "that I like tea" says what it is about; "what I said about tea" does not. */
const statementIn = (what: string) =>
  sentencesInEarnest(what.replace(/^(?:that|the fact that|how)\s+/iu, ""))
    .map(({ text }) => text)
    .join(". ");

function isSame(
  { fact, content }: Memory,
  said: { readonly fact: string | null; readonly formerFact?: string; readonly content: string },
) {
  if (content === said.content) return true;
  return fact !== null && (fact === said.fact || fact === said.formerFact);
}

function isOf({ fact, content }: Memory, { facts, told }: Slot): boolean {
  if (fact !== null) return facts.some((one) => fact === one || fact.startsWith(`${one}:`));
  return told.test(content);
}

const SMALL =
  /^(?:that|the|a|an|i|i'm|i've|my|me|is|am|are|was|were|to|of|about|what|said|told|you|we|our|in|on|at|for|with|and|or|do|does|did|have|has|had|like|likes|love|loves|this|it|fact|thing|things)$/iu;

/** The words that say what it is about. */
function wordsOf(text: string): readonly string[] {
  const plain = withPlainQuotes(text).toLowerCase();
  const found = [...plain.matchAll(/[\p{L}\p{N}'-]+/gu)].map(([word]) => word).filter((word) => !SMALL.test(word));
  return found.map(thingOf);
}
