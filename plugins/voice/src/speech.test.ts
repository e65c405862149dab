import { notFound, type OpenFile, type StoredFile, type Write } from "@parley/core";
import { createTestClock, memoryDatabase, scriptedModel } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { createSpeech, type Speech, type SpeechDeps } from "./speech.ts";
import { VOICE_MIGRATIONS, type VoiceTables } from "./tables.ts";

const DAY_MS = 86_400_000;
const RETENTION_MS = 7 * DAY_MS;
const SOUND = Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(96)]);

let clock = createTestClock();
let database = memoryDatabase();
let stored = new Map<string, Uint8Array>();
let spokenTexts: string[] = [];
let speech: Speech;

beforeEach(async () => {
  clock = createTestClock();
  database = memoryDatabase();
  stored = new Map();
  spokenTexts = [];
  await database.migrate("voice", VOICE_MIGRATIONS);
  speech = createSpeech({
    database: () => database,
    files: () => files,
    models: () => ({ choose: async () => scriptedModel() }),
    calls: () => ({
      async speech(text) {
        spokenTexts.push(text);
        return { bytes: SOUND, mimeType: "audio/flac", model: scriptedModel() };
      },
    }),
    clock,
    retentionMs: RETENTION_MS,
    maxBytes: 3 * SOUND.length,
  });
});

const fileOf = (name: string, bytes: Uint8Array): StoredFile => ({
  id: name,
  name,
  safeName: name,
  url: `/static/files/${name}`,
  mimeType: "audio/flac",
  size: bytes.length,
  sha256: "",
});
/** The used part of the file service, in memory. */
const files: ReturnType<SpeechDeps["files"]> = {
  async put(content, { name }) {
    const bytes = content as Uint8Array;
    stored.set(name, bytes);
    return fileOf(name, bytes);
  },
  async find(name) {
    const bytes = stored.get(name);
    return bytes && fileOf(name, bytes);
  },
  async open(name) {
    const bytes = stored.get(name);
    if (!bytes) throw notFound("file", name);
    return { ...fileOf(name, bytes), bytes: async () => bytes } as OpenFile;
  },
  remove: async (name) => stored.delete(name),
};
const say = (text: string, session: string | null = "sess_1") =>
  speech.speak({ text, format: "flac" }, { session, traceId: "trace_1", signal: new AbortController().signal });
const write = async (writes: Promise<readonly Write[]> | undefined) => database.write((await writes) ?? []);

test("generated speech is reused for seven days without asking a model again, and not longer", async () => {
  const { filename } = await say("Good morning.");
  clock.advance(RETENTION_MS - 1);
  expect(await say("Good morning.")).toMatchObject({ filename, cached: true });
  expect(await (await speech.open(filename)).bytes()).toEqual(SOUND);
  expect(await speech.prune()).toBe(0);
  clock.advance(1);
  await expect(speech.open(filename)).rejects.toMatchObject({ code: "not_found" });
  expect(spokenTexts).toEqual(["Good morning."]);
  expect(await say("Good morning.")).toMatchObject({ filename, cached: false });
  expect(spokenTexts).toHaveLength(2);
  clock.advance(RETENTION_MS - 1);
  expect((await speech.open(filename)).size).toBe(SOUND.length);
});

test("a speech file is removed after its seven days, and later ones stay", async () => {
  const { filename: old } = await say("Old.");
  clock.advance(DAY_MS);
  const { filename: later } = await say("Later.");
  clock.advance(RETENTION_MS - DAY_MS);
  expect(await speech.prune()).toBe(1);
  expect([...stored.keys()]).toEqual([later]);
  await expect(speech.open(old)).rejects.toMatchObject({ code: "not_found" });
  clock.advance(DAY_MS);
  expect(await speech.prune()).toBe(1);
  expect(stored.size).toBe(0);
});

test("speech files of a session are deleted with it, except those in use elsewhere", async () => {
  const own = await say("Of one alone.");
  const shared = await say("Of two.");
  await say("Of two.", "sess_2");
  const asked = await say("Asked for.");
  await say("Asked for.", null);
  await write(speech.sessionPart.removed?.("sess_1"));
  await expect(speech.open(own.filename)).rejects.toMatchObject({ code: "not_found" });
  expect(await speech.removeExpired()).toBe(1);
  expect([...stored.keys()]).toEqual([shared.filename, asked.filename]);
  await write(speech.sessionPart.removed?.("sess_2"));
  expect(await speech.removeExpired()).toBe(1);
  expect([...stored.keys()]).toEqual([asked.filename]);
});

test("a copy of a session includes its speech", async () => {
  const { filename } = await say("Good morning.");
  await write(speech.sessionPart.copied?.({ from: "sess_1", to: "sess_2", messages: new Map() }));
  await write(speech.sessionPart.removed?.("sess_1"));
  expect(await speech.removeExpired()).toBe(0);
  expect(stored.has(filename)).toBe(true);
});

test("speech generated again after its session was deleted is stored", async () => {
  await say("Again.");
  await write(speech.sessionPart.removed?.("sess_1"));
  expect(await say("Again.", "sess_2")).toMatchObject({ cached: false });
  expect(await speech.removeExpired()).toBe(0);
  expect(stored.size).toBe(1);
});

test("speech above the size limit is removed early, the oldest first", async () => {
  const names: string[] = [];
  for (const text of ["One.", "Two.", "Three.", "Four."]) {
    names.push((await say(text)).filename);
    clock.advance(1_000);
  }
  expect(await speech.prune()).toBe(1);
  expect([...stored.keys()]).toEqual(names.slice(1));
});

test("speech of an interrupted turn is removed after seven days as well", async () => {
  const tables = database.tables<VoiceTables>();
  const recording = { id: "heard_1", text: "hello", language: null, created_ms: clock.now() };
  await database.write([{ query: tables.insertInto("heard").values(recording) }]);
  const left = async () => (await tables.selectFrom("heard").select("id").execute()).length;
  clock.advance(RETENTION_MS);
  await speech.prune();
  expect(await left()).toBe(1);
  clock.advance(1);
  await speech.prune();
  expect(await left()).toBe(0);
});
