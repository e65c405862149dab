import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** One completed time span of a message's processing. */
export interface TimedSpan {
  readonly traceId: string;
  /** Unique in the trace: `accept`, `turn_…/answer`. */
  readonly id: string;
  /** Id of the parent span; absent for the root. */
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
  /** Queues a span and returns at once; spans that cannot be exported are dropped. */
  add(span: TimedSpan): void;
}
export const Telemetry: ServiceKey<Telemetry> = serviceKey("telemetry");
