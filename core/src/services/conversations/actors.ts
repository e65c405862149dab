import type { Sender } from "../../message.ts";
import { type Caller, hasScope, isPerson } from "../operations/accounts.ts";

/** What a request may call its sender: labels for people to read, which give no right. */
export interface SenderLabels {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** The caller of a request as the sender of a message: its rights are those of the credential, whatever the labels say. */
export function toSender(caller: Caller, { id, name }: SenderLabels = {}): Sender {
  return {
    id: id ?? caller.accountId,
    name: name ?? caller.username,
    accountId: caller.accountId,
    username: caller.username,
    isAdmin: hasScope(caller, "admin"),
    isProgram: !isPerson(caller),
  };
}

/** The id of whoever acts: of the account that asked, or of the person on the platform. For records, not for comparing. */
export function actorIdOf({ accountId, id }: Pick<Sender, "accountId" | "id">): string {
  return accountId ?? id;
}

/** The same, unique over accounts and all channels: two messages are of one person when it is equal. */
export function actorKeyOf({ accountId, id }: Pick<Sender, "accountId" | "id">, channelId: string | undefined): string {
  return accountId === undefined ? `channel ${channelId} ${id}` : `account ${accountId}`;
}
