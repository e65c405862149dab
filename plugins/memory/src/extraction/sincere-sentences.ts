/** A sentence of a message, and whether it is serious. */
export interface SincereSentence {
  readonly text: string;
  /** True when the sentence is laughed about or a wish; it replaces no known fact. */
  readonly isLight: boolean;
}

const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu;
const QUOTES = /[’‘ʼ＇′`´]/gu;
const word = (source: string) => new RegExp(source, "iu");

/** Matches quotes and role-play actions, which are not statements. */
const ACTIONS_AND_QUOTES =
  /\*[^*\n]*\*|（[^）\n]*）|"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|```[\s\S]*?```|^>.*$|(?<!\p{L})'[^'\n]*'(?!\p{L})/gmu;

/** Matches questions, possibilities and past habits. */
const HYPOTHETICAL = word(
  "[?？]\\s*$|吗\\s*[。？?]?$|" +
    "\\b(?:if|unless|wish|would|might|imagine|assume|suppose|supposing|let's say|used to|never|maybe|perhaps|hypothetically)\\b|" +
    "如果|假如|要是|倘若|假设|想象|以前|曾经|可能|也许",
);
const WISHES = word("\\b(?:dream of|hope to|want to|as though)\\b|希望|但愿|恨不得|梦想");

const FICTION_WORDS =
  "(?:game|rpg|mmo|mmorpg|campaign|story|novel|book|dream|movie|film|play|musical|show|series|anime|comic|role-?play|scenario|simulation|guild|skit|sketch|scene|server)";
const GAME_TITLES =
  "(?:minecraft|roblox|d&d|dnd|dungeons (?:and|&) dragons|skyrim|warcraft|wow|fortnite|the sims|animal crossing|stardew valley|gta|zelda|elden ring|genshin|valorant)";
/** Matches games, parts, stories and dreams. */
const FICTION = [
  word("\\bpretend|\\bin-?game\\b|\\bin character\\b|\\bonce upon a time\\b|\\b(?:dreamt|dreamed)\\b"),
  word(
    `\\b(?:in|on|for|during) (?:the|this|that|my|our|your|a|an|one|some|another) (?:[\\w&'-]+ ){0,2}${FICTION_WORDS}s?\\b(?!\\s+(?:industry|business|festival|company|studio|developer|publisher|shop|store|club|market|agency))`,
  ),
  word(`\\b(?:in|on) ${GAME_TITLES}\\b|\\b(?:in|during|while|when) (?:a |an |our |the |this )?role-?play`),
  word(
    "\\bmy (?:\\w+ )?(?:character|avatar|persona|alter ego|toon|villager|paladin)(?:'s)?\\b|\\bas (?:a|the) (?:pirate|wizard|vampire|dragon|elf)\\b",
  ),
  word(
    "(?:游戏|副本|小说|故事|剧本?|戏|电影|动漫|动画|梦|原神|我的世界|王者荣耀)(?:里|中|内|世界)|角色扮演|扮演|假装|梦见|梦到|做梦|人设",
  ),
];

const OTHER_PEOPLE =
  "(?:he|she|they|people|everyone|everybody|someone|somebody|nobody|folks|my (?!doctor|dentist|allergist)\\w+|the (?!doctor|dentist|allergist)\\w+)";
const FREQUENCY = "(?:also |always |often |even |just |still |sometimes |keeps? )?";
/** Matches reports of what others say about someone or call someone. */
const REPORTED_SPEECH = [
  word(
    `\\b${OTHER_PEOPLE} ${FREQUENCY}(?:says?|said|saying|thinks?|thought|believes?|claims?|claimed|tells?|told|calls?|called|calling|insists?|jokes?|joked|guess(?:es|ed)?|assumes?|assumed|writes?|wrote) (?:me|that|i|i'm|i've|my|people|them|everyone)\\b`,
  ),
  word(
    "\\b(?!(?:doctor|dentist|allergist)\\b)\\p{L}{2,} (?:says|thinks|believes|claims|insists|jokes|calls) (?:me|that i|i|i'm|i've|my)\\b",
  ),
  word(
    "(?:他|她|他们|她们|别人|大家|人家|有人|朋友们?|同事们?|同学们?|妈妈|爸爸|老师|老板|网友)(?:都|总|老|常|一直|还)?(?:说|觉得|以为|认为|叫|喊|管)我|据说|听说",
  ),
];

/** Matches jokes and sarcasm. */
const JOKES = [
  word(
    "\\bas a joke\\b|\\b(?:just|only|i'm|i am|totally) (?:kidding|joking)\\b|\\bsarcas|(?:^|\\s)/s\\b|\\bas if\\b|\\bsaid no one\\b|\\blucky me\\b|, not!?\\s*$",
  ),
  /🙄|😏|😜|🤪|🙃/u,
  word(
    "\\b(?:yeah|yes),? (?:right|sure)\\b|^\\s*(?:oh|ah|ooh|wow|gee),? (?:yes|yeah|sure|great|joy|how|wonderful|brilliant|fantastic|of course|i (?:just|simply|absolutely|totally|so))\\b",
  ),
  word(
    "^\\s*(?:sure|right|great|wonderful|brilliant|fantastic|of course|obviously|clearly),? (?:because|i (?:just |simply |totally |absolutely |really )?(?:love|adore|enjoy))\\b",
  ),
  word(
    "\\bi (?:just|simply|so|totally|absolutely) (?:love|adore|enjoy)\\w* (?:it )?(?:when|how|that|being|waiting|getting|having to|paying|losing|sitting in|standing in|cleaning)\\b|\\bwhat could be (?:better|more)\\b",
  ),
  word("开玩笑|逗你|骗你|才怪|怪咧|说笑|呵呵|反话|我可真|可太(?:喜欢|爱)|爱死.*了呢|真是(?:太)?(?:喜欢|爱).*(?:呢|呵)"),
];
/** Matches a sentence that retracts the previous one. */
const RETRACTION = word(
  "^\\W*(?:just |only |i'm |i am |was )?(?:kidding|joking|jk|not|nope|psych|gotcha|sarcasm)\\b|^\\W*(?:not really|(?:that|it) was (?:just )?a joke|a joke)\\b|^\\s*[🙄😜🤪🙃]|^\\s*/s\\b|^\\s*(?:开玩笑|逗你|骗你|才怪|假的|我瞎说|哈哈?骗)",
);
const LAUGHTER = word("\\b(?:lol|lmao|rofl|ha(?:ha)+|hehe+|xd)\\b|[😂🤣😆😝😹]|哈哈|嘻嘻|嘿嘿");
const ONLY_LAUGHTER = word("^(?:\\W|lol|lmao|rofl|ha(?:ha)+|hehe+|xd|哈|嘻|嘿)*$");

/** Matches `Im` and `Ive`, which some people write without an apostrophe, before words that follow only in English. */
const MISSING_APOSTROPHE =
  /\bi(m|ve)\b(?= (?:allergic|an?|not|now|from|based|living|vegan|vegetarian|married|moved|been|got|just|\d)\b)/giu;

/** Returns the text with plain apostrophes: phones write other ones, and some people none. */
export function normalizeQuotes(text: string): string {
  return text.replaceAll(QUOTES, "'").replaceAll(MISSING_APOSTROPHE, "I'$1");
}

/** Returns the serious statements of the writer, without questions, games, jokes and quotes of others. */
export function extractSincereSentences(text: string): readonly SincereSentence[] {
  const all = [...normalizeQuotes(text).replaceAll(ACTIONS_AND_QUOTES, " ").matchAll(SENTENCE)].map(([whole]) =>
    whole.trim(),
  );
  const excluded = [HYPOTHETICAL, ...FICTION, ...REPORTED_SPEECH, ...JOKES];
  return all.flatMap((sentence, at) => {
    const next = all[at + 1] ?? "";
    if (sentence.length < 3 || RETRACTION.test(next) || excluded.some((form) => form.test(sentence))) return [];
    const isLaughed = LAUGHTER.test(sentence) || (LAUGHTER.test(next) && ONLY_LAUGHTER.test(next));
    return [{ text: sentence, isLight: isLaughed || WISHES.test(sentence) }];
  });
}
