import { COMMON_SETTINGS } from "@parley/core";
import { expect, test } from "vitest";
import { parseChannels } from "./channel-file.ts";

test("duplicates are recognised for at least a day", () => {
  expect(COMMON_SETTINGS.dedupe_ttl_s.validate(86_399).error?.message).toContain("86400");
  expect(COMMON_SETTINGS.dedupe_ttl_s.validate(86_400).error).toBeUndefined();
});

test.each([
  [3_600, 86_400],
  [86_400, 86_400],
  [604_800, 604_800],
])("a channel configured with %i seconds recognises duplicates for %i", (stored, read) => {
  const { channels } = parseChannels(
    {
      channels: [{ id: "door", config: { dedupe_ttl_s: stored, group_trigger: "all" } }],
    },
    [],
  );
  expect(channels[0]?.config).toEqual({ dedupe_ttl_s: read, group_trigger: "all" });
});

const ADAPTERS = [
  { type: "imB", transports: ["webhook"] },
  { type: "irc", transports: ["tcp"] },
];

test.each<[row: object, transport: string]>([
  [{ id: "chat", type: "irc" }, "tcp"],
  [{ id: "chat", type: "imB" }, "webhook"],
  [{ id: "chat", type: "custom" }, "webhook"],
  [{ id: "imA" }, "bridge"],
  [{ id: "chat", type: "not-installed" }, "webhook"],
  [{ id: "chat", type: "not-installed", transport: "pigeon" }, "pigeon"],
])("a channel written as %j uses %s", (row, transport) => {
  expect(parseChannels([row], ADAPTERS).channels[0]?.transport).toBe(transport);
});

test.each<[row: object, problem: string]>([
  [{ id: "chat", type: "imB", transport: "pigeon" }, "channels.1.transport: channels of type 'imB' use webhook"],
  [{ id: "chat", type: "irc", transport: "webhook" }, "channels.1.transport: channels of type 'irc' use tcp"],
  [{ id: "chat", transport: "pigeon" }, "channels.1.transport: channels of type 'custom' use webhook or"],
  [{ id: "imA", transport: "pigeon" }, "channels.1.transport: channels of type 'imA' use webhook or"],
])("a channel written as %j cannot be used", (row, problem) => {
  expect(() => parseChannels({ channels: [{ id: "shop" }, row] }, ADAPTERS)).toThrow(problem);
});
