import {
  type Accounts,
  type ChatCommand,
  type ConfirmationAnswer,
  hasScope,
  type InboundMessage,
  type Localized,
  type People,
  userOf,
  webUser,
} from "@parley/core";
import type { Confirmations } from "./confirmations.ts";

/** Answers to the person who decided. */
export const ALLOWED: Localized = { en: "Allowed.", zh: "已允许。" };
export const DENIED: Localized = { en: "Denied.", zh: "已拒绝。" };

export interface ConfirmCommandsDeps {
  readonly confirmations: () => Confirmations;
  readonly accounts: () => Accounts | undefined;
  readonly people: () => People | undefined;
}

/** Creates the command that allows the waiting call; it runs at once, since the turn waits for it. */
export function createConfirmCommand(deps: ConfirmCommandsDeps): ChatCommand {
  return createAnswerCommand(
    "/confirm",
    { en: "Allows the tool that is waiting for approval", zh: "允许正在等待批准的工具运行" },
    true,
    deps,
  );
}

/** Creates the command that rejects a call. */
export function createDenyCommand(deps: ConfirmCommandsDeps): ChatCommand {
  return createAnswerCommand(
    "/deny",
    { en: "Denies the tool that is waiting for approval", zh: "拒绝正在等待批准的工具" },
    false,
    deps,
  );
}

function createAnswerCommand(name: string, help: Localized, approved: boolean, deps: ConfirmCommandsDeps): ChatCommand {
  return {
    name,
    usage: name,
    help,
    category: "session",
    adminOnly: false,
    isImmediate: true,
    async run(_, { session, inbound }) {
      deps.confirmations().answer({ sessionId: session.id, approved, by: await toPersonHere(inbound, deps) });
      return approved ? ALLOWED : DENIED;
    },
  };
}

/** Returns the author of a message with the rights of the accounts that are linked to that person. */
export async function toPersonHere(
  message: Pick<InboundMessage, "channelId" | "sender">,
  deps: ConfirmCommandsDeps,
): Promise<ConfirmationAnswer["by"]> {
  const { channelId, sender } = message;
  return { ...sender, channelId, isAdmin: sender.isAdmin || (await isLinkedAdmin(message, deps)) };
}

/** Returns true when a person on a channel is linked to an administrator's account. */
async function isLinkedAdmin(
  { channelId, sender }: Pick<InboundMessage, "channelId" | "sender">,
  { accounts, people }: ConfirmCommandsDeps,
): Promise<boolean> {
  if (sender.accountId !== undefined || channelId === "web") return false;
  const own = webUser("");
  const addresses = (await people()?.addressesOf(userOf(channelId, sender.id))) ?? [];
  for (const address of addresses) {
    if (!address.startsWith(own)) continue;
    const scopes = (await accounts()?.scopesOf?.(address.slice(own.length))) ?? [];
    if (hasScope({ scopes }, "admin")) return true;
  }
  return false;
}
