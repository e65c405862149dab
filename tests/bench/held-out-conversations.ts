import type { Conversations } from "./conversations.ts";

/** Conversations written by people who never saw how the index works; nothing was tuned on them. */
export const HELD_OUT: Conversations = {
  start: Date.UTC(2022, 8, 3),
  speakers: [
    ["Deborah", "Nate"],
    ["Gina", "Calvin"],
    ["Rashid", "Ottilie"],
    ["Wren", "Matteo"],
  ],
  words: {
    craft: ["pottery", "glassblowing", "calligraphy", "bookbinding"],
    river: ["the Kestrel", "the Arno", "the Oder", "the Wye"],
    charity: ["the food bank", "a hospice", "the lifeboat crew", "a night shelter"],
    dish: ["moussaka", "dumplings", "paella", "borscht"],
    race: ["a half marathon", "a triathlon", "an open water race", "a trail run"],
    show: ["a bluegrass festival", "a jazz night", "the philharmonic", "an indie gig"],
    exam: ["the bar", "my pilot's theory test", "the sommelier exam", "my driving test"],
    breed: ["greyhound", "beagle", "corgi", "husky"],
    place: ["Banff", "Oaxaca", "Sardinia", "Hokkaido"],
    relic: ["grandmother's compass", "an old pocket watch", "a jade ring", "dad's harmonica"],
    color: ["turquoise", "mustard", "burgundy", "lavender"],
    studio: ["dance studio", "tattoo parlour", "coding school", "cheese stall"],
  },
  exchanges: [
    {
      lines: [
        "A: Guess what, I finally signed up for that {craft} workshop.",
        "B: No way! How was it?",
        "*A: First class was yesterday and I came out filthy and grinning. My hands still ache.",
      ],
      asked: [
        ["when", "When did {A} attend the first {craft} lesson?"],
        ["fact", "What creative class has {A} taken up?"],
      ],
    },
    {
      lines: [
        "B: You look worn out, rough week?",
        "*A: Sort of. On Saturday I was at {charity} handing out parcels from dawn till dusk.",
        "B: That's so generous of you.",
        "A: Honestly they give me more than I give them.",
      ],
      asked: [
        ["fact", "Where did {A} volunteer?"],
        ["who", "Who helped out at {charity}?"],
      ],
    },
    {
      lines: [
        "*B: Two weeks ago I ran {race} and didn't come last, can you believe it.",
        "A: Congrats!! What was your time?",
        "B: Let's not talk about the time, haha.",
      ],
      asked: [
        ["when", "When did {B} compete in {race}?"],
        ["fact", "Which sporting event did {B} take part in?"],
      ],
    },
    {
      lines: [
        "A: So what's cooking?",
        "*B: My aunt's {dish}. She taught me when I was nine, standing on a crate.",
        "A: Save me some!",
      ],
      asked: [
        ["who", "Who showed {B} how to make {dish}?"],
        ["fact", "What did {B} learn to cook as a kid?"],
      ],
    },
    {
      lines: [
        "*A: I lost my job at the {studio} last month, they just shut the doors one morning.",
        "B: Oh no, I'm so sorry. What are you going to do?",
        "*A: Well, I've always dreamed of running my own {studio}. Maybe it's a sign.",
        "B: Do it! I'd be your first customer.",
      ],
      asked: [
        ["when", "When was {A} let go?"],
        ["fact", "What business does {A} want to open?"],
      ],
    },
    {
      lines: [
        "B: Any news about the {studio}?",
        "*A: I opened it on Monday! There were people queueing, I cried a little.",
        "B: I'm so proud of you.",
        "*A: I painted the front {color} so nobody can miss it.",
      ],
      asked: [
        ["changed", "When did {A}'s {studio} start?"],
        ["fact", "What colour is the outside of {A}'s {studio}?"],
      ],
    },
    {
      lines: [
        "B: What's that around your neck?",
        "*A: This? It's {relic}, I never take it off. It reminds me where I come from.",
        "B: It suits you.",
      ],
      asked: [["fact", "Which heirloom does {A} wear?"]],
    },
    {
      lines: [
        "*B: We're getting a {breed}! Picking her up next Friday.",
        "A: Aww! Does she have a name yet?",
        "*B: Pudding. The kids voted and I was overruled.",
      ],
      asked: [
        ["fact", "How is {B}'s puppy called?"],
        ["when", "When is {B} collecting the {breed}?"],
      ],
    },
    {
      lines: [
        "A: How's your mum doing?",
        "*B: Better, thanks. The hip surgery was last Tuesday and she's bossing the nurses around already.",
        "A: Ha, that sounds like her.",
      ],
      asked: [["when", "When was {B}'s mother operated on?"]],
    },
    {
      lines: [
        "*A: We spent the whole of last week in {place}. No signal, just us and the stars.",
        "B: Jealous. Any pictures?",
        "*A: This is the four of us at the lake. The tall one is my brother Felix.",
      ],
      asked: [
        ["fact", "Where has {A} been on vacation?"],
        ["who", "What is {A}'s brother's name?"],
      ],
    },
    {
      lines: [
        "*B: I failed {exam}. Again.",
        "A: Oh, I'm sorry. Second time lucky then... third?",
        "B: I'm taking it again in spring. I need a plan.",
      ],
      asked: [["fact", "Which test did {B} not pass?"]],
    },
    {
      lines: [
        "*B: I PASSED! {exam}, done, finished, never again!",
        "A: Knew you could. Drinks are on me.",
        "B: I have been waiting for this for three years.",
      ],
      asked: [["changed", "Has {B} succeeded in {exam}?"]],
    },
    {
      lines: [
        "A: Do you still see someone about the nightmares?",
        "*B: Every other Thursday. She has me write everything down in a notebook before bed.",
        "A: And does it help?",
        "B: More than I expected, actually.",
      ],
      asked: [["fact", "What does {B}'s therapist recommend?"]],
    },
    {
      lines: [
        "*A: Last night we heard {show}. I have no voice left.",
        "B: Who did you go with?",
        "*A: My sister and her awful boyfriend, he slept through the encore.",
      ],
      asked: [
        ["when", "When did {A} go to {show}?"],
        ["who", "Who went to the concert with {A}?"],
      ],
    },
    {
      lines: [
        "B: Been paddling lately?",
        "*A: On {river} three days ago. I tipped over and the camera is at the bottom now.",
        "B: Oh dear. At least you're in one piece.",
      ],
      asked: [["fact", "What did {A} lose in the water?"]],
    },
    {
      lines: [
        "*A: I've started journaling and turning my phone off at eight. It keeps me calm.",
        "B: I should try that. I just clean the flat when I'm stressed.",
      ],
      asked: [["several", "How does {A} unwind?"]],
      more: "unwind",
    },
    {
      lines: ["B: You seem so relaxed.", "*A: Swimming before work. Forty lengths and nothing can upset me any more."],
      asked: [],
      more: "unwind",
    },
    {
      lines: [
        "*B: The adoption agency called. Our application went through!",
        "A: I'm in tears. You two will be wonderful parents.",
        "B: We'll see about that, but thank you.",
      ],
      asked: [["fact", "Was {B} approved to adopt?"]],
    },
    {
      lines: [
        "A: What are you reading these days?",
        "*B: A thick thing about deep sea creatures, a colleague pressed it on me.",
        "A: Sounds like you.",
      ],
      asked: [["fact", "What is the book about that {B} got from a coworker?"]],
    },
    {
      lines: [
        "*B: I moved out of the shared house, I've got a place of my own above the chemist's.",
        "A: How does it feel?",
        "B: Quiet. Too quiet. I talk to the plants.",
      ],
      asked: [["fact", "Where does {B} live now?"]],
    },
    {
      lines: [
        "A: 最近忙什么呢？",
        "*B: 上个月开始学潜水了，教练很严，不过我已经能下到十米。",
        "A: 厉害，我连游泳都不会。",
      ],
      asked: [
        ["when", "{B}是什么时候开始学潜水的？"],
        ["fact", "{B}最近学了什么新运动？"],
      ],
    },
    {
      lines: ["B: 你姐姐还在那家医院吗？", "*A: 早就不在了，去年就辞职开了一间小小的药膳馆。", "B: 那改天去尝尝。"],
      asked: [["changed", "{A}的姐姐现在做什么？"]],
    },
    {
      lines: [
        "*A: 昨天终于把那只流浪猫送去做了绝育，医生说它大概三岁。",
        "B: 你给它起名了吗？",
        "*A: 叫年糕，因为太黏人。",
      ],
      asked: [
        ["fact", "{A}的猫叫什么名字？"],
        ["when", "{A}哪天带猫去看的医生？"],
      ],
    },
    {
      lines: ["B: 听说你摔了？", "*A: 嗯，上周六骑车下坡刹不住，锁骨裂了，要吊三周绷带。", "B: 天啊，好好休息。"],
      asked: [["fact", "{A}是怎么受伤的？"]],
    },
  ],
  chatter: [
    ["A: Hey {B}! Good to hear from you, how have you been?", "B: Hey {A}! All good here, just busy. You?"],
    ["B: Wow, that's amazing.", "A: Thanks, that means a lot to me!"],
    ["A: Nature is so healing, isn't it?", "B: Absolutely. I always feel better after a walk."],
    ["B: We should catch up properly some day.", "A: Definitely. Coffee soon?"],
    ["A: Family really is everything.", "B: Couldn't agree more. They keep me going."],
    ["B: I've been thinking about trying something new.", "A: Go for it! What have you got to lose?"],
    ["A: 今天天气真不错。", "B: 是啊，适合出去走走。"],
    ["B: Work has been crazy lately.", "A: Hang in there, it'll get better."],
    ["A: Look at this sunset!", "B: Gorgeous. The colours are unreal."],
    ["B: Take care, talk soon!", "A: Bye {B}, have a great one!"],
  ],
};
