import type { Sender } from "../../message.ts";
import { type Caller, hasScope, isPerson } from "../operations/accounts.ts";

/** Display labels that a request may give its sender; they grant no rights. */
export interface SenderLabels {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** `madeBy` of a login token that nothing proves to be a person's. */
const UNKNOWN_MAKER = "unknown";

/** Converts a request's caller to a message sender. Rights are those of the credential, independent of the labels. */
export function toSender(caller: Caller, { id, name }: SenderLabels = {}): Sender {
  const apiKeyId = caller.kind === "api_key" ? caller.credentialId : caller.madeBy;
  const isKeyKnown = apiKeyId !== undefined && apiKeyId !== UNKNOWN_MAKER;
  return {
    id: id ?? caller.accountId,
    name: name ?? caller.username,
    accountId: caller.accountId,
    username: caller.username,
    isAdmin: hasScope(caller, "admin"),
    isProgram: !isPerson(caller),
    ...(isKeyKnown && { apiKeyId }),
  };
}

/** Returns the actor's id for records: the account's, or the person's on the platform. Not for comparing. */
export function actorIdOf({ accountId, id }: Pick<Sender, "accountId" | "id">): string {
  return accountId ?? id;
}

/** Returns the actor's key, unique over accounts and all channels: two messages are by the same person when it is equal. */
export function toActorKey({ accountId, id }: Pick<Sender, "accountId" | "id">, channelId: string | undefined): string {
  return accountId === undefined ? `channel ${channelId} ${id}` : `account ${accountId}`;
}
