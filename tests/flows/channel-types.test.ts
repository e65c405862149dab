import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHANNEL_FEATURES, type GuideStep, type Localized } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkAdapterPackages } from "../harness/adapter-packages.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface ChannelType {
  readonly type: string;
  readonly title: Localized | null;
  readonly transports: readonly string[];
  readonly idempotency: string;
  readonly can_begin: boolean;
  readonly can_check: boolean;
  readonly guide: readonly GuideStep[];
  readonly features: readonly { readonly feature: string; readonly title: Localized; readonly supported: boolean }[];
}

const PACKAGES = ["slack", "discord", "gchat", "whatsapp"].map((word) => `@chat-adapter/${word}`);
let root: string;
let parley: Parley;
let types: readonly ChannelType[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-types-"));
  linkAdapterPackages(root, ...PACKAGES);
  parley = await startParley({ root, config: `[plugin.chat-sdk]\npackages = ${PACKAGES.join(", ")}\n` });
  const api = await parley.signIn();
  ({ items: types } = await api.get<{ items: readonly ChannelType[] }>("/api/channels/types"));
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

test("every type of ours says what it can do, feature by feature, in both languages", () => {
  expect(types.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["chat-sdk:slack", "generic", "imA", "imAbot", "imB", "imC", "web", "widget"]),
  );
  for (const { type, features } of types) {
    expect([type, features.map(({ feature }) => feature)]).toEqual([type, Object.keys(CHANNEL_FEATURES)]);
    for (const { title } of features) expect(title).toEqual({ en: expect.any(String), zh: expect.any(String) });
  }
});

test("every type says how it is connected, in both languages, for each of its transports", () => {
  for (const { type, transports, guide } of types.filter((one) => one.type !== "web")) {
    for (const { text, copy = "" } of guide) {
      expect(text).toEqual({ en: expect.stringMatching(/[.:]$/), zh: expect.stringMatching(/[。：]$/) });
      for (const [, name] of copy.matchAll(/\{(\w+)\}/g))
        expect(["webhook_url", "public_url", "channel_id"]).toContain(name);
    }
    const named = guide.flatMap((step) => step.transports ?? []);
    expect([type, named.filter((transport) => !transports.includes(transport))]).toEqual([type, []]);
    for (const transport of transports)
      expect([type, guide.filter((step) => step.transports?.includes(transport) ?? true).length]).not.toEqual([
        type,
        0,
      ]);
  }
});

test("an adapter of others brings its own instructions", async () => {
  const guide = [
    { text: { en: "Turn the key.", zh: "转动钥匙。" }, link: "https://example.com", copy: "{webhook_url}" },
  ];
  const own = createFakeChannel("own", "natural", {}, true, { guide });
  await using service = await startParley({ plugins: [own.plugin] });
  const { items } = await (await service.signIn()).get<{ items: readonly ChannelType[] }>("/api/channels/types");
  expect(items.find(({ type }) => type === "own")?.guide).toEqual(guide);
});

test("the table of README.md is what the types say", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  // When it differs, this is the table for README.md.
  expect(readTable(readme)).toEqual(createTable());
});

function readTable(text: string): readonly (readonly string[])[] {
  const [, after = ""] = text.split("<!-- the abilities of channel types -->");
  const lines = after.trimStart().split("\n\n")[0]?.split("\n") ?? [];
  const rows = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  // The second line only separates the head.
  return rows.filter((_, at) => at !== 1);
}

function createTable(): readonly (readonly string[])[] {
  const mark = (isSupported: boolean) => (isSupported ? "✓" : "");
  const toRow = (title: string, isSupported: (type: ChannelType) => boolean) => [
    title,
    ...types.map((type) => mark(isSupported(type))),
  ];
  return [
    ["", ...types.map(({ type, title }) => (type.includes(":") ? (title?.en ?? type) : type))],
    toRow("Works without a public address", ({ transports }) => transports.some((one) => one !== "webhook")),
    ...Object.entries(CHANNEL_FEATURES).map(([id, { en }]) =>
      toRow(en, ({ features }) => features.some(({ feature, supported }) => feature === id && supported)),
    ),
    toRow("Writes first", ({ can_begin }) => can_begin),
    toRow("Repeats a failed send safely", ({ idempotency }) => idempotency !== "none"),
    toRow("Checks credentials", ({ can_check }) => can_check),
  ];
}
