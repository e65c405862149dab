import { type ChannelConfig, type ChannelIo, type CheckedAccount, type Clock, toSharedError } from "@parley/core";
import { type BotApiDeps, createBotApi } from "./bot-api.ts";
import { type BotSettings, getApiUrls } from "./settings.ts";

/** Returns the bot's id and secret; undefined while one is missing. */
export function readCredentials(
  { app_id, app_secret_env }: Pick<BotSettings, "app_id" | "app_secret_env">,
  secretOf: ChannelIo["secret"],
): ReturnType<BotApiDeps["credentials"]> {
  const secret = secretOf(app_secret_env);
  return app_id && secret ? { appId: app_id, secret } : undefined;
}

/** Fetches the bot that these credentials belong to. */
export async function fetchAccount(
  clock: Clock,
  { config }: ChannelConfig,
  { secret, fetch }: Pick<ChannelIo, "secret" | "fetch">,
  signal: AbortSignal,
): Promise<CheckedAccount> {
  const settings = config as unknown as BotSettings;
  const { token: tokenUrl, api: base } = getApiUrls(settings);
  const credentials = () => readCredentials(settings, secret);
  if (!credentials()) throw toSharedError("unavailable", "app_not_set", { variable: settings.app_secret_env });
  const api = createBotApi({ tokenUrl, api: base, credentials, fetch, now: () => clock.now() });
  const { username, id } = await api.call("GET", "/users/@me", undefined, signal);
  return { account: String(username ?? id ?? settings.app_id) };
}
