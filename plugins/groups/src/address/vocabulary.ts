/** Words before a name with which people turn to somebody: "hey Ada", "thanks Ada". */
export const OPENERS =
  "hey|hi|hello|hiya|yo|ok|okay|dear|thanks|thank you|thx|cheers|please|pls|sorry|good (?:morning|afternoon|evening|night)|morning|welcome back|" +
  "so|and|but|well|hmm+|um+|also|then|now|oh|ah|right|yes|no|btw|wait|question for|quick (?:one|question)|lol|lmao|omg|haha+|wow|ugh|argh|nope|nah|yeah|yep|sure|cool|great|perfect|nice|嗨|嘿|喂|哈喽|哈啰|你好|您好|请问|请|好的|那么?|那就|早上?好?|晚上好|晚安|谢谢|多谢|麻烦|拜托|辛苦了?|欸|诶|哎|话说|对了|还有|所以|(?:我?想)?问一?下|求助|亲爱的";

/** Chinese titles that follow a name. */
export const TITLES_ZH = "同学|同志|老师|师傅|先生|女士|小姐姐?|大人|酱|亲|宝宝?|大神|大佬|老板|助手|助理";

/** Chinese words after a name that show it is spoken to. */
export const ADDRESSED_NEXT_ZH =
  "你|您|我|咱|请|麻烦|帮|给(?:我|大家|咱)|能(?:不能|否|帮|把|给|说|再)|可以(?:帮|把|给|再|说)|可不可以|会不会|知道|记得|觉得呢|说(?:说|一|下)|看看|在(?:吗|不在|么)|有没有|有什么|有空|有时间|(?:早上|上午|中午|下午|晚上)好|能[^。]*[吗？?]|谢谢|晚安|早安|啊|呀|哦|呢[？?]|再|把";

/** Chinese words between a name and what is said to its bearer: when it is to be done. */
export const TIMES_ZH =
  "今天|今晚|明天|明早|后天|早上|上午|中午|下午|晚上|现在|等下|待会儿?|一会儿?|(?:下?周|星期)[一二三四五六日天末]|[0-9一二三四五六七八九十两半]+点半?";

/** Chinese words after a name that make a sentence about it: negations, adverbs, times past, comparisons, verbs of saying. */
export const ABOUT_NEXT_ZH =
  "的|地|得|是|不|没|也|都|就|还|才|又|应该|肯定|可能|大概|已经|一直|总是?|从来|永远|昨天|前天|上次|上回|刚|之前|以前|说|讲过|觉得|认为|最|太|真|很|挺|好(?!听|看|用)|居然|竟然|终于|果然|跟|和|与|或|、|被|让|会|能|在|有|里|们|自己|只|比|像|挂|坏|答|怎么(?:这么|又|还|没|不|老|总|了|回事)|去哪|什么时候.*的$|知道(?!.*[吗么?？])|\\p{Script=Han}[,，:：]";

/** English verbs after which the subject follows in a question: "Ada can the dog eat this". */
export const MODALS = "can|could|will|would|should|may|might|shall|must|do|are|am|have|were|dare";

/** English words that begin the subject of a sentence. */
export const SUBJECTS =
  "you|u|ya|we|i|i'?m|it|he|she|they|this|that|these|those|there|someone|somebody|anyone|anybody|the|a|an|my|our|your|his|her|their|any|some|every|all|no";

/** English words between a name and what is said to or about it. */
export const ADVERBS = "just|also|then|now|please|pls|quickly|actually|really|again|too|maybe|btw";

/** English words after a name that make a sentence about it, also as a question: verbs in the third person or the past, prepositions, conjunctions. */
export const ABOUT_NEXT =
  "is|isn't|was|wasn't|has|hasn't|had|hadn't|does|doesn't|did|didn't|will|won't|can|can't|cannot|could|couldn't|would|wouldn't|should|shouldn't|might|may|must|" +
  "says|knows|thinks|tells|gives|gets|goes|makes|works|seems|looks|sounds|likes|wants|needs|keeps|helps|uses|loves|hates|claims|suggests|recommends|believes|means|lies|comes|takes|sees|finds|runs|sucks|rocks|breaks|fails|crashes|replies|remembers|forgets|understands|agrees|" +
  "said|told|thought|knew|gave|got|went|made|came|took|saw|found|ran|broke|forgot|understood|meant|wrote|sent|kept|left|lost|won|became|began|felt|heard|led|sold|slept|spoke|stood|taught|fell|(?!need|feed|speed|seed|embed|proceed|exceed|succeed)[a-z]{2,}ed|" +
  "and(?! (?:of|for|in|at|what|how|if|when|where|why|who)\\b)|or|but|because|(?:of|in|at|on|for|with|from|by|to|as)(?! (?:what|which|how|who)\\b)|up|down|vs|versus|than|not|never(?! mind)|always|usually|still|already|even|only|probably|obviously|definitely|apparently|here|there|answers";

/** Words before a name at the end of a sentence that speak about it: "have you asked Ada?" */
export const ABOUT_BEFORE =
  "ask|asks|asked|asking|about|with|to|from|of|is|was|were|be|for|by|like|than|and|or|the|a|an|call|called|calls|told|tell|tells|love|hate|use|uses|used|using|try|tried|miss|name|named|our|my|your|their|his|her|this|that|blame|mean|means|meant|not|without|via|on|in|at|through|see|seen|saw|trust|know|knows|ping|mention|mentioned|need|needs|want|wants|met|meet|let|poor|good old|into|vs|versus|beat|kick|mute|block|remove|add|replace|test|broke|break|restart|fix|feed|message|messaged|poke|invite|invited|it's|that's|not even|just|only|even|lovely|dear old|has|have|does|did|says|little|baby|give|gave";

/** Chinese words before a name that speak about it: "你问过艾达吗". */
export const ABOUT_BEFORE_ZH =
  "问过?|问问|找|让|叫|跟|和|与|给|对|是|像|用|的|骂|夸|删|踢|看|听|等|喜欢|讨厌|比|被|把|连|靠|教|靠着|测试|关于|不如|没有|觉得|说|提到|艾特|拉|请教|信|信任|管|属于|这个|那个|我们|咱们|你们|他们|以为|认识|怪|少了|缺|除了|通过|替|换成?|叫做|起名";

/** Texts that tell the bot to keep out. */
export const DISMISSAL =
  /\b(?:not you|not u|wasn'?t (?:talking|speaking) to you|not (?:talking|speaking|asking) (?:to )?(?:you|the bot)|(?:no ?body|no one) asked(?: you)?|shut up|(?:stay|keep|be) (?:quiet|silent|out)|don'?t (?:answer|reply|respond|butt in|interrupt|interfere)|stop (?:talking|answering|replying|it)|go away|didn'?t ask you|isn'?t for you|not for you|wrong bot)\b|不是(?:在?问|在?说|在?跟|在?叫|在?找|对)?你|没(?:在|有)?(?:问|跟|叫|让|找)你|别(?:插嘴|说话|回|吵|接话|理我|答|抢答)|闭嘴|安静点?|不用你?(?:回|答)|不关你|你别|没你(?:的)?事|一边去/iu;

/** Texts that end an exchange and need no answer. */
export const ACKNOWLEDGEMENT =
  /^(?:(?:ok(?:ay)?|k|kk|thanks?|thank you|thx|ty|tysm|cheers|got it|great|nice|cool|perfect|awesome|wow|yes|yep|yeah|yup|no|nope|sure|right|true|fine|good|will do|makes sense|i see|noted|same|agreed|brilliant|lovely|never ?mind|nvm|exactly|indeed|so much|a lot|then|that helps|good to know|ah+|oh+|alright|all good|super|very helpful|helpful|you|ada|bot)[\s,.!~…]*)+$|^(?:(?:好的?|好[嘞滴吧呀哒]|行吧?|嗯+|哦+|噢+|谢谢啦?|多谢|谢啦|谢了|感谢|收到|明白了?|知道了|懂了|了解|牛|厉害|可以|没事|算了|不用了?|对|是的|原来如此|原来是这样|太好了|辛苦了?|赞|ok|你|您|啦|了|学到了)[\s，,。！!~～…]*)+$/iu;

const TRIUMPH =
  "see[?!, ]|told (?:you|u|ya)|(?:i )?knew it|called it|你看[，,]|看吧|我就?说[吧嘛]|我(?:说什么|怎么说)来着";
const CRY =
  "lol|lmao|rofl|omg|wow|(?:ha){2,}h?|(?:he){2,}|哈{2,}|嘿{2,}|呵{2,}|笑死|绝了|啊{2,}|\\p{L}*(\\p{L})\\1{2,}\\p{L}*";

/** Texts without words for anybody: signs, emoji, laughter, stretched cries, and triumph over others. */
export const REACTION = new RegExp(`^[^\\p{L}\\p{N}]*$|^(?:${TRIUMPH}|${CRY})(?=[^\\p{Script=Latin}]|$)`, "iu");

/** Marks of surprise, which people show to each other. */
export const EMPHASIS = /[?？!！]{2,}|\b\p{Lu}{4,}\b/u;

/** Second person; "thank you" addresses nobody in particular. */
export const SECOND_PERSON = /\b(?:you|your|yours|yourself|u|ur|you'?re|you'?ve|you'?ll|you'?d)\b|你|您/iu;

/** Second person of several people, and words to anybody, who are not the bot. */
export const SECOND_PERSON_PLURAL =
  /\b(?:you (?:guys|all|two|both|people|lot|folks)|y'?all|you'?re both|both of you|all of you|anyone|anybody|everyone|everybody|someone|somebody|guys|folks|who(?: wants| has| else| can| will)|any of you)\b|你们|您们|大家|有人|谁(?:要|来|想|有|去|能|还|家|把)|各位|你俩|咱们?|哪位|你们俩/iu;

const LEAD_IN =
  "(?:(?:and|but|so|also|then|ok(?:ay)?|k|thanks|thx|ty|great|no|nope|hmm+|wait|now|well|oh+|ah+|yes|yeah|right|sorry|cool|nice|perfect|actually|alright|lol|haha+|btw)[\\s,.!…]+)*";

/** Requests, in the imperative or in words that ask for something. */
export const REQUEST = new RegExp(
  `^${LEAD_IN}(?:tell|give|show|explain|translate|summari[sz]e|make|write|find|check|list|add|remove|convert|compare|repeat|rewrite|shorten|try|use|include|sort|draw|expand|move|change|set|cancel|book|order|put|delete|undo|send|schedule|remind|read|play|start|stop|continue|go on|keep going|look|search|calculate|compute|count|define|suggest|recommend|name|pick|choose|plan|turn|format|swap|replace|double|halve|split|round|do (?:it|me|one|that|this|the|a)|let'?s say|say|skip|drop|keep|another|one more|more|once more|again|in (?:[a-z]+|one (?:word|line|sentence))[.?!]*$|i (?:meant|mean)|too|same for|(?:a )?(?:bit |much )?\\p{L}+er(?: version| one)?(?=$|[\\s,.?!]+(?:please|pls|for)))\\b` +
    "|\\b(?:please|pls|plz|(?:can|could|will|would) (?:you|u|ya)|something (?:else|with|without|\\p{L}+er)|instead)\\b|请|帮(?!派)|给(?:我|个|它|一)|(?:^|[，,。 ])把|换(?:成|个|一)|再(?:来|短|长|写|加|给|举|算|讲|试|做|改|详)|来(?:个|一|点|首|段)|(?:^|[，,。 ])(?:加|减|改|写|列|翻译|总结|解释|举|查|算(?!了)|推荐|删|去掉|重新|继续|接着|具体|详细|说说|讲讲|用|按|不要)(?!了)|(?:加|改|换|删|去|调|写|放|标|分|排)(?:上|成|掉|到|进)|一?点儿?[。！!]?$|一下(?!子)|(?:^|[，,。 ])[^\\P{Script=Han}这那哪几每一二两三四五六七八九十百千是有]个|太(?!好|棒|感谢)\\p{Script=Han}{1,2}?了?[。.~]?$|(?<!你)能不能|你(?:能|可以|会)",
  "iu",
);

/** Beginnings of a message that continues the talk: conjunctions, corrections, one more question. */
export const CONTINUATION =
  /^(?:(?:ok(?:ay)?|right|great|thanks|cool|nice|perfect|oh|ah|hmm+)[\s,.!…]+)*(?:and|also|then|but|so|or|what about|how about|what if|no|nope|wait|actually|not|last|one (?:more|last)|another|next|more|again|even|except|thats?|that's|in that case|which)\b|\bthen\W*$|^(?:那|然后|还有|再|下一?[个题]|另外|最后|接着|继续|如果|要是|万一|不对|不是|不要|换|还|所以|但|可是|除了|也)/iu;

const QUESTION_FORM = `[吗么]\\s*[。.~～!！?？]*$|(?:的话|^那.{1,8}|^[^我]{1,8})呢\\s*[。.~～!！?？]*$|^${LEAD_IN}(?:(?:what|who|where|how|when|why)(?:'?s|'?re|'?d)?|which|whose|whom|can|could|is|are|am|does|do(?! not)|did|would|should|will|any|if)\\b|什么|怎么|怎样|为什么|为啥|哪|多少|多久|多大|多远|多长|几|谁|咋|啥|是否|[^我你他她它们都]还是.|^\\S+(?: \\S+)? or \\S+(?: \\S+)?$|(\\p{Script=Han})不\\1|有没有|(\\p{Script=Han})没\\2|\\p{Script=Han}不[?？]?$|[了过好]没有?$|吧[?？]|对吧|是吧|[,\\s](?:(?:isn|aren|doesn|don|didn|wasn|won|can)'?t (?:it|they|he|she|that|you|we)|right\\?|correct\\?)[?\\s]*$`;

/** Words by which people say what they will do themselves. */
export const PLAN = /^(?:那|行|好)[，,]?我|\b(?:i'?ll|i will|i'?m (?:going to|gonna)|we'?ll)\b/iu;

/** Questions by their form, which ask for more than a yes: "葱也有毒？" has only the sign. */
export const OPEN_QUESTION = new RegExp(QUESTION_FORM, "iu");

/** Questions, by sign or by form. */
export const QUESTION = new RegExp(`[?？]|${QUESTION_FORM}`, "iu");

/** Chinese verbs that are doubled to ask for something: "评评理", "看一看". */
export const DOUBLED_VERB_ZH = "(\\p{Script=Han})一?\\1";

/** Words for any bot, which call this one where nobody has a name. */
export const BOT_WORDS: readonly string[] = ["bot", "robot", "chatbot", "机器人"];

/** First person. */
export const FIRST_PERSON = /\b(?:i|i'm|i've|i'd|me|my|we|us|our)\b|我|咱/iu;

/** Words by which people call those who are there by their role. */
export const ROLES: readonly string[] = [
  ..."mum mom dad gran grandma grandpa auntie uncle coach boss sir madam doc honey babe".split(" "),
  ..."老妈 老爸 妈妈 爸爸 爷爷 奶奶 阿姨 叔叔 教练 老板 老师 领导 兄弟 哥们 姐妹 宝贝 老婆 老公".split(" "),
];
