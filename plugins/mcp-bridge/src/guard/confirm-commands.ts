import type { ChatCommand, Localized, ToolConfirmations } from "@parley/core";

type Find = () => ToolConfirmations;

/** Lets the tool run that waits for a person's word; overtakes the turn that waits. */
export function confirmCommand(confirmations: Find): ChatCommand {
  return answering(
    "/confirm",
    { en: "Allows the tool that is waiting for approval", zh: "允许正在等待确认的工具运行" },
    true,
    confirmations,
  );
}

/** Keeps it from running. */
export function denyCommand(confirmations: Find): ChatCommand {
  return answering(
    "/deny",
    { en: "Denies the tool that is waiting for approval", zh: "拒绝正在等待确认的工具" },
    false,
    confirmations,
  );
}

function answering(name: string, help: Localized, approved: boolean, confirmations: Find): ChatCommand {
  return {
    name,
    usage: name,
    help,
    category: "session",
    adminOnly: false,
    isImmediate: true,
    async run(_, { session, inbound }) {
      confirmations().answer({ sessionId: session.id, approved, by: inbound.sender });
      return approved ? { en: "Allowed.", zh: "已允许。" } : { en: "Denied.", zh: "已拒绝。" };
    },
  };
}
