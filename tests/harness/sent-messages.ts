import type { FakePlatform } from "@parley/testing";

interface SentMessage {
  readonly text: string;
  readonly file?: Buffer;
}

interface Sends {
  readonly messages: readonly SentMessage[];
  seen(fits: (message: SentMessage) => boolean): Promise<SentMessage>;
}

/** Returns the side of a platform on which people see what the bot sends: each text once, in order, and its first file. */
export function watchSent(server: Sends): Required<Pick<FakePlatform, "heard" | "heardFile" | "shown">> {
  let receivedCount = 0;
  return {
    async heard() {
      const from = receivedCount;
      const one = await server.seen((sent) => server.messages.indexOf(sent) >= from);
      receivedCount = server.messages.indexOf(one) + 1;
      return one.text;
    },
    heardFile: async () => (await server.seen(({ file }) => file !== undefined)).file ?? Buffer.alloc(0),
    shown: () => server.messages.map(({ text }) => text),
  };
}
