import type { FakePlatform } from "@parley/testing";

interface SentMessage {
  readonly text: string;
  readonly file?: Buffer;
}

interface Sends {
  readonly messages: readonly SentMessage[];
  seen(fits: (message: SentMessage) => boolean): Promise<SentMessage>;
}

/** Returns the side of a platform on which people see the texts that the bot sends, each once and in order. */
export function watchTexts(server: Sends): Required<Pick<FakePlatform, "heard" | "shown">> {
  let receivedCount = 0;
  return {
    async heard() {
      const from = receivedCount;
      const one = await server.seen((sent) => server.messages.indexOf(sent) >= from);
      receivedCount = server.messages.indexOf(one) + 1;
      return one.text;
    },
    shown: () => server.messages.map(({ text }) => text),
  };
}

/** Like `watchTexts`, with the first file that the bot sends. */
export function watchSent(server: Sends): ReturnType<typeof watchTexts> & Required<Pick<FakePlatform, "heardFile">> {
  return {
    ...watchTexts(server),
    heardFile: async () => (await server.seen(({ file }) => file !== undefined)).file ?? Buffer.alloc(0),
  };
}
