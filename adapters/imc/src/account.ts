import { type ChannelConfig, type ChannelIo, type CheckedAccount, type Clock, toSharedError } from "@parley/core";
import { createOpenApi, type OpenApiOptions } from "./open-api.ts";
import { getDomain, type ImcSettings } from "./settings.ts";

/** Returns the app's id and secret; undefined while one is missing. */
export function readCredentials(
  { app_id, app_secret_env }: Pick<ImcSettings, "app_id" | "app_secret_env">,
  secret: ChannelIo["secret"],
): ReturnType<OpenApiOptions["credentials"]> {
  const appId = app_id || secret("IMC_APP_ID");
  const appSecret = app_secret_env === "" ? undefined : secret(app_secret_env);
  return appId && appSecret ? { appId, appSecret } : undefined;
}

/** Fetches the app that these credentials belong to. */
export async function fetchAccount(
  clock: Clock,
  { config }: ChannelConfig,
  { secret, fetch }: Pick<ChannelIo, "secret" | "fetch">,
  signal: AbortSignal,
): Promise<CheckedAccount> {
  const settings = config as unknown as ImcSettings;
  const credentials = () => readCredentials(settings, secret);
  if (!credentials()) throw toSharedError("unavailable", "app_not_set", { variable: settings.app_secret_env });
  const api = createOpenApi({ domain: getDomain(settings), credentials, fetch, now: () => clock.now() });
  const { bot } = await api.call("GET", "/bot/v3/info", undefined, signal);
  return { account: String(bot?.app_name ?? bot?.open_id ?? credentials()?.appId) };
}
