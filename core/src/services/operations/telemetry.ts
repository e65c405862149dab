import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** One completed time span of a message's processing. */
export interface TimedSpan {
  readonly traceId: string;
  /** Unique in the trace: `accept`, `turn_…/answer`. */
  readonly id: string;
  /** The id of the span it is part of; absent: it is the root. */
  readonly parent?: string;
  readonly name: string;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  /** Names, ids and figures; never the text of a message. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Error message of a failed span. */
  readonly error?: string;
}

/** Export of message timings, when an operator enabled it. */
export interface Telemetry {
  /** False when no spans need to be measured. */
  readonly isOn: boolean;
  /** Returns at once; what cannot be exported is lost. */
  add(span: TimedSpan): void;
}
export const Telemetry: ServiceKey<Telemetry> = serviceKey("telemetry");
