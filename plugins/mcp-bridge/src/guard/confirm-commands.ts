import type { ChatCommand, ToolConfirmations } from "@parley/core";

type Find = () => ToolConfirmations;

/** Lets the tool run that waits for a person's word; overtakes the turn that waits. */
export function confirmCommand(confirmations: Find): ChatCommand {
  return answering("/confirm", "Lets the tool run that waits for your word", true, confirmations);
}

/** Keeps it from running. */
export function denyCommand(confirmations: Find): ChatCommand {
  return answering("/deny", "Keeps the tool from running that waits for your word", false, confirmations);
}

function answering(name: string, help: string, approved: boolean, confirmations: Find): ChatCommand {
  return {
    name,
    usage: name,
    help,
    category: "session",
    adminOnly: false,
    isImmediate: true,
    async run(_, { session, inbound }) {
      confirmations().answer({ sessionId: session.id, approved, by: inbound.sender });
      return approved ? "Allowed." : "Not allowed.";
    },
  };
}
