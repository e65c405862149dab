/** Signals that a text can carry about its author. */
export const SIGNALS = [
  "praise",
  "rejection",
  "affection",
  "hostility",
  "care",
  "intimacy",
  "reassurance",
  "vulnerability",
  "question",
  "command",
  "arousal",
  "uncertainty",
  "apology",
  "playfulness",
  "sadness",
  "anger",
  "anxiety",
  "joy",
  "fatigue",
  "sarcasm",
  "negation_scope",
] as const;
export type Signal = (typeof SIGNALS)[number];

/** Words by signal: clear ones, and hints. */
export const WORDS: Readonly<Partial<Record<Signal, { readonly plain: string; readonly hint: string }>>> = {
  praise: {
    plain: `真棒|太棒了|厉害|了不起|优秀|聪明|可爱|漂亮|真好看|好美|做得好|干得好|真行|最棒|佩服|完美|
      amazing|awesome|brilliant|excellent|well done|good job|great job|so smart|so cute|beautiful|wonderful|impressive|you're the best|proud of you`,
    hint: "不错|挺好|好看|有意思|谢谢|感谢|多谢|good|nice|great|cool|clever|cute|pretty|talented|thank you|thanks",
  },
  affection: {
    plain: `我爱你|爱你|喜欢你|想你|好想你|最喜欢|离不开你|love you|adore you|miss you|i like you|fond of you`,
    hint: "亲爱的|宝贝|宝宝|么么|dear|darling|honey|sweetheart|babe",
  },
  intimacy: {
    plain:
      "抱抱|抱一下|亲亲|亲一下|牵手|拥抱|依偎|吻你|摸摸头|hug|hugs|kiss|cuddle|hold my hand|hold your hand|snuggle",
    hint: "靠近|陪我睡|只有我们|closer to me|just the two of us|lean on me",
  },
  care: {
    plain: `照顾好自己|注意身体|早点休息|多喝水|别太累|吃饭了吗|还好吗|你没事吧|担心你|心疼|
      take care|are you okay|are you ok|get some rest|did you eat|worried about you|drink some water|don't overwork`,
    hint: "休息|小心|保重|慢慢来|rest|be careful|take your time|stay safe",
  },
  reassurance: {
    plain: `别怕|不要怕|别担心|没关系|有我在|我在呢|我陪你|相信你|不会离开|放心|
      don't worry|i'm here|i am here|it's okay|it's ok|i believe in you|i won't leave|trust me|you are safe|you're safe`,
    hint: "没事|会好的|慢慢会好|no problem|it will be fine|everything will be fine",
  },
  vulnerability: {
    plain:
      "我害怕|我很怕|撑不住|好孤独|没人懂|需要你|帮帮我|i'm scared|i am scared|i need you|i feel alone|nobody understands|help me",
    hint: "其实我|说实话|秘密|to be honest|a secret|confess|i never told",
  },
  apology: {
    plain: "对不起|抱歉|是我错了|我错了|原谅我|不好意思|sorry|apologize|apologise|my fault|forgive me|my bad",
    hint: "误会|excuse me|didn't mean to",
  },
  hostility: {
    plain: `滚|去死|闭嘴|讨厌你|恨你|烦死了|垃圾|废物|白痴|笨蛋|蠢|傻逼|恶心|
      shut up|hate you|go away|idiot|stupid|useless|garbage|trash|disgusting|loser|moron|worthless|fuck you`,
    hint: "烦|讨厌|没用|annoying|dumb|boring|terrible|awful|pathetic",
  },
  rejection: {
    plain: `不喜欢你|不爱你|不想理你|别理我|离我远点|分手|不需要你|不要你了|
      leave me alone|don't like you|don't love you|don't need you|break up|stay away|not interested`,
    hint: "算了|随便|不用了|别烦|whatever|never mind|forget it|no thanks",
  },
  anger: {
    plain: "气死|生气|愤怒|火大|受够了|忍无可忍|angry|furious|mad at|pissed|fed up|had enough",
    hint: "凭什么|够了|过分|unfair|ridiculous|annoyed",
  },
  sadness: {
    plain: "难过|伤心|想哭|哭了|心碎|绝望|痛苦|失落|sad|crying|heartbroken|depressed|hopeless|miserable|i want to cry",
    hint: "唉|遗憾|可惜|失望|孤单|lonely|disappointed|sigh|hurts",
  },
  anxiety: {
    plain: "焦虑|紧张|害怕|担心|不安|慌|恐惧|anxious|nervous|afraid|scared|panic|terrified|worried",
    hint: "压力|怎么办|stress|stressed|what if|what should i do",
  },
  joy: {
    plain: "开心|高兴|快乐|太好了|好耶|幸福|兴奋|激动|happy|so glad|yay|hooray|delighted|excited|thrilled",
    hint: "哈哈|嘻嘻|不错哦|耶|glad|haha|lol|fun|woohoo",
  },
  playfulness: {
    plain: "逗你|开玩笑|嘿嘿|嘻嘻|哈哈|略略略|调皮|just kidding|teasing|joking|hehe|haha|lol|gotcha",
    hint: "玩|游戏|猜猜|play|game|guess|wink",
  },
  fatigue: {
    plain: "好累|累死|疲惫|困死|好困|没力气|筋疲力尽|exhausted|so tired|worn out|sleepy|burned out|burnt out",
    hint: "累|困|tired|yawn|long day",
  },
  uncertainty: {
    plain: "不确定|不知道|也许|可能|大概|说不定|not sure|maybe|perhaps|i don't know|uncertain|i guess",
    hint: "好像|似乎|应该吧|might|probably|kind of|seems",
  },
  command: {
    plain: "帮我|给我|你必须|马上|立刻|快点|命令你|you must|right now|immediately|do it|hurry up|i order you",
    hint: "请|替我|please|let's|go and|make me",
  },
  question: {
    plain: "为什么|什么|怎么|哪里|哪个|谁|几点|多少|是不是|能不能|why|what|how|where|when|who|which|can you|could you",
    hint: "吗|呢|do you|is it|are you|right?",
  },
  arousal: {
    plain: "天啊|我的天|不敢相信|太刺激|疯了|oh my god|omg|unbelievable|insane|can't believe",
    hint: "哇|居然|竟然|wow|really",
  },
  sarcasm: {
    plain: "呵呵|真是谢谢你了|你可真行|可真厉害|yeah right|oh great|sure you did|how original|thanks for nothing",
    hint: "好一个|是吗呵|as if|slow clap",
  },
};

/** Words that negate the rest of their clause. */
export const NEGATIONS =
  "不|没|没有|别|不要|不是|不太|并不|从不|不会|not|don't|doesn't|didn't|isn't|aren't|never|no|won't|can't|cannot";

/** Signals that negated words have; other words have no meaning when negated. */
export const NEGATED_SIGNALS: Readonly<Partial<Record<Signal, Signal>>> = {
  praise: "rejection",
  affection: "rejection",
  intimacy: "rejection",
  care: "rejection",
  hostility: "reassurance",
  anger: "reassurance",
  anxiety: "reassurance",
  joy: "sadness",
  reassurance: "anxiety",
};
