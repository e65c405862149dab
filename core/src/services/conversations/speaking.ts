import { explained } from "../../error-texts.ts";
import { type Caller, hasScope } from "../operations/accounts.ts";

/** Who orders that something is sent to people of a platform, and whether they may. Stored with what is sent later. */
export interface SpeakOrder {
  /** Their name, for people who read why it was not sent. */
  readonly by: string;
  readonly maySpeak: boolean;
}

/** The service itself orders it: an answer to people who wrote, or what was checked when it was ordered. */
export const BY_SERVICE: SpeakOrder = { by: "the service", maySpeak: true };

/** What a caller orders: with the rights of its credential. */
export function toSpeakOrder(caller: Pick<Caller, "username" | "scopes">): SpeakOrder {
  return { by: caller.username, maySpeak: hasScope(caller, "admin") };
}

/**
 * The one guard of every act that sends something to people of a platform, whatever row, step, task, tool or job it comes
 * from: `permission_denied` when who orders it may not. The console's own conversations are nobody else's.
 */
export function speakTo({ channelId }: { readonly channelId: string }, { by, maySpeak }: SpeakOrder): void {
  if (channelId !== "web" && !maySpeak) throw explained("permission_denied", "may_not_speak", { by });
}
