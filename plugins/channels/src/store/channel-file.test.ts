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
  const { channels } = parseChannels({
    channels: [{ id: "door", config: { dedupe_ttl_s: stored, group_trigger: "all" } }],
  });
  expect(channels[0]?.config).toEqual({ dedupe_ttl_s: read, group_trigger: "all" });
});
