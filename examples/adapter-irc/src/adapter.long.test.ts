import { type ChannelAdapterCase, channelAdapterContract, type FakePlatform } from "@parley/testing";
import { afterAll, beforeAll, describe, vi } from "vitest";
import { createIrcAdapter } from "./adapter.ts";
import { stripFormatting } from "./line.ts";
import {
  hasInspircd,
  hasNgircd,
  type IrcServer,
  startInspircd,
  startNgircd,
  startTestProxy,
  startTestUser,
  type TestProxy,
  type TestUser,
} from "./servers.ts";

const MAX_BYTES = 324;

/** Counts bots and people of all tests, so that no nick is used again while its connection ends. */
let count = 0;
const open: AsyncDisposable[] = [];
afterAll(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

describe.skipIf(!hasInspircd)("a network with IRCv3 (needs the Debian package inspircd)", () => {
  let server: IrcServer;
  let deaf: TestUser;
  beforeAll(async () => {
    server = await startInspircd();
    deaf = await startTestUser(server.port, "deaf");
    await deaf.write("MODE deaf +g");
  });
  afterAll(async () => {
    for (const one of [deaf, server]) await one[Symbol.asyncDispose]();
  });

  channelAdapterContract("irc, InspIRCd", () =>
    onNetwork(server, { maxPart: MAX_BYTES, faults: ["refuse", "fail", "reset-after"] }),
  );
});

// Only with PARLEY_LONG: the contract is already tested on the other network.
describe.skipIf(!hasNgircd || process.env.PARLEY_LONG === undefined)(
  "a network without extensions (needs the Debian package ngircd)",
  () => {
    let server: IrcServer;
    beforeAll(async () => {
      server = await startNgircd();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    channelAdapterContract("irc, ngIRCd", () =>
      onNetwork(server, {
        lacks: ["dedupeKey", "platformMessageId"],
        faults: ["reset-after"],
        maxPart: MAX_BYTES,
      }),
    );
  },
);

async function onNetwork(server: IrcServer, given: Partial<ChannelAdapterCase>): Promise<ChannelAdapterCase> {
  count += 1;
  const number = count;
  const tap = await startTestProxy(server.port);
  /** Sent messages by id. */
  const sentTexts = new Map<string, string>();
  const meet = (nick: string) => startTestUser(server.port, nick);
  // The servers accept one connection a second, so both connect at the same time.
  const first = meet(`Ann${number}`);
  let isUsed = false;
  open.push(tap, { [Symbol.asyncDispose]: async () => (await first)[Symbol.asyncDispose]() });
  return {
    adapter: createIrcAdapter(),
    lengthOf: (text) => Buffer.byteLength(text),
    maxInbound: 300,
    acknowledges: false,
    ...given,
    config: {
      server: `irc://127.0.0.1:${tap.port}`,
      nick: `bot${number}`,
      channels: [`#room${number}`],
      pause_ms: 300,
      ...given.config,
    },
    async connect(_link, up) {
      await up();
      const person = await (isUsed ? meet(`Ann${number}b`) : first);
      isUsed = true;
      return platformOf(person, tap, `#room${number}`, sentTexts);
    },
  };
}

async function platformOf(
  person: TestUser,
  tap: TestProxy,
  room: string,
  sentTexts: Map<string, string>,
): Promise<FakePlatform> {
  const conversation = person.nick.toLowerCase();
  const bot = () => tap.nicks.at(-1) ?? "";
  const texts = () =>
    person.lines
      .filter(({ command, nick, params }) => command === "PRIVMSG" && nick === bot() && params[0] === person.nick)
      .map(({ params }) => params[1] ?? "");
  let receivedCount = 0;
  await person.write(`JOIN ${room}`);

  const say = async (id: string, target: string, text: string) => {
    const copy = sentTexts.get(id);
    // Like a bouncer that replays its buffer.
    if (copy !== undefined) return tap.inject(copy);
    const before = tap.lines.length;
    await person.write(`PRIVMSG ${target} :${text}`);
    const line = await vi.waitFor(
      () => {
        const found = tap.lines.slice(before).find((one) => one.includes(" PRIVMSG ") && one.endsWith(`:${text}`));
        if (!found) throw new Error("the message did not reach the bot");
        return found;
      },
      { timeout: 10_000, interval: 5 },
    );
    if (line.includes("msgid=")) sentTexts.set(id, line);
  };
  return {
    conversation,
    say: (id, text) => say(id, bot(), text),
    sayInGroup: (id, text, mentioned) => say(id, room, mentioned ? `${bot().toUpperCase()}: ${text}` : text),
    async heard() {
      receivedCount += 1;
      return vi.waitFor(
        () => {
          const text = texts()[receivedCount - 1];
          if (text === undefined) throw new Error("the bot said nothing");
          return stripFormatting(text);
        },
        { timeout: 5_000, interval: 2 },
      );
    },
    shown: texts,
    async echo(id, text) {
      tap.inject(`@msgid=${id};inspircd.org/echo :${bot()}!bot@127.0.0.1 PRIVMSG ${person.nick} :${text}`);
    },
    async other() {
      await person.write(`NOTICE ${bot()} :not for an answer`, `PRIVMSG ${bot()} :\u0001VERSION\u0001`);
    },
    incomplete: [`:ann!a@b PRIVMSG`, `:ann!a@b PRIVMSG ${bot()}`, `:ann!a@b PRIVMSG ${bot()} :`, ":"].map(
      (line) => async () => tap.inject(line),
    ),
    fail(fault) {
      const textsBefore = texts().length;
      const shown = vi.waitFor(() => {
        if (texts().length === textsBefore) throw new Error("nothing was said");
      });
      if (fault === "reset-after") tap.fault = { cutAfter: shown };
      else {
        shown.catch(() => undefined);
        tap.fault = { target: fault === "refuse" ? "deaf" : "nobody" };
      }
    },
    async drop() {
      const before = tap.nicks.length;
      tap.disconnect();
      await vi.waitFor(
        () => {
          if (tap.nicks.length === before) throw new Error("the bot did not come back");
        },
        { timeout: 20_000 },
      );
    },
    async [Symbol.asyncDispose]() {
      await person[Symbol.asyncDispose]();
    },
  };
}
