import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { Message } from "@parley/core";
import { startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import type { ParleyProcess } from "../harness/process.ts";
import { setFailPoint, signIn, startKillable } from "./killable.ts";

const TIMES = process.env.PARLEY_LONG === "1" ? 5 : 1;
const repository = dirname(dirname(import.meta.dirname));

let root: string;
let port: number;
let living: ParleyProcess;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-crash-"));
  port = await findFreePort();
  writeFileSync(join(root, "config.ini"), `[plugins]\necho = ${linkEcho(root)}\n\n[log]\nlevel = warn\n`);
  living = await start();
  const api = await signIn(living);
  await api.post("/api/channels", { id: "echo", name: "echo", type: "echo", config: { port } });
});

afterAll(async () => {
  expect(await living.stop()).toBe(0);
  rmSync(root, { recursive: true, force: true });
});

/** Creates a package of the sources of the echo adapter, whose published form would have to be built; returns its folder. */
function linkEcho(parent: string): string {
  const folder = join(parent, "echo");
  const example = join(repository, "examples", "adapter-echo");
  mkdirSync(folder);
  const manifest = JSON.parse(readFileSync(join(example, "package.json"), "utf8")) as object;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, exports: "./index.js" }));
  const entry = pathToFileURL(join(example, "src", "index.ts"));
  writeFileSync(join(folder, "index.js"), `export { default } from ${JSON.stringify(entry)};\n`);
  return folder;
}

const aim = (point: string) => setFailPoint(root, point);

const start = () => startKillable(root);

/** Connects a person, who repeats each line until it is stored, and records every reply. */
async function connectPerson(name: string) {
  // The channel opens its port shortly after the service is ready.
  const socket = await eventually(async () => {
    const one = connect(port, "127.0.0.1");
    await once(one, "connect");
    return one;
  });
  const received: { readonly id: string; readonly text: string }[] = [];
  const stored = new Set<string>();
  const waiting = new Set<() => void>();
  createInterface({ input: socket }).on("line", (line) => {
    const [word, id = "", ...text] = line.split(" ");
    if (word === "stored") stored.add(id);
    if (word === "say") received.push({ id, text: text.join(" ") });
    for (const look of waiting) look();
  });
  socket.on("error", () => {});
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  socket.write(`hello ${name}\n`);
  return {
    heard: received,
    say: (number: number, text: string) => void socket.write(`${number} ${text}\n`),
    stored: (number: number) => until(() => stored.has(String(number))),
    answered: (replies: number) => until(() => received.length >= replies),
    closed: () => (socket.closed ? Promise.resolve() : once(socket, "close").then(() => {})),
    leave: () => socket.destroy(),
  };
}

describe.each([
  ["after the message is stored and before the reply", "user-recorded"],
  ["after the reply is stored and before it is delivered", "intent-written"],
])("killed %s", (_when, failPoint) => {
  test(`${TIMES} times: each message has exactly one reply`, async () => {
    for (let time = 1; time <= TIMES; time += 1) {
      const name = `${failPoint}-${time}`;
      const before = await connectPerson(name);
      aim(failPoint);
      before.say(1, `hello ${time}`);
      expect(await living.ended).toBe("SIGKILL");
      await before.closed();

      living = await start();
      const after = await connectPerson(name);
      // The person repeats the line, because it was not acknowledged.
      after.say(1, `hello ${time}`);
      await after.stored(1);
      await after.answered(1);
      const api = await signIn(living);
      const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/echo%3A${name}/messages`);
      expect(items.map(({ role }) => role)).toEqual(["user", "assistant"]);
      expect(new Set([...before.heard, ...after.heard].map(({ id }) => id)).size).toBe(1);
      after.leave();
    }
  }, 180_000);
});

describe("a message that crashes the process repeatedly", () => {
  const point = "user-recorded";
  interface Letter {
    readonly item_id: string;
    readonly session_id: string;
    readonly cause: string;
  }
  /** Starts the service until it survives the message. */
  const checkSurvival = async () => {
    expect(await living.ended).toBe("SIGKILL");
    for (let starts = 1; starts <= 6; starts += 1) {
      const next = await startKillable(root, point).catch(() => undefined);
      if (!next) continue;
      living = next;
      const api = await signIn(living).catch(() => undefined);
      const { items } = (await api
        ?.get<{ items: readonly Letter[] }>("/api/gateway/dead-letters")
        .catch(() => undefined)) ?? { items: [] };
      const letter = items.find(({ cause }) => cause === "crash_loop");
      if (api && letter) return { api, letter };
      await living.ended;
    }
    throw new Error("the service does not survive the message");
  };
  const listMessages = async (api: Client, session: string) =>
    (await api.get<{ items: readonly Message[] }>(`/api/sessions/${encodeURIComponent(session)}/messages`)).items;

  test("is reported to its sender on a channel, and one retry answers it", async () => {
    const before = await connectPerson("looped");
    aim(point);
    before.say(1, "hello loop");
    const { api, letter } = await checkSurvival();
    const after = await connectPerson("looped");
    await after.answered(1);
    expect(after.heard[0]?.text).toMatch(/went wrong|could not be answered|try again/i);
    expect((await listMessages(api, letter.session_id)).map(({ error }) => error?.code)).toEqual(["internal"]);
    aim("");
    await api.post(`/api/gateway/dead-letters/${letter.item_id}/retry`, {});
    await after.answered(2);
    expect(after.heard[1]?.text).toContain("hello loop");
    const shown = (await listMessages(api, letter.session_id)).map(({ role, error }) => [role, error]);
    expect(shown).toEqual([
      ["user", null],
      ["assistant", null],
    ]);
    after.leave();
  }, 120_000);

  test("is marked as failed in the console, and one retry answers it", async () => {
    const dying = await signIn(living);
    const { id } = await dying.post<{ id: string }>("/api/sessions", {});
    aim(point);
    dying.post(`/api/sessions/${id}/chat`, { content: "hello loop" }).catch(() => {});
    const { api, letter } = await checkSurvival();
    expect((await listMessages(api, id)).map(({ error }) => error?.code)).toEqual(["internal"]);
    aim("");
    await api.post(`/api/gateway/dead-letters/${letter.item_id}/retry`, {});
    await eventually(async () => {
      expect((await listMessages(api, id)).map(({ role, error }) => [role, error])).toEqual([
        ["user", null],
        ["assistant", null],
      ]);
    });
  }, 120_000);
});

test("several models that are asked the same all answer, each once, wherever the process is killed", async () => {
  await using models = await startModelServer({ answer: ({ body }) => ({ kind: "text", text: `I am ${body.model}` }) });
  const before = await signIn(living);
  const add = async (model: string) =>
    (await before.post<{ id: string }>("/api/ai-models", { name: model, model, base_url: models.baseUrl })).id;
  const model_ids = [await add("red"), await add("green")];
  for (const point of ["recorded", "committed-inbox", "reply-recorded"]) {
    const dying = await signIn(living);
    const { id } = await dying.post<{ id: string }>("/api/sessions", {});
    const ask = { content: "which colour?", model_ids, temp_id: "once" };
    aim(point);
    dying.post(`/api/sessions/${id}/ask-models`, ask).catch(() => {});
    expect(await living.ended, point).toBe("SIGKILL");
    living = await start();
    const api = await signIn(living);
    // A stored question is answered without a request; an unacknowledged one is asked again.
    if (point === "recorded") await api.post(`/api/sessions/${id}/ask-models`, ask);
    await eventually(async () => {
      const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
      const { items: given } = await api.get<{ items: readonly { message: Message }[] }>(
        `/api/sessions/${id}/messages/${items[0]?.id}/answers`,
      );
      expect(given.map(({ message }) => message.content)).toEqual(["I am red", "I am green"]);
      expect(items.map(({ content }) => content)).toEqual(["which colour?", "I am green"]);
    });
  }
}, 180_000);
