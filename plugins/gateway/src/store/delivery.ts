import type { OutboundMessage } from "@parley/core";
import type { DeliveryState } from "./tables.ts";

/** A part of an answer that is not sent once the person writes again. */
export interface LaterPart {
  /** Id of the stored answer, and the offset in its text at which the part begins. */
  readonly answerId: string;
  readonly from: number;
  /** Id of the sender whose next message stops it; "" for everybody. */
  readonly stoppedBy: string;
}

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
  /** Set for all parts but the first of an answer that is sent like a person writes. */
  readonly laterPart?: LaterPart;
  /** True when another node sends the delivery, or the owner of its partition is unknown. */
  readonly isRemote?: boolean;
}
