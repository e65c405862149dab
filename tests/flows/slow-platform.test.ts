import { Channels, Gateway } from "@parley/core";
import { startImbServer } from "@parley/simulators";
import { expect, test, vi } from "vitest";
import { startParley } from "../harness/parley.ts";

test("messages during a slow delivery are answered once, and so are earlier ones", async () => {
  // Every response of the platform is delayed; the first one of this chat by 431 ms.
  await using platform = await startImbServer({ faults: { seed: 6, delay: 1, longestDelayMs: 500 } });
  await using parley = await startParley({ env: { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "s" } });
  const api = await parley.signIn();
  await api.post("/api/channels/presets/imB", { config: { api_base: platform.address, paced: false } });
  await vi.waitFor(() => expect(parley.host.get(Channels).link("imB")).toBeDefined());
  platform.useWebhook({ url: `${parley.address}/api/channels/imB/imB/webhook`, secret_token: "s" });
  await platform.say("7", "first");
  await platform.waitFor(() => platform.shown("7").length > 0);
  await platform.say("7", "second");
  await platform.waitFor(() => platform.shown("7").some((text) => text.includes('"second"')));
  await parley.host.get(Gateway).idle();
  expect(platform.shown("7")).toEqual([expect.stringContaining('"first"'), expect.stringContaining('"second"')]);
});
