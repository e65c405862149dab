import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MessageFilter } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOSTILE_PATTERNS } from "../harness/hostile-patterns.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

const rules = () => [
  ...HOSTILE_PATTERNS.map(([pattern], index) => ({ id: `rule_h${index}`, pattern, type: "regex" })),
  { id: "rule_word", pattern: "badword" },
  { id: "rule_regex", pattern: "sec?ret", type: "regex" },
];

beforeAll(async () => {
  parley = await startParley({ config: "[plugin.filter]\nregex_limit_ms = 10\n" });
  api = await parley.signIn();
  const file = join(parley.root, "resources/config/message_filter.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ enabled: true, global: rules(), channels: {} }));
});

afterAll(() => parley[Symbol.asyncDispose]());

const measured = async (name: string) => {
  const { text } = await api.send("GET", "/metrics");
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
};

describe("sixty patterns with catastrophic backtracking", () => {
  test("are all accepted as rules", async () => {
    expect(HOSTILE_PATTERNS.length).toBeGreaterThanOrEqual(60);
    expect(await measured("parley_filter_rules")).toBe(HOSTILE_PATTERNS.length + 2);
  });

  test("are skipped one by one, and every message is checked by the other rules", async () => {
    const filter = parley.host.get(MessageFilter);
    for (const [, text] of HOSTILE_PATTERNS) {
      const result = await filter.apply({
        text: `badword ${text} secret`,
        target: "user",
        channelId: "web",
        sessionId: "sess_x",
        hasAttachments: false,
      });
      expect(result.text).not.toContain("badword");
      expect(result.text).not.toContain("secret");
    }
    const { quarantined } = await api.get<{ quarantined: readonly string[] }>("/api/message-filter");
    expect(quarantined).not.toContain("rule_regex");
    expect(quarantined.length).toBeGreaterThan(HOSTILE_PATTERNS.length / 2);
    expect(await measured("parley_filter_threads")).toBeLessThanOrEqual(2);
  });
});
