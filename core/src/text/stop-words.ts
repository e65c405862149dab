/** Common words of questions that carry no topic. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the and or but if of at by for with about into to from in on off over under again then once here there all any both each
few more most other some such no nor not only own same so than too very can will just should would could may might must shall
i me my we our you your he him his she her it its they them their this that these those am is are was were be been being
have has had do does did doing done what which who whom whose when where why how as until while during before after because
ever also up down out get got`
    .trim()
    .split(/\s+/),
);

/** Question phrases in English. */
export const STOP_FRAMES =
  /\b(?:how (?:many(?: times)?|much|long|often|old|far|come)|(?:what|which) (?:kinds?|types?|sorts?) of|what (?:time|date|day|year|month))\b/giu;

/** Question phrases in Chinese. */
export const STOP_PHRASES =
  /什么时候|什麼時候|为什么|為什麼|怎么样|怎麼樣|什么|什麼|哪一年|哪一天|哪一个|哪里|哪裡|哪儿|哪位|哪些|哪个|哪|几号|几点|是谁|谁|誰|怎么|怎麼|如何|多少|请问|請問|告诉我|是不是|有没有|吗|呢|吧|啊|嘛/gu;

/** Characters without a topic when a question contains them alone. */
export const STOP_SINGLES: ReadonlySet<string> = new Set(
  "有去来來到做要会會能和与與就都也很过過把被对對于於个個用给給让讓",
);

/** Chinese function characters: pairs with one of them carry little meaning. */
export const STOP_CHARACTERS: ReadonlySet<string> = new Set("的了是在着吗这這那我你他她它们們");
