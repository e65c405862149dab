import { type ChannelConfig, type ChannelIo, type CheckedAccount, type Clock, explained } from "@parley/core";
import { createOpenApi, type OpenApiParts } from "./open-api.ts";
import { domainOf, type ImcSettings } from "./settings.ts";

/** The app's id and secret; undefined while one of them is missing. */
export function credentialsOf(
  { app_id, app_secret_env }: Pick<ImcSettings, "app_id" | "app_secret_env">,
  secret: ChannelIo["secret"],
): ReturnType<OpenApiParts["credentials"]> {
  const appId = app_id || secret("IMC_APP_ID");
  const appSecret = app_secret_env === "" ? undefined : secret(app_secret_env);
  return appId && appSecret ? { appId, appSecret } : undefined;
}

/** Which app these credentials are of. */
export async function askAccount(
  clock: Clock,
  { config }: ChannelConfig,
  { secret, fetch }: Pick<ChannelIo, "secret" | "fetch">,
  signal: AbortSignal,
): Promise<CheckedAccount> {
  const settings = config as unknown as ImcSettings;
  const credentials = () => credentialsOf(settings, secret);
  if (!credentials()) throw explained("unavailable", "app_not_set", { variable: settings.app_secret_env });
  const api = createOpenApi({ domain: domainOf(settings), credentials, fetch, now: () => clock.now() });
  const { bot } = await api.call("GET", "/bot/v3/info", undefined, signal);
  return { account: String(bot?.app_name ?? bot?.open_id ?? credentials()?.appId) };
}
