import { toSharedError } from "../../error-texts.ts";
import { type Caller, hasScope } from "../operations/accounts.ts";

/** The person or part of the service that orders a message to people on a platform, and its right to send. Stored with messages that are sent later. */
export interface SpeakOrder {
  /** Name of the orderer, shown to people who read why a message was not sent. */
  readonly by: string;
  readonly maySpeak: boolean;
}

/** Order by the service itself: an answer to people who wrote, or a send that was checked when ordered. */
export const BY_SERVICE: SpeakOrder = { by: "the service", maySpeak: true };

/** Returns a caller's order, with the rights of its credential. */
export function toSpeakOrder(caller: Pick<Caller, "username" | "scopes">): SpeakOrder {
  return { by: caller.username, maySpeak: hasScope(caller, "admin") };
}

/**
 * The single permission check for every send to people on platforms, from any route, step, task, tool or job. Throws
 * `permission_denied` without the right; the console's own conversations are always allowed.
 */
export function assertMaySpeak({ channelId }: { readonly channelId: string }, { by, maySpeak }: SpeakOrder): void {
  if (channelId !== "web" && !maySpeak) throw toSharedError("permission_denied", "may_not_speak", { by });
}
