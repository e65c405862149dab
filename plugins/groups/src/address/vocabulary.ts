/** Words before a name with which people turn to somebody: "hey Ada", "thanks Ada". */
export const OPENERS =
  "hey|hi|hello|hiya|yo|ok|okay|dear|thanks|thank you|thx|cheers|please|pls|sorry|good (?:morning|afternoon|evening|night)|morning|welcome back|" +
  "so|and|but|well|hmm+|um+|also|then|now|oh|ah|right|yes|no|btw|wait|question for|嗨|嘿|喂|哈喽|哈啰|你好|您好|请问|请|好的|那么?|那就|早上?好?|晚上好|晚安|谢谢|多谢|麻烦|拜托|辛苦了?|欸|诶|哎|话说|对了|还有|所以|问一?下|亲爱的";

/** English words after a name that show it is spoken to. */
export const ADDRESSED_NEXT =
  "(?:can|could|will|would|do|did|are|have|should|may|were|might) (?:you|u|ya|we|i|it|this|that|someone|the)\\b|(?:what|who|whom|when|where|why|how|which|whose)(?:'?s|'?re|'?d)?\\b|" +
  "(?:please|pls|tell|give|show|help|explain|translate|summari[sz]e|remind|make|write|find|look|check|list|set|send|add|remove|draw|calculate|compute|convert|compare|suggest|recommend|read|say|let|define|search|count|start|stop|repeat|rate|wish|congratulate|greet|ask|sort|solve|finish|continue|test|format|run|cancel|schedule|name|pick|choose|plan|book|play|turn|open|close|post|share|fix|generate|create|draft|rewrite|correct|proofread|describe|sing|imagine|roll|flip|recap|any|is there|are there|is it|is this|is that|you|your|u r|ur|thanks|thank you|don't forget|i need|i have|i'd|i want|we need|quick question|question)\\b";

/** Chinese words after a name that show it is spoken to. */
export const ADDRESSED_NEXT_ZH =
  "你|您|请|帮|给我|给大家|给咱|来(?:一|个|首|段|点|说|讲)|能(?:不能|否|帮|把|给|说|再)|能[^。]*[吗？?]|可以(?:帮|把|给|再|说)|可不可以|会不会|知道|记得|觉得呢|说说|说一|讲讲|讲个|讲一|看看|看一|查|翻译|总结|归纳|告诉|推荐|怎么|咋|什么|啥|为什么|为啥|在吗|在不|在么|呢[？?]|提醒|算(?:一|个|算)|写(?:一|个|首|份)|祝|出(?:个|一|道)|找(?:个|一|找)|念|唱|讲|背|编|回答|继续|画|记一?下|记住|再|把|解释|列|有没有|有什么|今天(?:天气|几号|星期|周几|有)|明天(?:天气|几号|星期|周几|有)|现在几|谢谢|晚安|早安|同学|老师|酱|大人|亲|啊|呀|哦";

/** English words after a name that make a sentence about it, also as a question: "Ada is down?" */
export const ABOUT_NEXT =
  "is|isn't|was|wasn't|has|hasn't|had|says?|said|does|doesn't|did|didn't|will|won't|can|can't|could|would|should|might|may|must|knows?|thinks?|told|tells|thought|knew|gave|gives|got|gets|went|goes|made|makes|works?|worked|and|or|but|who|that|which|again|too|also|then|there|here|only|just|never|always|really|seems?|looks?|sounds?|likes?|wants?|needs?";

/** Words before a name at the end of a sentence that speak about it: "have you asked Ada?" */
export const ABOUT_BEFORE =
  "ask|asks|asked|asking|about|with|to|from|of|is|was|were|be|for|by|like|than|and|or|the|a|an|call|called|calls|told|tell|tells|love|hate|use|uses|used|using|try|tried|miss|name|named|our|my|your|their|his|her|this|that|blame|mean|means|meant|not|without|via|on|in|at|through|see|seen|saw|trust|know|knows|ping|mention|mentioned|need|needs|want|wants|met|meet|let|poor|good old|into|vs|versus|beat|kick|mute|block|remove|add|replace|test|broke|break|restart|fix|feed|message|messaged|poke|invite|invited|it's|that's|not even|just|only|even|lovely|dear old";

/** Chinese words before a name that speak about it: "你问过艾达吗". */
export const ABOUT_BEFORE_ZH =
  "问过?|问问|找|让|叫|跟|和|与|给|对|是|像|用|的|骂|夸|删|踢|看|听|等|喜欢|讨厌|比|被|把|连|靠|教|靠着|测试|关于|不如|没有|觉得|说|提到|艾特|拉|请教|信|信任|管|属于|这个|那个|我们|咱们|你们|他们|以为|认识|怪|少了|缺|除了|通过|替|换成?|叫做|起名";

/** Texts that tell the bot to keep out. */
export const DISMISSAL =
  /\b(?:not you|not u|wasn'?t (?:talking|speaking) to you|not (?:talking|speaking|asking) (?:to )?(?:you|the bot)|(?:no ?body|no one) asked(?: you)?|shut up|(?:stay|keep|be) (?:quiet|silent|out)|don'?t (?:answer|reply|respond|butt in|interrupt|interfere)|stop (?:talking|answering|replying|it)|go away|didn'?t ask you|isn'?t for you|not for you|wrong bot)\b|不是(?:在?问|在?说|在?跟|在?叫|在?找|对)?你|没(?:在|有)?(?:问|跟|叫|让|找)你|别(?:插嘴|说话|回|吵|接话|理我|答|抢答)|闭嘴|安静点?|不用你?(?:回|答)|不关你|你别|没你(?:的)?事|一边去/iu;

/** Texts that end an exchange and need no answer. */
export const ACKNOWLEDGEMENT =
  /^(?:(?:ok(?:ay)?|k|kk|thanks?|thank you|thx|ty|cheers|got it|great|nice|cool|perfect|awesome|lol|lmao|haha+|ha|wow|yes|yep|yeah|yup|no|nope|sure|right|true|fine|good|will do|makes sense|i see|noted|same|agreed|brilliant|lovely|never ?mind|nvm|exactly|indeed|so much|a lot|then|that helps|good to know|ah|oh|alright|all good|super|very helpful|helpful|👍|🙏|😂|🤣|❤️|😊)[\s,.!~…]*)+$|^(?:(?:好的?|好嘞|好吧|行吧?|嗯+|哦+|噢+|谢谢啦?|多谢|谢啦|感谢|收到|明白了?|知道了|懂了|了解|哈+|笑死|牛|厉害|可以|没事|算了|不用了?|对|是的|原来如此|原来是这样|太好了|辛苦了?|赞|ok|你|您|啦|了|👍|🙏|😂)[\s，,。！!~～…]*)+$/iu;

/** Second person; "thank you" addresses nobody in particular. */
export const SECOND_PERSON = /\b(?:you|your|yours|yourself|u|ur|you'?re|you'?ve|you'?ll|you'?d)\b|你|您/iu;

/** Second person of several people, who are not the bot. */
export const SECOND_PERSON_PLURAL =
  /\b(?:you (?:guys|all|two|both|people|lot|folks)|y'?all|you'?re both|both of you|all of you|anyone|anybody|everyone|everybody|someone|somebody|guys|folks|who(?: wants| has| else| can| will)|any of you)\b|你们|您们|大家|有人|谁(?:要|来|想|有|去|能|还)|各位|你俩|咱们?|哪位|你们俩/iu;

/** Beginnings of a request or a further question. */
export const REQUEST =
  /^(?:and|but|so|also|then|ok(?:ay)?|thanks|great|no|hmm+|wait|now|well|oh|yes|right|sorry|cool|nice)?[\s,.!]*(?:please|tell|give|show|explain|translate|summari[sz]e|make|write|find|check|list|add|remove|convert|compare|repeat|rewrite|shorten|shorter|longer|simpler|again|another|one more|more|in (?:english|chinese|french|german|spanish)|what about|how about|what if|why|how|when|where|which|who|what|really|are you sure|sure|can|could|would|is|are|does|do|did|should|try|use|include|sort|draw|expand|move|change|set|cancel|book|order|put|delete|undo|send|schedule|remind|read|play|start|stop|continue|go on|keep going|next)\b|^(?:那|然后|还有|再|换|继续|接着|翻译|总结|解释|具体|详细|为什么|为啥|怎么|什么|哪|多少|几|真的|确定|改|加|减|短一?点|简单点|说人话|举个|比如|能不能|可以|能|请|帮|把|给|用|列|写|来|重新|不对|不是|如果|要是|万一)/iu;

export const QUESTION =
  /[?？]|[吗呢么]\s*[。.~～!！]*$|^(?:what|why|how|when|where|who|which|can|could|is|are|does|do|did|would|should|will)\b|(?:什么|怎么|为什么|哪里|哪个|多少|几点|谁)/iu;
