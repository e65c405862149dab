import type { Cache, ChannelConfig, ChannelIo } from "@parley/core";
import type { CurrentAdapter } from "../packages/current-adapter.ts";
import { chatSdkTexts } from "../texts.ts";
import { isFields } from "./gateway-events.ts";
import { type GatewaySession, openGatewaySocket } from "./gateway-socket.ts";
import { receiveEvent } from "./receive-event.ts";

export interface DiscordConnectionDeps {
  readonly channel: ChannelConfig;
  readonly io: ChannelIo;
  readonly current: CurrentAdapter;
  readonly apiUrl: string;
  readonly sessions: Cache<GatewaySession>;
  readonly backoffMs?: readonly [first: number, most: number] | undefined;
}

/**
 * Connects a channel to Discord's gateway, which brings plain messages. The package has a connection of its own, which loses what arrives
 * while it is down; this one resumes its session, which is stored after each event.
 */
export function openDiscordConnection(deps: DiscordConnectionDeps): AsyncDisposable {
  const { channel, io, current, apiUrl, sessions, backoffMs } = deps;
  const { botToken_env: variable, applicationId_env: application } = channel.config;
  const key = JSON.stringify([channel.id, io.secret(String(application)), apiUrl]);
  const token = async () => {
    // Without all its settings the package could read no event.
    await current.get();
    return io.secret(String(variable)) ?? "";
  };
  let saving: Promise<unknown> = Promise.resolve();
  const write = (session: GatewaySession | undefined) => (session ? sessions.set(key, session) : sessions.delete(key));
  return openGatewaySocket({
    io,
    token,
    backoffMs,
    findUrl: async (signal) => findGatewayUrl(io, apiUrl, await token(), signal),
    async onEvent(type, data) {
      const { adapter } = await current.get();
      await receiveEvent({ io, apiUrl, adapter, channelId: channel.id, token: await token() }, type, data);
    },
    loadSession: async () => {
      await saving;
      return sessions.get(key);
    },
    saveSession(session) {
      saving = saving.then(() => write(session));
    },
  });
}

/** Asks Discord for the address of its gateway; rejects with its status when it refuses the token. */
async function findGatewayUrl(
  io: Pick<ChannelIo, "fetch">,
  apiUrl: string,
  token: string,
  signal: AbortSignal,
): Promise<string> {
  const response = await io.fetch(`${apiUrl}/gateway/bot`, { headers: { authorization: `Bot ${token}` }, signal });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && isFields(answer) && typeof answer.url === "string") return answer.url;
  throw chatSdkTexts.error("upstream_failed", "gateway_refused", { code: response.status });
}
