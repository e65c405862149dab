import { type Clock, newId, type Telemetry, TURN_PHASES, type Turn, type TurnPhase } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { DeliveryChange } from "../store/outbox.ts";
import type { DeliveryState } from "../store/tables.ts";

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface OpenSpan {
  end(attributes?: Attributes, error?: unknown): void;
}

export interface SpanOptions {
  readonly traceId: string;
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  readonly attributes?: Attributes;
  /** Start of the span in milliseconds since the epoch; the default is now. */
  readonly startMs?: number;
}

/** Creates the spans of telemetry. */
export interface Tracer {
  startSpan(start: SpanOptions): OpenSpan;
}

/** Creates a tracer; returns undefined while telemetry is off. */
export function createTracer(telemetry: Telemetry | undefined, clock: Clock): Tracer | undefined {
  if (!telemetry?.isOn) return undefined;
  return {
    startSpan({ startMs = clock.now(), attributes, ...start }) {
      const startedMs = clock.monotonic() - (clock.now() - startMs);
      return {
        end(more, error) {
          const endMs = startMs + (clock.monotonic() - startedMs);
          const errorAttribute =
            error instanceof Error ? { error: error.name } : error === undefined ? {} : { error: String(error) };
          telemetry.add({ ...start, startMs, endMs, attributes: { ...attributes, ...more }, ...errorAttribute });
        },
      };
    },
  };
}

const ROOT_SPAN_ID = "accept";

/** Wraps a store to measure how long messages take to be stored, to wait for their turn, and to be delivered. */
export function createTracedStore(store: GatewayStore, tracer: Tracer | undefined, clock: Clock): GatewayStore {
  if (!tracer) return store;
  return {
    ...store,
    ...createTracedIntake(store, tracer, clock),
    ...createTracedDeliveries(store, createDeliverySpans(tracer)),
  };
}

function createTracedIntake(store: GatewayStore, tracer: Tracer, clock: Clock): Pick<GatewayStore, "insert" | "claim"> {
  const recordQueueSpan = (traceId: string, startMs: number) =>
    tracer.startSpan({ traceId, id: "queue", parent: ROOT_SPAN_ID, name: "queue", startMs }).end();
  return {
    async insert(items) {
      const open = items.map(({ traceId, owner, message: { channelId, sessionId, kind } }) => {
        const attributes = { "parley.channel": channelId, "parley.session": sessionId, "parley.kind": kind };
        return { traceId, owner, span: tracer.startSpan({ traceId, id: ROOT_SPAN_ID, name: "accept", attributes }) };
      });
      try {
        const stored = await store.insert(items);
        for (const { traceId, owner, span } of open) {
          const duplicated = !stored.some((one) => one.traceId === traceId);
          span.end({ duplicated });
          if (owner !== undefined && !duplicated) recordQueueSpan(traceId, clock.now());
        }
        return stored;
      } catch (error) {
        for (const { span } of open) span.end({}, error);
        throw error;
      }
    },
    async claim(item, owner) {
      const claimed = await store.claim(item, owner);
      recordQueueSpan(item.traceId, clock.now() - (clock.monotonic() - item.sinceMs));
      return claimed;
    },
  };
}

const FINAL_STATES: ReadonlySet<DeliveryState> = new Set(["delivered", "dead", "expired", "cancelled"]);

/** Creates the spans of deliveries. Each lasts from the send until its outcome is stored. */
function createDeliverySpans(tracer: Tracer) {
  const deliveries = new Map<string, { readonly traceId: string; readonly attributes: Attributes; span?: OpenSpan }>();
  const startSending = (id: string, attempts: number) => {
    const known = deliveries.get(id);
    if (!known) return;
    const { traceId, attributes } = known;
    known.span = tracer.startSpan({
      traceId,
      id: `${id}/${attempts}`,
      parent: ROOT_SPAN_ID,
      name: "deliver",
      attributes,
    });
  };
  return {
    remember(added: readonly Delivery[]) {
      for (const { id, channelId, message } of added) {
        const { traceId, part, parts } = message;
        const attributes = { "parley.delivery": id, "parley.channel": channelId, part, parts };
        deliveries.set(id, { traceId, attributes });
      }
    },
    sending: startSending,
    onAdded(added: readonly Delivery[]) {
      for (const { id, state } of added) if (state === "sending") startSending(id, 0);
    },
    onChanged(id: string, { state, cause }: DeliveryChange) {
      const known = deliveries.get(id);
      if (!known) return;
      known.span?.end({ state }, state === "delivered" ? undefined : (cause ?? state));
      delete known.span;
      if (FINAL_STATES.has(state)) deliveries.delete(id);
    },
  };
}

function createTracedDeliveries(
  store: GatewayStore,
  spans: ReturnType<typeof createDeliverySpans>,
): Pick<GatewayStore, "finish" | "addDeliveries" | "listOpenDeliveries" | "listStopped" | "updateDelivery"> {
  return {
    async listStopped(sessionId) {
      const stopped = await store.listStopped(sessionId);
      for (const { id } of stopped) spans.onChanged(id, { state: "cancelled" });
      return stopped;
    },
    async finish(ending) {
      spans.remember(ending.deliveries ?? []);
      const results = await store.finish(ending);
      spans.onAdded(ending.deliveries ?? []);
      return results;
    },
    async addDeliveries(added, together) {
      spans.remember(added);
      await store.addDeliveries(added, together);
      spans.onAdded(added);
    },
    async listOpenDeliveries() {
      const open = await store.listOpenDeliveries();
      spans.remember(open);
      return open;
    },
    async updateDelivery(id, change, next, together) {
      await store.updateDelivery(id, change, next, together);
      if (next !== undefined) spans.sending(next, 0);
      if (change.state === "sending") spans.sending(id, change.attempts ?? 0);
      else spans.onChanged(id, change);
    },
  };
}

/** The span of one run of a turn, and its child spans. */
export interface TurnSpans {
  onPhaseDone(phase: TurnPhase): void;
  onEnded(turn: Turn): void;
  onFailed(error: unknown): void;
  /** Starts the span of an external call as a child of the current phase. */
  startCall(kind: string, name: string): OpenSpan;
}

export function createTurnSpans(tracer: Tracer, traceId: string, run: number, from: TurnPhase): TurnSpans {
  // The id is random, because a retried turn may have the same run number.
  const id = newId("turn");
  const turnSpan = tracer.startSpan({ traceId, id, parent: ROOT_SPAN_ID, name: "turn", attributes: { run } });
  const beginPhase = (phase: TurnPhase) => {
    const spanId = `${id}/${phase}`;
    return { place: spanId, span: tracer.startSpan({ traceId, id: spanId, parent: id, name: phase }) };
  };
  let current: ReturnType<typeof beginPhase> | undefined = beginPhase(from);
  let callCount = 0;
  const close = (attributes: Attributes, error?: unknown) => {
    current?.span.end({}, error);
    turnSpan.end(attributes, error);
  };
  return {
    onPhaseDone(phase) {
      current?.span.end();
      const next = TURN_PHASES[TURN_PHASES.indexOf(phase) + 1];
      current = next && beginPhase(next);
    },
    onEnded: ({ replies, filter, stopped }) =>
      close({ replies: replies.length, filtered: filter.filtered, stopped: stopped !== undefined }),
    onFailed: (error) => close({}, error),
    startCall(kind, name) {
      callCount += 1;
      const parent = current?.place ?? id;
      return tracer.startSpan({ traceId, id: `${parent}/${callCount}`, parent, name: `${kind} ${name}` });
    },
  };
}
