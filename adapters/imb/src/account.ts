import { type ChannelConfig, type ChannelIo, type CheckedAccount, formatWarnings, toSharedError } from "@parley/core";
import { createBotApi } from "./bot-api.ts";
import { type BotAccount, listChecks } from "./channel-checks.ts";
import { toWebhookWarning } from "./inbound/webhook-warning.ts";
import { fetchWebhookInfo, findOtherReader, findWebhookProblem } from "./inbound/webhook-watch.ts";
import { getApiBase, type ImbSettings } from "./settings.ts";

/** Fetches the account of the token, and the last delivery problem of the platform. */
export async function fetchAccount(
  { id, config, transport }: ChannelConfig,
  { secret, fetch }: Pick<ChannelIo, "secret" | "fetch">,
  signal: AbortSignal,
): Promise<CheckedAccount> {
  const settings = config as unknown as ImbSettings;
  const { bot_token_env: variable } = settings;
  if (!secret(variable)) throw toSharedError("unavailable", "variable_not_set", { variable });
  const api = createBotApi({
    base: getApiBase(settings),
    token: () => secret(variable),
    tokenVariable: variable,
    fetch,
  });
  const bot = await api.call<BotAccount>("getMe", {}, signal);
  const { first_name, username } = bot;
  const info = await fetchWebhookInfo(api, signal);
  const problem = transport === "polling" ? findOtherReader(info) : findWebhookProblem(info, settings, id);
  const { last_error_message: words } = info;
  const current = problem ? [problem] : [];
  const last = words === undefined || transport === "polling" ? [] : [toWebhookWarning(words)];
  const { warnings, warning_details: warningDetails } = formatWarnings([...current, ...last]);
  const checks = listChecks({
    channelId: id,
    transport,
    settings,
    bot,
    info,
    answersAll: config.group_trigger === "all",
  });
  return { account: username === undefined ? first_name : `@${username}`, warnings, warningDetails, checks };
}
