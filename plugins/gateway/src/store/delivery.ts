import type { OutboundMessage } from "@parley/core";
import type { DeliveryState } from "./tables.ts";

export interface Delivery {
  readonly id: string;
  readonly channelId: string;
  readonly conversationId: string;
  readonly message: OutboundMessage;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly throttles: number;
  readonly nextMs: number;
  readonly expiresMs: number | null;
  readonly createdMs: number;
  /** True when another node sends the delivery, or the owner of its partition is unknown. */
  readonly isRemote?: boolean;
}
