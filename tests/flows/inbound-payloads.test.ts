import { Channels, Gateway } from "@parley/core";
import {
  IMABOT_APP,
  IMC_APP,
  type ImaBotServer,
  type ImaBridge,
  type ImbServer,
  type ImcServer,
  type ModelServer,
  startImaBotServer,
  startImaBridge,
  startImbServer,
  startImcServer,
  startModelServer,
} from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { IMA_TIMING } from "../../adapters/ima/src/bridge/timing.ts";
import { createImaPlugin } from "../../adapters/ima/src/index.ts";
import { PNG } from "../harness/files/sample-files.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const QUICK = { ...IMA_TIMING, firstBackoffMs: 2, maxBackoffMs: 20, conversationIntervalMs: 1, accountIntervalMs: 1 };
/** Each form of a message as its platform sends it, and the text the model reads. */
type Row = readonly [form: string, payload: object, reads: string];

const imA = (type: string, data: object) => ({ message: [{ type, data }] });
const CARD = {
  app: "com.example",
  prompt: "[Share] Night song",
  meta: { detail_1: { title: "Music", desc: "Night song", qqdocurl: "https://m.example/s/1" } },
};
const IMA_FORMS: Row[] = [
  ["text", imA("text", { text: "hello" }), "hello"],
  ["face by its number", imA("face", { id: "178" }), "[face:178]"],
  ["face by its name", imA("face", { id: "178", raw: { faceText: "/smile" } }), "[face:smile]"],
  ["sticker of a shop", imA("mface", { summary: "[cheers]", url: "https://x.example/1.gif" }), "[sticker cheers]"],
  ["dice", imA("dice", { result: "4" }), "[dice 4]"],
  ["rock paper scissors", imA("rps", { result: "3" }), "[rock paper scissors rock]"],
  ["shake", imA("shake", {}), "[shake]"],
  ["poke", imA("poke", { type: "1", id: "-1", name: "pat" }), "[poke pat]"],
  [
    "share",
    imA("share", { url: "https://x.example", title: "News", content: "Prices rise" }),
    "[share: News Prices rise https://x.example]",
  ],
  ["shared card", imA("json", { data: JSON.stringify(CARD) }), "[share: Night song https://m.example/s/1]"],
  ["shared card that is no JSON", imA("json", { data: "{" }), "[json]"],
  ["card as XML", imA("xml", { data: '<msg brief="Look at this"><title>T</title></msg>' }), "[xml: Look at this T]"],
  ["markdown", imA("markdown", { content: "# Title" }), "[markdown: # Title]"],
  [
    "music",
    imA("music", { type: "custom", title: "Song", content: "Band", url: "https://m.example/2" }),
    "[music: Song Band https://m.example/2]",
  ],
  [
    "location",
    imA("location", { lat: "31.2", lon: "121.5", title: "Cafe", content: "Main St 1" }),
    "[location Cafe Main St 1 31.2,121.5]",
  ],
  ["contact", imA("contact", { type: "group", id: "77" }), "[contact: group 77]"],
  ["text that is a number", imA("text", { text: 42 }), "42"],
  ["red packet", imA("redbag", { title: "Good luck" }), "[red packet: Good luck]"],
  [
    "card of a small program",
    imA("lightapp", { content: JSON.stringify(CARD) }),
    "[share: Night song https://m.example/s/1]",
  ],
  [
    "card of a news page",
    imA("json", {
      data: {
        prompt: "[Share] Prices",
        meta: { news: { title: "Prices", desc: "They rise", jumpUrl: "https://n.example" } },
      },
    }),
    "[share: Prices They rise https://n.example]",
  ],
  [
    "card of forwarded messages",
    imA("json", {
      data: {
        prompt: "[Chat history]",
        desc: "[Chat history]",
        meta: { detail: { news: [{ text: "Bea: hi" }, { text: "Jo: hey" }] } },
      },
    }),
    "[share: Bea: hi Jo: hey]",
  ],
  [
    "card of a place",
    imA("json", {
      data: { prompt: "[Place] Cafe", meta: { "Location.Search": { name: "Cafe", address: "Main St 1" } } },
    }),
    "[share: Cafe Main St 1]",
  ],
  [
    "announcement of a group",
    imA("json", {
      data: {
        prompt: "[Notice] News",
        meta: { mannounce: { encode: 1, title: "TmV3cw==", text: Buffer.from("We close at five").toString("base64") } },
      },
    }),
    "[share: News We close at five]",
  ],
  [
    "forwarded messages that forward others",
    imA("forward", {
      id: "f1",
      content: [
        {
          sender: { nickname: "Bea" },
          message: [
            {
              type: "forward",
              data: { content: [{ sender: { nickname: "Jo" }, message: [{ type: "text", data: { text: "deep" } }] }] },
            },
          ],
        },
      ],
    }),
    "Bea: [forwarded messages]\n  Jo: deep",
  ],
  [
    "reply whose message the bridge does not know",
    {
      message: [
        { type: "reply", data: { text: "clause 7", qq: "30003" } },
        { type: "text", data: { text: "why?" } },
      ],
    },
    "why?\n> clause 7",
  ],
  ["voice that cannot be had", imA("record", { file: "v.amr" }), "[audio v.amr: not received"],
  ["a mention of somebody", imA("at", { qq: "30003", name: "@Bea" }), "@Bea"],
  ["a mention by user_id", imA("at", { user_id: 30003 }), "@30003"],
  ["a mention in the newer form", imA("mention", { user_id: "30003", name: "Bea" }), "@Bea"],
  ["a mention of all", imA("mention_all", {}), "@all"],
  [
    "forwarded messages in nodes",
    {
      message: [
        { type: "node", data: { nickname: "Bea", user_id: 30003, content: [{ type: "text", data: { text: "hi" } }] } },
        { type: "node", data: { name: "Jo", uin: "30004", content: "hey [CQ:face,id=178]" } },
        { type: "node", data: { sender: { card: "Kit" }, message: [{ type: "dice", data: { result: 4 } }] } },
      ],
    },
    "Bea: hi\nJo: hey [face:178]\nKit: [dice 4]",
  ],
  [
    "a node within a node",
    imA("node", {
      nickname: "Bea",
      content: [{ type: "node", data: { nickname: "Jo", content: [{ type: "text", data: { text: "deep" } }] } }],
    }),
    "Bea: Jo: deep",
  ],
  ["a node that only has an id", imA("node", { id: 77 }), "[forwarded messages]"],
  [
    "keyboard",
    imA("keyboard", {
      content: {
        rows: [
          { buttons: [{ render_data: { label: "Retry" }, action: { type: 2, data: "/retry" } }] },
          { buttons: [{ render_data: { label: "Log" }, action: { type: 0, data: "https://x.example/log" } }] },
        ],
      },
    }),
    "[button: Retry][button: Log https://x.example/log]",
  ],
  ["keyboard of a template", imA("keyboard", { id: "123" }), "[button]"],
  ["gift", imA("gift", { qq: 30003, id: 4, name: "Rose" }), "[gift: Rose]"],
  ["poke by numbers", imA("poke", { type: 1, id: -1 }), "[poke]"],
  [
    "card as XML with its summary and address",
    imA("xml", {
      data: '<?xml version="1.0"?><msg brief="[Share] News" url="https://n.example/1?a=1&amp;b=2"><item><title>Prices &amp; wages</title><summary><![CDATA[They rise]]></summary></item></msg>',
    }),
    "[xml: [Share] News Prices & wages They rise https://n.example/1?a=1&b=2]",
  ],
  [
    "card of a contact",
    imA("json", { data: { prompt: "[Contact] Bea", meta: { contact: { nickname: "Bea", contact: "ID 30003" } } } }),
    "[share: Bea ID 30003]",
  ],
  ["card as an ark", imA("ark", { data: JSON.stringify(CARD) }), "[share: Night song https://m.example/s/1]"],
  ["card whose words lie elsewhere", imA("json", { data: { config: { title: "Night song" } } }), "[json]"],
  [
    "location in the newer form",
    imA("location", { latitude: 31.2, longitude: 121.5, title: "Cafe" }),
    "[location Cafe 31.2,121.5]",
  ],
  ["contact by user_id", imA("contact", { user_id: 30003, nickname: "Bea" }), "[contact: Bea 30003]"],
  ["dice in the newer form", imA("new_dice", { id: 4 }), "[dice 4]"],
  ["voice in the newer form", imA("voice", { file_id: "v.amr" }), "[audio"],
  [
    "a reply by message_id",
    {
      message: [
        { type: "reply", data: { message_id: 987654, text: "clause 7" } },
        { type: "text", data: { text: "why?" } },
      ],
    },
    "why?\n> clause 7",
  ],
];

IMA_FORMS.push(
  [
    "card of a song whose line in lists is empty",
    imA("json", {
      data: { prompt: "", meta: { music: { title: "Night song", desc: "Band", jumpUrl: "https://m.example/3" } } },
    }),
    "[share: Night song Band https://m.example/3]",
  ],
  [
    "card of an invitation",
    imA("json", { data: { prompt: "[Invitation]", meta: { news: { title: "Join us", desc: "Cats, 12 people" } } } }),
    "[share: Join us Cats, 12 people]",
  ],
  [
    "card of forwarded messages as XML",
    imA("xml", {
      data: "<msg brief='[Chat history]'><item><title>Chat history</title><title>Bea: hi</title><title>Jo: &#x4f60;&#22909; &amp; bye</title><summary>2 messages</summary></item></msg>",
    }),
    "[xml: [Chat history] Bea: hi Jo: 你好 & bye 2 messages]",
  ],
  ["location of some bridges", imA("location", { lat: 31.2, lng: 121.5, title: "Cafe" }), "[location Cafe 31.2,121.5]"],
  ["message that came as codes alone", { message: undefined, raw_message: "hi [CQ:face,id=1]" }, "hi [face:1]"],
  [
    "quote of forwarded messages",
    {
      message: [
        { type: "reply", data: { id: 4_242 } },
        { type: "text", data: { text: "so?" } },
      ],
    },
    "so?\n> Cy: [forwarded messages]\n> Ann: clause 7 applies",
  ],
);

const IMB_FORMS: readonly Row[] = [
  [
    "forwarded from a channel by an older API server",
    { text: "Prices rise", forward_from_chat: { title: "News" }, forward_signature: "Zed", forward_date: 1 },
    "[forwarded from News (Zed)]\nPrices rise",
  ],
  [
    "forwarded from a person by an older API server",
    { text: "hi", forward_from: { id: 5, first_name: "Zed", last_name: "Young" } },
    "[forwarded from Zed Young]\nhi",
  ],
  [
    "forwarded from somebody hidden by an older API server",
    { text: "hi", forward_sender_name: "Zed" },
    "from Zed]\nhi",
  ],
  [
    "poll that is over",
    {
      text: undefined,
      poll: {
        question: "Tea?",
        is_closed: true,
        options: [
          { text: "yes", voter_count: 3 },
          { text: "no", voter_count: 0 },
        ],
      },
    },
    "[poll: Tea? (yes: 3 / no: 0)]",
  ],
  [
    "game with its scores",
    { text: undefined, game: { title: "Chess", description: "Play", text: "Zed 5" } },
    "[game: Chess, Play, Zed 5]",
  ],
  [
    "giveaway of the platform",
    { text: undefined, giveaway: { chats: [{ title: "News" }], winner_count: 3, premium_subscription_month_count: 6 } },
    "[giveaway: News Premium for 6 months 3 winners]",
  ],
  ["text", { text: "hello" }, "hello"],
  [
    "link behind a text",
    { text: "see here", entities: [{ type: "text_link", offset: 4, length: 4, url: "https://hidden.example/x" }] },
    "see here (https://hidden.example/x)",
  ],
  [
    "mention of the bot in a link",
    {
      text: "ask @parley_bot here, please",
      entities: [
        { type: "text_link", offset: 4, length: 16, url: "https://hidden.example/x" },
        { type: "mention", offset: 4, length: 11 },
        { type: "bold", offset: 0, length: 28 },
      ],
    },
    "ask @parley_bot here (https://hidden.example/x), please",
  ],
  [
    "checklist",
    {
      text: undefined,
      checklist: {
        title: "Shopping",
        tasks: [
          { id: 1, text: "milk" },
          { id: 2, text: "tea", completion_date: 1700000000 },
        ],
      },
    },
    "[checklist: Shopping ☐ milk ☑ tea]",
  ],
  [
    "invoice",
    { text: undefined, invoice: { title: "Tea", description: "Green", currency: "EUR", total_amount: 450 } },
    "[invoice: Tea, Green 4.50 EUR]",
  ],
  [
    "invoice in stars",
    { text: undefined, invoice: { title: "Tea", description: "", currency: "XTR", total_amount: 5 } },
    "[invoice: Tea 5 XTR]",
  ],
  [
    "paid files",
    { text: undefined, caption: "look", paid_media: { star_count: 2, paid_media: [{ type: "photo" }] } },
    "look\n[paid files: photo]",
  ],
  [
    "poll with an explanation",
    { text: undefined, poll: { question: "Tea?", description: "For Monday", options: [{ text: "yes" }] } },
    "[poll: Tea? For Monday (yes)]",
  ],
  ["caption of a file", { caption: "look", document: { file_id: "D1", file_name: "a.txt" }, text: undefined }, "look"],
  ["sticker", { text: undefined, sticker: { file_id: "S1", emoji: "😀", is_animated: true } }, "[sticker 😀]"],
  ["dice", { text: undefined, dice: { emoji: "🎲", value: 4 } }, "[dice 🎲 4]"],
  ["location", { text: undefined, location: { latitude: 31.2, longitude: 121.5 } }, "[location 31.2,121.5]"],
  [
    "venue",
    {
      text: undefined,
      venue: { title: "Cafe", address: "Main St 1", location: { latitude: 1, longitude: 2 } },
      location: { latitude: 1, longitude: 2 },
    },
    "[place: Cafe, Main St 1]",
  ],
  ["contact", { text: undefined, contact: { phone_number: "+100", first_name: "Zed" } }, "[contact: Zed +100]"],
  [
    "poll",
    { text: undefined, poll: { question: "Tea?", options: [{ text: "yes" }, { text: "no" }] } },
    "[poll: Tea? (yes / no)]",
  ],
  ["game", { text: undefined, game: { title: "Chess", description: "Play" } }, "[game: Chess, Play]"],
  [
    "forwarded from a channel",
    { text: "Prices rise", forward_origin: { type: "channel", chat: { title: "News" } } },
    "[forwarded from News]\nPrices rise",
  ],
  [
    "forwarded from somebody hidden",
    { text: "hi", forward_origin: { type: "hidden_user", sender_user_name: "Zed" } },
    "[forwarded from Zed]\nhi",
  ],
  [
    "quote of a part",
    {
      text: "what does this mean?",
      reply_to_message: { message_id: 7, from: { id: 703, first_name: "Cy" }, date: 1, text: "clause 7 applies" },
      quote: { text: "clause 7", position: 0 },
    },
    "what does this mean?\n> Cy: clause 7",
  ],
  [
    "quote of a whole",
    {
      text: "why?",
      reply_to_message: { message_id: 7, from: { id: 703, first_name: "Cy" }, date: 1, text: "clause 7\napplies" },
    },
    "why?\n> Cy: clause 7\n> applies",
  ],
  [
    "quote of a poll",
    {
      text: "yes",
      reply_to_message: { message_id: 7, from: { id: 703, first_name: "Cy" }, poll: { question: "Tea?" } },
    },
    "yes\n> Cy: [poll: Tea?]",
  ],
  [
    "quote of another chat",
    {
      text: "true?",
      external_reply: { origin: { type: "channel", chat: { title: "News" } } },
      quote: { text: "Prices rise" },
    },
    "true?\n> News: Prices rise",
  ],
  [
    "quote of another chat that is a picture",
    {
      text: "true?",
      external_reply: { origin: { type: "channel", chat: { title: "News" } }, photo: [{ file_id: "P9" }] },
    },
    "true?\n> News: [image]",
  ],
  [
    "quote of another chat that is a place",
    {
      text: "there?",
      external_reply: {
        origin: { type: "user", sender_user: { id: 5, first_name: "Zed" } },
        venue: { title: "Cafe", address: "Main St 1", location: { latitude: 1, longitude: 2 } },
      },
    },
    "there?\n> Zed: [place: Cafe, Main St 1]",
  ],
  [
    "quote of another chat whose text the platform keeps",
    {
      text: "true?",
      external_reply: { origin: { type: "channel", chat: { title: "News" } }, message_id: 4, chat: { id: -9 } },
    },
    "true?\n> News: [message]",
  ],
  [
    "quote of a part with a link",
    {
      text: "true?",
      reply_to_message: { message_id: 7, from: { id: 703, first_name: "Cy" }, text: "see here for more" },
      quote: {
        text: "see here",
        entities: [{ type: "text_link", offset: 4, length: 4, url: "https://hidden.example/x" }],
      },
    },
    "true?\n> Cy: see here (https://hidden.example/x)",
  ],
  [
    "quote of a forwarded message",
    {
      text: "true?",
      reply_to_message: {
        message_id: 7,
        from: { id: 703, first_name: "Cy" },
        text: "Prices rise",
        forward_origin: { type: "channel", chat: { title: "News" } },
      },
    },
    "true?\n> Cy: [forwarded from News] Prices rise",
  ],
  [
    "quote of a message with buttons",
    {
      text: "which?",
      reply_to_message: {
        message_id: 7,
        from: { id: 703, first_name: "Cy" },
        text: "Choose",
        reply_markup: {
          inline_keyboard: [
            [{ text: "Tea", callback_data: "t" }],
            [
              { text: "Shop", url: "https://shop.example" },
              { text: "App", web_app: { url: "https://app.example" } },
            ],
          ],
        },
      },
    },
    "which?\n> Cy: Choose [button: Tea] [button: Shop https://shop.example] [button: App https://app.example]",
  ],
  [
    "message with buttons",
    {
      text: "Choose",
      via_bot: { id: 9 },
      reply_markup: { inline_keyboard: [[{ text: "Shop", url: "https://shop.example" }]] },
    },
    "Choose\n[button: Shop https://shop.example]",
  ],
  [
    "answer to a story",
    { text: "nice", reply_to_story: { id: 4, chat: { id: -9, title: "News" } } },
    "nice\n> News: [story]",
  ],
  [
    "answer to a story of a person",
    { text: "nice", reply_to_story: { id: 4, chat: { id: 5, first_name: "Zed", type: "private" } } },
    "nice\n> Zed: [story]",
  ],
  ["story", { text: undefined, story: { id: 4, chat: { id: -9, title: "News" } } }, "[story: News]"],
  [
    "giveaway",
    {
      text: undefined,
      giveaway: {
        chats: [{ title: "News" }],
        winners_selection_date: 1700000000,
        winner_count: 3,
        prize_description: "A teapot",
      },
    },
    "[giveaway: News A teapot 3 winners 2023-11-14T22:13:20.000Z]",
  ],
  [
    "winners of a giveaway",
    {
      text: undefined,
      giveaway_winners: {
        chat: { title: "News" },
        winner_count: 1,
        winners: [{ id: 5, first_name: "Zed" }],
        prize_description: "A teapot",
      },
    },
    "[giveaway: News A teapot 1 winners Zed]",
  ],
  [
    "gift",
    { text: undefined, gift: { gift: { sticker: { emoji: "🎁" }, star_count: 15 }, text: "For you" } },
    "[gift: 🎁 For you]",
  ],
  [
    "shared people",
    { text: undefined, users_shared: { users: [{ user_id: 5, first_name: "Zed" }] } },
    "[shared contact: Zed]",
  ],
  ["shared chat", { text: undefined, chat_shared: { chat_id: -9, title: "News" } }, "[shared chat: News]"],
  [
    "quote of a giveaway, a game and paid files",
    {
      text: "which?",
      reply_to_message: {
        message_id: 7,
        from: { id: 703, first_name: "Cy" },
        giveaway: { chats: [], winner_count: 2 },
        game: { title: "Chess", description: "Play" },
        paid_media: { paid_media: [{ type: "video" }] },
      },
    },
    "which?\n> Cy: [paid files: video] [game: Chess, Play] [giveaway: 2 winners]",
  ],
];

const imC = (message_type: string, content: object, more: object = {}) => ({
  message_type,
  content: JSON.stringify(content),
  ...more,
});
const MENTIONS = [
  { key: "@_user_1", id: { open_id: IMC_APP.botId }, name: "Bot" },
  { key: "@_user_2", id: { open_id: "ou_b" }, name: "Bea" },
  { key: "@_user_10", id: { open_id: "ou_j" }, name: "Jo" },
  { key: "@_user_11", id: { open_id: "ou_k" }, name: "Kit @_user_2" },
];
const IMC_FORMS: readonly Row[] = [
  ["mention of all", imC("text", { text: "@_all hello" }), "@all hello"],
  [
    "mentions of a post",
    imC("post", {
      content: [
        [
          { tag: "at", user_id: "@_all", user_name: "Everyone" },
          { tag: "at", user_id: "ou_z", user_name: "Zed" },
          { tag: "at", user_id: "ou_y" },
        ],
      ],
    }),
    "@all@Zed@ou_y",
  ],
  [
    "mention without a name",
    imC("text", { text: "ask @_user_2" }, { mentions: [{ key: "@_user_2", id: { open_id: "ou_z" } }] }),
    "ask @ou_z",
  ],
  [
    "card with labels",
    imC("interactive", {
      header: {
        title: { tag: "plain_text", content: "Build" },
        text_tag_list: [{ tag: "text_tag", text: { tag: "plain_text", content: "Urgent" } }],
      },
      elements: [{ tag: "input", label: { tag: "plain_text", content: "Reason" }, placeholder: { content: "Why" } }],
    }),
    "Build\nUrgent\nReason\nWhy",
  ],
  ["text", imC("text", { text: "hello" }), "hello"],
  [
    "mentions",
    imC("text", { text: "@_user_1 invite @_user_2 @_user_10 @_user_11" }, { mentions: MENTIONS }),
    "invite @Bea @Jo @Kit @_user_2",
  ],
  [
    "post with a link",
    imC("post", { title: "T", content: [[{ tag: "a", text: "here", href: "https://x.example" }]] }),
    "T\nhere (https://x.example)",
  ],
  ["sticker", imC("sticker", { file_key: "f" }), "[sticker]"],
  ["location", imC("location", { name: "Cafe", latitude: "31.2", longitude: "121.5" }), "[location Cafe 31.2,121.5]"],
  ["shared chat", imC("share_chat", { chat_id: "oc_9" }), "[shared chat: oc_9]"],
  ["shared contact", imC("share_user", { user_id: "ou_9" }), "[shared contact: ou_9]"],
  ["vote", imC("vote", { topic: "Tea?", options: ["yes", "no"] }), "[vote: Tea? yes no]"],
  [
    "task",
    imC("todo", { summary: { title: "", content: [[{ tag: "text", text: "Buy tea" }]] }, due_time: "1700000000000" }),
    "[task: Buy tea 2023-11-14T22:13:20.000Z]",
  ],
  ["video call", imC("video_chat", { topic: "Stand-up", start_time: "1700000000000" }), "[video call: Stand-up 2023"],
  [
    "card",
    imC("interactive", {
      title: "Build",
      elements: [
        [
          { tag: "text", text: "Failed: " },
          { tag: "a", text: "log", href: "https://x.example" },
        ],
        [{ tag: "button", text: "Retry" }],
      ],
    }),
    "Build\nFailed: log (https://x.example)\nRetry",
  ],
  [
    "card as it was built",
    imC("interactive", {
      schema: "2.0",
      header: { title: { tag: "plain_text", content: "Build" } },
      body: {
        elements: [
          { tag: "markdown", content: "**Failed**" },
          { tag: "div", text: { tag: "lark_md", content: "at five" } },
        ],
      },
    }),
    "Build\n**Failed**\nat five",
  ],
  [
    "card in several languages",
    imC("interactive", {
      header: { title: { tag: "plain_text", i18n: { en_us: "Build", zh_cn: "构建" } } },
      i18n_elements: {
        en_us: [{ tag: "markdown", content: "**Failed**" }],
        zh_cn: [{ tag: "markdown", content: "**失败**" }],
      },
    }),
    "Build\n**Failed**",
  ],
  [
    "card with a header in several languages",
    imC("interactive", {
      i18n_header: { zh_cn: { title: { tag: "plain_text", content: "构建" } } },
      i18n_elements: { zh_cn: [{ tag: "div", text: { tag: "lark_md", content: "失败" } }] },
    }),
    "构建\n失败",
  ],
  [
    "card as JSON in a text",
    imC("interactive", {
      card_schema: 2,
      json_card: JSON.stringify({
        header: { tag: "card_header", property: { title: { tag: "plain_text", property: { content: "Build" } } } },
        body: {
          tag: "body",
          property: {
            elements: [
              { tag: "plain_text", property: { content: "Failed" } },
              { tag: "button", property: { text: { tag: "plain_text", property: { content: "Retry" } } } },
            ],
          },
        },
      }),
    }),
    "Build\nFailed\nRetry",
  ],
  [
    "card with buttons",
    imC("interactive", {
      elements: [
        { tag: "div", text: { tag: "plain_text", content: "Failed" } },
        {
          tag: "action",
          actions: [
            { tag: "button", text: { tag: "plain_text", content: "Log" }, url: "https://x.example/log" },
            {
              tag: "button",
              text: { tag: "plain_text", content: "Code" },
              multi_url: { url: "https://x.example/code" },
            },
            { tag: "button", text: "Docs", behaviors: [{ type: "open_url", default_url: "https://x.example/docs" }] },
            { tag: "button", text: { tag: "plain_text", content: "Retry" }, value: { a: 1 } },
          ],
        },
      ],
    }),
    "Failed\nLog (https://x.example/log)\nCode (https://x.example/code)\nDocs (https://x.example/docs)\nRetry",
  ],
  [
    "card with a menu and an address of its own",
    imC("interactive", {
      card_link: { url: "https://x.example" },
      elements: [
        { tag: "overflow", options: [{ text: { tag: "plain_text", content: "Log" }, url: "https://x.example/log" }] },
      ],
    }),
    "Log (https://x.example/log)\nhttps://x.example",
  ],
  [
    "card with a table",
    imC("interactive", {
      body: {
        elements: [
          {
            tag: "table",
            columns: [
              { name: "who", display_name: "Who" },
              { name: "n", display_name: "Number" },
            ],
            rows: [
              { who: "Bea", n: 5 },
              { who: { tag: "plain_text", content: "Jo" }, n: 7 },
            ],
          },
        ],
      },
    }),
    "Who | Number\nBea | 5\nJo | 7",
  ],
  [
    "card with a mention in a line",
    imC("interactive", {
      elements: [
        [
          { tag: "text", text: "Ask " },
          { tag: "at", user_id: "ou_b", user_name: "Bea" },
        ],
      ],
    }),
    "Ask @Bea",
  ],
  ["folder", imC("folder", { file_key: "f", file_name: "Plans" }), "[folder: Plans]"],
  [
    "quote of a card",
    imC("text", { text: "why?" }, { parent_id: "om_card" }),
    "why?\n> Build\n> Log (https://x.example/log)",
  ],
  ["forwarded messages", imC("merge_forward", {}, { message_id: "om_forward" }), "clause 7 applies\n[image]"],
  ["quote of forwarded messages", imC("text", { text: "so?" }, { parent_id: "om_forward" }), "so?\n> clause 7 applies"],
  ["red packet", imC("hongbao", { text: "Good luck" }), "[red packet: Good luck]"],
  [
    "event of a calendar",
    imC("general_calendar", { summary: "Meeting", start_time: "1700000000000" }),
    "[event: Meeting 2023-11-14T22:13:20.000Z]",
  ],
  ["quote", imC("text", { text: "why?" }, { parent_id: "om_text" }), "why?\n> clause 7 applies"],
  ["quote of a picture", imC("text", { text: "who?" }, { parent_id: "om_image" }), "who?\n> [image]"],
];

const BOT_FORMS: readonly Row[] = [
  ["text with escaped signs", { content: "1 &lt; 2 &amp;&amp; &amp;lt;" }, "1 < 2 && &lt;"],
  ["text", { content: "hello" }, "hello"],
  [
    "face",
    { content: `hi <faceType=1,faceId="5",ext="${Buffer.from('{"text":"cry"}').toString("base64")}">` },
    "hi [face:cry]",
  ],
  ["sign of a guild", { content: "hi <emoji:4>" }, "hi [face:4]"],
  [
    "mentions",
    {
      content: "<@!7> invite <@!8> now",
      mentions: [
        { id: "7", username: "Bot", bot: true },
        { id: "8", username: "Bea" },
      ],
    },
    "invite @Bea now",
  ],
];
const GENERIC_FORMS: readonly Row[] = [["text", { content: "hello" }, "hello"]];

let models: ModelServer;
let bridge: ImaBridge;
let imb: ImbServer;
let imc: ImcServer;
let bot: ImaBotServer;
let parley: Parley;
let api: Client;
let count = 0;

beforeAll(async () => {
  [models, bridge, imb, imc, bot] = await Promise.all([
    startModelServer(),
    startImaBridge({ token: "sesame" }),
    startImbServer(),
    startImcServer(),
    startImaBotServer(),
  ]);
  parley = await startParley({
    plugins: [createImaPlugin(QUICK)],
    env: {
      IMA_ACCESS_TOKEN: "sesame",
      IMB_BOT_TOKEN: "42:secret",
      IMB_WEBHOOK_SECRET: "s",
      IMC_APP_SECRET: IMC_APP.secret,
      IMC_ENCRYPT_KEY: "encrypt-key",
      IMC_VERIFICATION_TOKEN: "vt",
      IMABOT_APP_SECRET: IMABOT_APP.secret,
    },
  });
  api = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.put("/api/channels/imA", { config: { ws_uri: bridge.address } });
  await api.post("/api/channels/imA/toggle", { enabled: true });
  await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: bot.address } });
  await api.post("/api/channels/imAbot/toggle", { enabled: true });
  await api.post("/api/channels/presets/imB", { config: { api_base: imb.address, paced: false } });
  await api.post("/api/channels/presets/imC", { config: { app_id: IMC_APP.id, api_base: imc.address } });
  await api.post("/api/channels", { id: "door", name: "door", config: { auth: { type: "none" } } });
  const isUp = (channel: string) => expect(parley.host.get(Channels).status(channel).connected).toBe(true);
  await vi.waitFor(() => ["imA", "imAbot"].forEach(isUp), { timeout: 20_000 });
  imb.useWebhook({ url: `${parley.address}/api/channels/imB/imB/webhook`, secret_token: "s" });
  const url = `${parley.address}/api/channels/imC/imC/webhook`;
  imc.useWebhook({ url, encryptKey: "encrypt-key", verificationToken: "vt" });
  const quoted = { sender: { id: "ou_cy", sender_type: "user" }, mentions: [] };
  const text = { msg_type: "text", body: { content: '{"text":"clause 7 applies"}' } };
  const image = { msg_type: "image", body: { content: '{"image_key":"img_1"}' } };
  imc.messages.set("om_text", { message_id: "om_text", ...quoted, ...text });
  const button = { tag: "button", text: { tag: "plain_text", content: "Log" }, url: "https://x.example/log" };
  const card = { title: "Build", elements: [{ tag: "action", actions: [button] }] };
  const cardMessage = { msg_type: "interactive", body: { content: JSON.stringify(card) } };
  imc.messages.set("om_card", { message_id: "om_card", ...quoted, ...cardMessage });
  imc.messages.set("om_image", { message_id: "om_image", ...quoted, ...image });
  const forward = { message_id: "om_forward", msg_type: "merge_forward", body: { content: "Merged and Forwarded" } };
  imc.messages.set("om_forward", [forward, { ...quoted, ...text }, { ...quoted, message_id: "om_image", ...image }]);
  const history = [{ type: "forward", data: { id: "f42" } }];
  await bridge.say("private:30009", history, { message_id: 4_242, sender: { nickname: "Cy" } });
  bridge.forwards.set("f42", [{ sender: { nickname: "Ann" }, content: "clause 7 applies" }]);
  imc.members.set("oc_group", { ou_lin: "Lin", ou_cy: "Cy" });
  // The first message is answered before the others are sent.
  await vi.waitFor(() => expect(models.requests).toHaveLength(1), { timeout: 20_000 });
  await parley.host.get(Gateway).idle();
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  for (const server of [models, bridge, imb, imc, bot]) await server[Symbol.asyncDispose]();
});

const nextNumber = () => 1_000 + ++count;
/** Sends a message and returns the last text that the model received. */
async function getRead(say: () => Promise<unknown>): Promise<string> {
  const before = models.requests.length;
  await say();
  await vi.waitFor(() => expect(models.requests.length).toBeGreaterThan(before), { timeout: 20_000 });
  await parley.host.get(Gateway).idle();
  const last = models.requests[before]?.body.messages.at(-1);
  expect(last?.role).toBe("user");
  const content = last?.content;
  return typeof content === "string" ? content : JSON.stringify(content);
}

const SAY: Readonly<Record<string, (payload: object) => Promise<unknown>>> = {
  imA: async (payload) => bridge.say(`private:${nextNumber()}`, "", payload),
  imB: (payload) => imb.say(String(nextNumber()), "", payload),
  imC: (payload) => imc.say(`oc_${nextNumber()}`, "", payload),
  imAbot: async (payload) => {
    const id = String(nextNumber());
    bot.push("C2C_MESSAGE_CREATE", { id, author: { user_openid: `U${id}` }, ...payload });
  },
  generic: async (payload) => {
    const id = String(nextNumber());
    await api.send("POST", "/api/gateway/door/webhook", { body: { message_id: id, user_id: `u-${id}`, ...payload } });
  },
};

describe.each([
  ["imA", IMA_FORMS],
  ["imB", IMB_FORMS],
  ["imC", IMC_FORMS],
  ["imAbot", BOT_FORMS],
  ["generic", GENERIC_FORMS],
] as const)("the model's input for a message on %s", (channel, rows) => {
  test.each(rows)("contains %s", async (_form, payload, reads) => {
    expect(await getRead(() => SAY[channel]?.(payload) ?? Promise.resolve())).toContain(reads);
  });
});

describe("in a group", () => {
  const at = { type: "at", data: { qq: "10001" } };
  const atByUserId = { type: "at", data: { user_id: "10001" } };
  const atByNumber = { type: "mention", data: { user_id: 10_001 } };
  const mention = { entities: [{ type: "mention", offset: 0, length: 11 }] };
  const cy = { id: 703, first_name: "Cy" };
  const sayOnImC = (message: object) =>
    imc.say("oc_group", "", { chat_type: "group", mentions: [MENTIONS[0]], ...message });
  const inRoom = { conversation_id: "room-1", is_group: true, mentioned: true, sender: "Lin" };
  const asLin = { message_type: "text", content: '{"text":"@_user_1"}' };

  test.each([
    ["imA", () => bridge.say("group:501", [at]), "Lin: (Lin mentions you)"],
    ["imA by user_id", () => bridge.say("group:504", [atByUserId]), "Lin: (Lin mentions you)"],
    ["imA by a number", () => bridge.say("group:505", [atByNumber]), "Lin: (Lin mentions you)"],
    ["imB", () => imb.say("-501", "@parley_bot", mention), "Lin: (Lin mentions you)"],
    ["imC", () => sayOnImC(asLin), "mentions you)"],
    ["generic", () => SAY.generic?.({ ...inRoom, content: "" }), "Lin: (Lin mentions you)"],
    ["generic without a text", () => SAY.generic?.(inRoom), "Lin: (Lin mentions you)"],
    ["generic with an invisible text", () => SAY.generic?.({ ...inRoom, text: "\u200b" }), "Lin: (Lin mentions you)"],
    [
      "imAbot",
      async () =>
        bot.push("GROUP_AT_MESSAGE_CREATE", {
          id: "g1",
          content: " ",
          group_openid: "G",
          author: { member_openid: "M9" },
        }),
      "mentions you)",
    ],
  ])("a bare mention calls the model with the sender's name, on %s", async (_channel, say, reads) => {
    expect(await getRead(async () => say())).toContain(reads);
  });

  test.each([
    [
      "imA",
      async () => {
        await bridge.say("group:502", "clause 7 applies", { message_id: 71 });
        return bridge.say("group:502", [{ type: "reply", data: { id: 71 } }, at]);
      },
      "(Lin mentions you)\n> Lin: clause 7 applies",
    ],
    [
      "imB",
      () =>
        imb.say("-502", "@parley_bot", { ...mention, reply_to_message: { message_id: 7, from: cy, text: "clause 7" } }),
      "(Lin mentions you)\n> Cy: clause 7",
    ],
    ["imC", () => sayOnImC({ ...asLin, parent_id: "om_text" }), "> Cy: clause 7 applies"],
  ])("a mention with a quote asks about the quoted message, on %s", async (_channel, say, reads) => {
    expect(await getRead(async () => say())).toContain(reads);
  });

  test("another mentioned person is shown by name", async () => {
    bridge.members.set("30003", { card: "Bea", nickname: "B" });
    const others = ["30003", "30004"].map((qq) => ({ type: "at", data: { qq } }));
    expect(await getRead(async () => bridge.say("group:506", [at, ...others]))).toContain("Lin: @Bea @30004");
  });

  test("a quoted picture is sent to the model", async () => {
    const photo = [{ file_id: "P1", width: 1, height: 1 }];
    imb.files.set("P1", PNG);
    const quoting = { ...mention, reply_to_message: { message_id: 7, from: cy, photo } };
    await getRead(() => imb.say("-503", "@parley_bot who?", quoting));
    const { items } = await api.get<{ items: readonly { attachments: readonly object[] }[] }>(
      "/api/sessions/imB:-503/messages",
    );
    expect(items[0]?.attachments).toEqual([expect.objectContaining({ type: "image" })]);
  });
});

describe("an unreadable message", () => {
  const imcKinds = ["interactive", "merge_forward", "vote", "todo", "folder", "video_chat", "calendar"];
  const noticeByChannel = {
    imA: async (type: string, user: number) => {
      await bridge.say(`private:${user}`, [{ type, data: {} }]);
      await bridge.seen(({ to }) => to === `private:${user}`);
      return bridge.shown(`private:${user}`);
    },
    imB: async (kind: string, user: number) => {
      await imb.say(String(user), "", {
        text: undefined,
        [kind]: {},
        from: { id: user, first_name: "Lin", language_code: "zh" },
      });
      await imb.seen(({ chat }) => chat === user);
      return imb.shown(String(user));
    },
    imAbot: async (kind: string, user: number) => {
      bot.push("C2C_MESSAGE_CREATE", {
        id: String(user),
        content: "",
        author: { user_openid: `U${user}` },
        [kind]: {},
      });
      await bot.seen(({ to }) => to.includes(`U${user}`));
      return bot.shown(`private:U${user}`);
    },
    imC: async (message_type: string, user: number) => {
      await imc.say(`oc_${user}`, "", { message_type, content: "{}" });
      await imc.seen(({ chat }) => chat === `oc_${user}`);
      return imc.shown(`oc_${user}`);
    },
  };

  test.each([
    ...imcKinds.map((kind) => ["imC", kind, "can't read"] as const),
    ...["checklist", "story", "paid_media", "some_future_kind"].map((kind) => ["imB", kind, "无法读取"] as const),
    ["imA", "hologram", "can't read"] as const,
    ["imAbot", "ark", "can't read"] as const,
    ["imAbot", "something_new", "can't read"] as const,
  ])("is reported to its sender in private, without calling a model: %s %s", async (channel, kind, notice) => {
    const before = models.requests.length;
    expect(await noticeByChannel[channel](kind, nextNumber())).toEqual([expect.stringContaining(notice)]);
    await parley.host.get(Gateway).idle();
    expect(models.requests.length).toBe(before);
  });

  test("is ignored in a group, unless it is addressed to the bot", async () => {
    await imb.say("-601", "", { text: undefined, story: {} });
    await imb.say("-601", "", { text: undefined, new_chat_members: [] });
    await imc.say("oc_601", "", { chat_type: "group", message_type: "vote", content: "{}" });
    await bridge.say("group:601", [{ type: "hologram", data: {} }]);
    // An unknown kind of chat is neither private nor a group.
    await imc.say("oc_601", "", { chat_type: "topic_group", message_type: "text", content: '{"text":"hi"}' });
    await parley.host.get(Gateway).idle();
    await bridge.say("group:601", [
      { type: "at", data: { qq: "10001" } },
      { type: "hologram", data: {} },
    ]);
    await bridge.seen(({ to }) => to === "group:601");
    expect(bridge.shown("group:601")).toHaveLength(1);
    expect([imb.shown("-601"), imc.shown("oc_601")]).toEqual([[], []]);
  });

  test("with invisible characters only gets no answer", async () => {
    const before = models.requests.length;
    await imb.say("701", "\u200b\u2060 \u200b");
    await bridge.say("private:702", "\u200b");
    await parley.host.get(Gateway).idle();
    expect(models.requests.length).toBe(before);
    expect([imb.shown("701"), bridge.shown("private:702")]).toEqual([[], []]);
  });
});
