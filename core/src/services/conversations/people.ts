import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { InboundMessage } from "../../message.ts";

const MAX_ADDRESS = 200;

/** Addresses that an administrator linked as one person. */
export interface People {
  /** Resolves an address to the person's main one; itself when not linked. */
  resolve(address: string): Promise<string>;
  /** Returns all linked addresses of the person with this address, including itself. */
  addressesOf(address: string): Promise<readonly string[]>;
}
export const People: ServiceKey<People> = serviceKey("people");

/** Returns the address of a console account: `web:user:ann`. */
export function webUser(username: string): string {
  return userOf("web", username);
}

/** Returns the address of a person on a channel: `imA:user:42`. */
export function userOf(channelId: string, userId: string): string {
  return `${channelId}:user:${userId}`.slice(0, MAX_ADDRESS);
}

/** Returns the address of a message's sender; in the console the account's, independent of the request's labels. */
export function senderAddress({
  channelId,
  sender,
  isOperatorOnly,
}: Pick<InboundMessage, "channelId" | "sender" | "isOperatorOnly">): string {
  if (channelId !== "web" && !isOperatorOnly) return userOf(channelId, sender.id);
  // Messages stored by older versions have no account name.
  return webUser(sender.username ?? (sender.name || sender.id));
}
