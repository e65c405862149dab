/** Ways in which a package of a third party can be wrong. */
export type EchoManner = "right" | "throws" | "blocks" | "odd";

interface EchoOptions {
  readonly word?: string;
  readonly manner?: EchoManner;
}

interface EchoedMessage {
  readonly id: string;
  readonly thread: string;
  readonly text: string;
}

interface Chat {
  processMessage(adapter: object, threadId: string, message: () => Promise<unknown>, options: object): Promise<void>;
}

/** Texts that channels of this package have sent, oldest first. */
export const echoed: string[] = [];

/** Makes an adapter with the interface of the Chat SDK for a platform whose requests carry a word in `x-word`. */
export function createEchoAdapter({ word, manner = "right" }: EchoOptions) {
  let chat: Chat | undefined;
  let lastId = 0;
  const misbehave = async () => {
    if (manner === "throws") throw new Error("the package is broken");
    if (manner === "blocks") await new Promise(() => {});
  };
  const adapter = {
    name: "echo",
    async initialize(given: Chat) {
      chat = given;
    },
    async handleWebhook(request: Request, options: object): Promise<Response> {
      if (request.method === "GET") return new Response(new URL(request.url).searchParams.get("challenge"));
      if (request.headers.get("x-word") !== word) return new Response("wrong word", { status: 401 });
      const { id, thread, text }: EchoedMessage = JSON.parse(await request.text());
      const author = { userId: "ann", userName: "Ann", isMe: false };
      const message = { id: manner === "odd" ? 7 : id, threadId: thread, text, author, attachments: [] };
      const parse = async () => {
        await misbehave();
        return message;
      };
      chat?.processMessage(adapter, thread, parse, options).catch(() => undefined);
      return new Response("ok");
    },
    async postMessage(_threadId: string, { markdown }: { readonly markdown: string }) {
      await misbehave();
      echoed.push(markdown);
      lastId += 1;
      return manner === "odd" ? 7 : { id: `e${lastId}` };
    },
    async editMessage() {},
    async deleteMessage() {},
    async startTyping() {},
    fetchMessages: async () => ({ messages: [] }),
    channelIdFromThreadId: (thread: string) => thread,
    isDM: () => true,
  };
  return adapter;
}
