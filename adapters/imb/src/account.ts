import { type ChannelConfig, type ChannelIo, type CheckedAccount, explained, itemFailure } from "@parley/core";
import { createBotApi } from "./bot-api.ts";
import { askWebhook, wayProblem } from "./inbound-way.ts";
import { webhookTrouble } from "./said-warnings.ts";
import { apiBase, type ImbSettings } from "./settings.ts";

/** Whose token it is, and what the platform last had trouble with when it delivered. */
export async function askAccount(
  { id, config }: ChannelConfig,
  { secret, fetch }: Pick<ChannelIo, "secret" | "fetch">,
  signal: AbortSignal,
): Promise<CheckedAccount> {
  const settings = config as unknown as ImbSettings;
  const { bot_token_env: variable } = settings;
  if (!secret(variable)) throw explained("unavailable", "variable_not_set", { variable });
  const api = createBotApi({
    base: apiBase(settings),
    token: () => secret(variable),
    tokenVariable: variable,
    fetch,
  });
  const { first_name, username } = await api.call<{ readonly first_name: string; readonly username?: string }>(
    "getMe",
    {},
    signal,
  );
  const info = await askWebhook(api, signal);
  const problem = wayProblem(info, settings, id);
  const { last_error_message: words } = info;
  const trouble = [...(problem ? [itemFailure(problem)] : []), ...(words === undefined ? [] : [webhookTrouble(words)])];
  return {
    account: username === undefined ? first_name : `@${username}`,
    warnings: trouble.map(({ error }) => error),
    warningDetails: trouble.map(({ detail }) => detail ?? null),
  };
}
