import type { ChannelIo, InboundMessage, LinkState, OutboundMessage } from "@parley/core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createSelfSignedCertificate } from "../../../tests/harness/servers/tls-server.ts";
import { createIrcAdapter } from "./adapter.ts";
import type { Line } from "./line.ts";
import {
  hasNgircd,
  hasServices,
  type Inspircd,
  startInspircd,
  startNgircd,
  startServices,
  startTestUser,
  type TestUser,
} from "./servers.ts";

const PASSWORD = "sesame-opens";
const WITHIN_MS = 20_000;
const never = new AbortController().signal;

let count = 0;
const soon = <Found>(look: () => Found | Promise<Found>) => vi.waitFor(look, { timeout: WITHIN_MS, interval: 10 });
const isMessageFrom = (nick: string, fits: (text: string) => boolean) => (line: Line) =>
  line.command === "PRIVMSG" && line.nick === nick && fits(line.params[1] ?? "");

describe.skipIf(!hasServices)(
  "on a network with accounts (needs the Debian packages inspircd and atheme-services)",
  () => {
    let server: Inspircd;
    let services: AsyncDisposable;
    /** A person who is signed in. */
    let ann: TestUser;
    const open: AsyncDisposable[] = [];
    beforeAll(async () => {
      server = await startInspircd(createSelfSignedCertificate(1));
      services = await startServices(server);
      ann = await startTestUser(server.port, "ann");
      await ann.write(`PRIVMSG NickServ :REGISTER ${PASSWORD} ann@example.org`);
      await ann.waitForLine(({ command }) => command === "900");
    });
    afterEach(async () => {
      for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
    });
    afterAll(async () => {
      for (const one of [ann, services, server]) await one[Symbol.asyncDispose]();
    });

    async function startLink(config: object = {}, secrets: Readonly<Record<string, string>> = {}) {
      count += 1;
      const adapter = createIrcAdapter();
      const accepted: InboundMessage[] = [];
      const states: LinkState[] = [];
      const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
      const io: ChannelIo = {
        async accept(message) {
          accepted.push(message);
          return { traceId: "gw", itemId: "qi", duplicated: false, queued: true, queueSize: 1 };
        },
        moved: async () => {},
        report: (state) => void states.push(state),
        secret: (variable) => secrets[variable],
        fetch,
        files: { open: () => Promise.reject(new Error("no files")), link: (url) => url },
        log,
      };
      const nick = `bot${count}`;
      const { value, error } = adapter.settings.validate({ server: `irc://127.0.0.1:${server.port}`, nick, ...config });
      if (error) throw error;
      const capabilities = {
        supports_stream: false,
        supports_progress_updates: false,
        supports_file_send: false,
        supports_stop: false,
      };
      const channel = {
        id: "net",
        name: "Net",
        type: "irc",
        transport: "tcp",
        enabled: true,
        config: value,
        capabilities,
      };
      const link = await adapter.open(channel, io, never);
      open.push(link);
      const send = (id: string, text: string) => link.send(outbound(id, text), never);
      return { nick, accepted, states, send, up: () => soon(() => expect(states.at(-1)?.connected).toBe(true)) };
    }

    test("the bot signs in with its account, and people are identified by their accounts", async () => {
      const { nick, accepted, send, up } = await startLink({ account: "ann" }, { IRC_PASSWORD: PASSWORD });
      await up();
      await ann.write(`WHOIS ${nick}`);
      expect((await ann.waitForLine(({ command, params }) => command === "330" && params[1] === nick)).params[2]).toBe(
        "ann",
      );
      await ann.write(`PRIVMSG ${nick} :it is me`);
      await soon(() => expect(accepted).toHaveLength(1));
      expect(accepted[0]).toMatchObject({ sender: { id: "$ann", name: "ann" }, conversation: { id: "ann$ann" } });
      expect(await send("ann$ann", "I know")).toMatchObject({ quality: "accepted" });
      await ann.waitForLine(isMessageFrom(nick, (text) => text === "I know"));
    });

    test("a person without an account gets no name that an account could have", async () => {
      const { nick, accepted, up } = await startLink();
      await using bob = await startTestUser(server.port, "Bob");
      await up();
      await bob.write(`PRIVMSG ${nick} :hello`);
      await soon(() => expect(accepted).toHaveLength(1));
      expect(accepted[0]).toMatchObject({ sender: { id: "bob", name: "Bob" }, conversation: { id: "bob" } });
    });

    test.each([
      ["a wrong password", { account: "ann" }, { IRC_PASSWORD: "guessed-it" }, /the server says/],
      ["a password that is not set", { account: "ann" }, {}, /IRC_PASSWORD is not set/],
    ])("with %s it does not connect, and reports why without the password", async (_, config, secrets, reason) => {
      const { states } = await startLink(config, secrets);
      await soon(() => expect(states.at(-1)?.error).toMatch(reason));
      expect(states.some(({ connected }) => connected)).toBe(false);
      expect(JSON.stringify(states)).not.toContain("guessed-it");
    });

    test.skipIf(!hasNgircd)("a server without accounts is rejected when an account is configured", async () => {
      await using other = await startNgircd();
      const config = { server: `irc://127.0.0.1:${other.port}`, account: "ann" };
      const { states } = await startLink(config, { IRC_PASSWORD: PASSWORD });
      await soon(() => expect(states.at(-1)?.error).toContain("no SASL"));
      expect(states.some(({ connected }) => connected)).toBe(false);
    });

    test("a server with an untrusted certificate is rejected", async () => {
      const { states } = await startLink({ server: `ircs://localhost:${server.securePort}` });
      await soon(() =>
        expect(states.at(-1)).toMatchObject({ connected: false, error: expect.stringMatching(/self.signed/) }),
      );
    });

    test("while its nick is taken it uses another one, and takes its own as soon as it can", async () => {
      const holder = await startTestUser(server.port, `bot${count + 1}`);
      const repeated = vi.spyOn(globalThis, "setInterval");
      try {
        const { nick, up, accepted } = await startLink({ channels: ["#hall"] });
        await up();
        await ann.write("JOIN #hall", `PRIVMSG ${nick}_ :hello`);
        await soon(() => expect(accepted).toHaveLength(1));
        await holder[Symbol.asyncDispose]();
        await soon(async () => {
          await ann.write(`ISON ${nick}`);
          expect(ann.lines.findLast(({ command }) => command === "303")?.params[1]).toBe("");
        });
        for (const [look, ms] of repeated.mock.calls) if (ms === 60_000) look();
        await ann.waitForLine(({ command, params }) => command === "NICK" && params[0] === nick);
        await ann.write(`PRIVMSG ${nick} :hello again`);
        await soon(() => expect(accepted).toHaveLength(2));
      } finally {
        repeated.mockRestore();
      }
    });

    test("a sent message is one line of text, never a command, and as long as the network allows", async () => {
      const rooms = Array.from({ length: 12 }, (_, n) => `#${n + 10}${"r".repeat(47)}`);
      const room = rooms.at(-1) ?? "";
      const { nick, send, up } = await startLink({ channels: rooms });
      await up();
      await ann.write(`JOIN ${room}`);
      await send("ann", "one\r\nPRIVMSG ann :forged\u0001\r\n```\nat last");
      await ann.waitForLine(isMessageFrom(nick, (text) => text === "at last"));
      const texts = ann.lines.filter(isMessageFrom(nick, () => true)).map(({ params }) => params[1]);
      expect(texts).toEqual(["one", "PRIVMSG ann :forged", "at last"]);
      const long = "ä".repeat(400);
      await send(room, long);
      await ann.waitForLine(({ params }) => params[0] === room && params[1]?.endsWith("ä") === true);
      const received = await soon(() => {
        const all = ann.lines.filter(({ command, params }) => command === "PRIVMSG" && params[0] === room);
        const text = all.map(({ params }) => params[1]).join("");
        expect(text).toHaveLength(long.length);
        return text;
      });
      expect(received).toBe(long);
    });

    test("a channel that cannot be joined is named on the channel's page", async () => {
      await ann.write("JOIN #private", "MODE #private +i");
      const { states, send, up } = await startLink({ channels: ["#private"] });
      await up();
      // An error about the channel must not fail the line that is being sent.
      expect(await send("ann", "hello")).toMatchObject({ quality: "accepted" });
      await soon(() =>
        expect(states.at(-1)).toMatchObject({
          connected: true,
          warnings: [expect.stringContaining("not in #private")],
        }),
      );
    });

    test("a message to an absent person waits, one to a person who accepts none does not", async () => {
      const { send, up } = await startLink();
      await up();
      await expect(send("nobody", "hello")).rejects.toMatchObject({ failure: "unavailable", platformCode: "401" });
      await using deaf = await startTestUser(server.port, "deaf");
      await deaf.write("MODE deaf +g");
      await expect(send("deaf", "hello")).rejects.toMatchObject({ failure: "permanent", platformCode: "716" });
    });
  },
);

function outbound(id: string, text: string): OutboundMessage {
  return {
    deliveryId: "dlv_1",
    traceId: "gw_1",
    channelId: "net",
    sessionId: `net:${id}`,
    conversation: { id, isGroup: id.startsWith("#") },
    text,
    attachments: [],
    part: 1,
    parts: 1,
  };
}
