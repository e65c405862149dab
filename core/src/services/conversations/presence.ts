import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Sessions currently visible in browsers. Provided by the console's channel. */
export interface Presence {
  /** Returns true when a console of this process currently shows the session. */
  isVisible(sessionId: string): boolean;
}
export const Presence: ServiceKey<Presence> = serviceKey("presence");
