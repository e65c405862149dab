import type { Conversations } from "./conversations.ts";

/** The conversations the index was tuned on. */
export const TUNED: Conversations = {
  start: Date.UTC(2023, 1, 6),
  speakers: [
    ["Audrey", "Sam"],
    ["Joanna", "Tim"],
    ["Evan", "Jolene"],
  ],
  words: {
    sport: ["fencing", "judo", "rowing", "archery"],
    club: ["chess club", "book circle", "birdwatching group", "choir"],
    town: ["Tallinn", "Valencia", "Dunedin", "Kraków"],
    gadget: ["espresso machine", "3D printer", "drone", "record player"],
    fruit: ["plums", "quinces", "figs", "apricots"],
    illness: ["pneumonia", "shingles", "tonsillitis", "a slipped disc"],
    game: ["a farming simulator", "a detective game", "a puzzle platformer", "a pirate card game"],
    topic: ["marine law", "nursing", "landscape design", "robotics"],
    singer: ["Nina Vale", "The Copper Birds", "Ludo Marsh", "Orchid Parade"],
    pet: ["cockatiel", "ferret", "tabby", "gecko"],
  },
  exchanges: [
    {
      lines: [
        "*A: I joined a {club} on Wednesday, they are lovely people.",
        "B: Nice! Will you go again?",
        "A: Every week if they let me.",
      ],
      asked: [
        ["when", "When did {A} become a member of the {club}?"],
        ["fact", "Which group has {A} joined?"],
      ],
    },
    {
      lines: [
        "B: What did the doctor say?",
        "*A: It's {illness}. Ten days in bed and no screens.",
        "B: Poor you! I'll bring soup.",
      ],
      asked: [["fact", "What was {A} diagnosed with?"]],
    },
    {
      lines: [
        "*B: My brother and I flew to {town} last weekend for his birthday.",
        "A: How sweet. Did he like it?",
        "*B: He proposed to his girlfriend there, right on the old bridge!",
      ],
      asked: [
        ["when", "When was {B} in {town}?"],
        ["fact", "Where did {B}'s brother get engaged?"],
      ],
    },
    {
      lines: [
        "*A: I've bought an {gadget}, the kitchen looks like a lab now.",
        "B: How much was it?",
        "*A: Two hundred, from a guy who was moving abroad.",
      ],
      asked: [
        ["fact", "What did {A} purchase?"],
        ["fact", "How much did {A} pay for the {gadget}?"],
      ],
    },
    {
      lines: [
        "A: How's school?",
        "*B: I switched to {topic} in September. My parents are still digesting it.",
        "A: Good for you, follow your heart.",
      ],
      asked: [
        ["changed", "What is {B} studying now?"],
        ["when", "When did {B} change the subject of study?"],
      ],
    },
    {
      lines: [
        "B: Any plans for tonight?",
        "*A: I'm making jam. The neighbour left a bucket of {fruit} at the door yesterday.",
        "B: Can I have a jar?",
      ],
      asked: [
        ["who", "Who gave {A} {fruit}?"],
        ["when", "When did {A} receive the {fruit}?"],
      ],
    },
    {
      lines: [
        "*B: I won the {sport} tournament on Sunday!",
        "A: That's huge! How do you feel?",
        "B: Sore, and about ten feet tall.",
      ],
      asked: [
        ["when", "When did {B} win a {sport} competition?"],
        ["fact", "What did {B} win?"],
      ],
    },
    {
      lines: ["A: Do you play an instrument?", "*B: The viola, since I was six. My grandfather built it for me."],
      asked: [
        ["who", "Who made {B}'s viola?"],
        ["fact", "What instrument does {B} play?"],
      ],
    },
    {
      lines: [
        "*A: Saw {singer} live last night, front row.",
        "B: Seriously? Who did you drag along?",
        "*A: My cousin Petra, she knows every word.",
      ],
      asked: [
        ["when", "When was {A} at the {singer} concert?"],
        ["who", "Who accompanied {A} to the gig?"],
      ],
    },
    {
      lines: [
        "*B: I've been hooked on {game}, three nights in a row.",
        "A: Haha, do you ever sleep?",
        "B: Sleep is for people without quests.",
      ],
      asked: [["fact", "Which video game does {B} enjoy?"]],
    },
    {
      lines: ["*A: To relax I knit, mostly terrible scarves.", "B: I'd wear one!"],
      asked: [["several", "What are {A}'s hobbies?"]],
      more: "hobby",
    },
    {
      lines: ["B: What do you do on Sundays?", "*A: I love gardening, my hands are always in the mud."],
      asked: [],
      more: "hobby",
    },
    {
      lines: [
        "*B: The {pet} escaped on Friday and we found it in the piano.",
        "A: In the piano?!",
        "B: It had made a nest from sheet music.",
      ],
      asked: [
        ["when", "When did {B}'s {pet} get out?"],
        ["fact", "Where was {B}'s pet discovered?"],
      ],
    },
    {
      lines: [
        "A: Have you told your boss?",
        "*B: Yes, I handed in my notice last week. Now I'm terrified and free.",
        "A: I'm so proud of you!",
      ],
      asked: [["when", "When did {B} quit?"]],
    },
    {
      lines: ["A: 你新工作怎么样？", "*B: 还不错，上周一入职的，在一家做地图的公司。", "A: 那恭喜你。"],
      asked: [
        ["when", "{B}什么时候开始新工作的？"],
        ["fact", "{B}现在在什么公司上班？"],
      ],
    },
    {
      lines: ["*A: 我爸前天住院了，胆结石。", "B: 严重吗？", "A: 医生说做个小手术就好。"],
      asked: [["fact", "{A}的父亲得了什么病？"]],
    },
  ],
  chatter: [
    ["A: Hi {B}! Long time no see. What's new?", "B: Hey {A}! So much to tell you."],
    ["B: That sounds wonderful.", "A: It really was, thank you for asking."],
    ["A: I needed that laugh.", "B: Any time!"],
    ["B: What keeps you motivated?", "A: Small steps, and people like you."],
    ["A: Is it raining at yours, too?", "B: Cats and dogs."],
    ["B: We must play together one day.", "A: I'd love that."],
    ["A: Music always lifts my mood.", "B: Mine, too. It's the best therapy."],
    ["B: 早点休息吧。", "A: 好的，晚安。"],
    ["A: I keep thinking of my family.", "B: They're lucky to have you."],
    ["B: See you!", "A: Bye, take care {B}!"],
  ],
};
