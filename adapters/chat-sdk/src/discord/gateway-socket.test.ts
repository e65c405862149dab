import { silentLogger } from "@parley/core";
import { DISCORD_APP, type DiscordServer, startDiscordServer } from "@parley/simulators";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GatewaySession, openGatewaySocket } from "./gateway-socket.ts";

let platform: DiscordServer;
beforeEach(async () => {
  platform = await startDiscordServer();
});
afterEach(() => platform[Symbol.asyncDispose]());

test.each(["ws://127.0.0.1:1/gateway", "undefined", "http://127.0.0.1"])(
  "a session whose address %s leads nowhere is resumed at the general one",
  async (url) => {
    let session: GatewaySession | undefined = { id: "session-1", url, seq: 0 };
    await using _socket = openGatewaySocket({
      io: { report: () => undefined, log: silentLogger },
      token: async () => DISCORD_APP.token,
      findUrl: async () => `ws://${new URL(platform.address).host}/gateway`,
      onEvent: async () => undefined,
      loadSession: async () => session,
      saveSession(saved) {
        session = saved;
      },
      backoffMs: [1, 5],
    });
    await platform.waitFor(() => platform.counts().resumed === 1);
    expect(platform.counts().identified).toBe(0);
  },
);
