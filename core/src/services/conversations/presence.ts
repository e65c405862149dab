import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Who looks at what, as their browsers say. Provided by the console's channel. */
export interface Presence {
  /** Whether a console of this process shows the session to somebody now. */
  isVisible(sessionId: string): boolean;
}
export const Presence: ServiceKey<Presence> = serviceKey("presence");
