import { type Clock, newId, type Telemetry, TURN_PHASES, type Turn, type TurnPhase } from "@parley/core";
import type { Delivery, DeliveryChange } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A span under way. */
export interface OpenSpan {
  end(attributes?: Attributes, error?: unknown): void;
}

export interface SpanStart {
  readonly traceId: string;
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  readonly attributes?: Attributes;
  /** Milliseconds since the epoch. Default: now. */
  readonly startMs?: number;
}

/** Measures what telemetry is told. */
export interface Spans {
  begin(start: SpanStart): OpenSpan;
}

/** Undefined while nobody wants to know. */
export function createSpans(telemetry: Telemetry | undefined, clock: Clock): Spans | undefined {
  if (!telemetry?.isOn) return undefined;
  return {
    begin({ startMs = clock.now(), attributes, ...start }) {
      const begun = clock.monotonic() - (clock.now() - startMs);
      return {
        end(more, error) {
          const endMs = startMs + (clock.monotonic() - begun);
          const why =
            error instanceof Error ? { error: error.name } : error === undefined ? {} : { error: String(error) };
          telemetry.add({ ...start, startMs, endMs, attributes: { ...attributes, ...more }, ...why });
        },
      };
    },
  };
}

const ROOT = "accept";

/** A store that measures how long a message takes to be stored, how long it waits, and how long its deliveries take. */
export function measuredStore(store: GatewayStore, spans: Spans | undefined, clock: Clock): GatewayStore {
  if (!spans) return store;
  return {
    ...store,
    ...measuredArrivals(store, spans, clock),
    ...measuredDeliveries(store, createDeliverySpans(spans)),
  };
}

function measuredArrivals(store: GatewayStore, spans: Spans, clock: Clock): Pick<GatewayStore, "insert" | "claim"> {
  const waited = (traceId: string, startMs: number) =>
    spans.begin({ traceId, id: "queue", parent: ROOT, name: "queue", startMs }).end();
  return {
    async insert(items) {
      const open = items.map(({ traceId, owner, message: { channelId, sessionId, kind } }) => {
        const attributes = { "parley.channel": channelId, "parley.session": sessionId, "parley.kind": kind };
        return { traceId, owner, span: spans.begin({ traceId, id: ROOT, name: "accept", attributes }) };
      });
      try {
        const stored = await store.insert(items);
        for (const { traceId, owner, span } of open) {
          const duplicated = !stored.some((one) => one.traceId === traceId);
          span.end({ duplicated });
          if (owner !== undefined && !duplicated) waited(traceId, clock.now());
        }
        return stored;
      } catch (error) {
        for (const { span } of open) span.end({}, error);
        throw error;
      }
    },
    async claim(item, owner) {
      const claimed = await store.claim(item, owner);
      waited(item.traceId, clock.now() - (clock.monotonic() - item.sinceMs));
      return claimed;
    },
  };
}

/** The spans of deliveries: one from each time that it is sent until what came of that is stored. */
function createDeliverySpans(spans: Spans) {
  const deliveries = new Map<string, { readonly traceId: string; readonly attributes: Attributes; span?: OpenSpan }>();
  const sending = (id: string, attempts: number) => {
    const known = deliveries.get(id);
    if (!known) return;
    const { traceId, attributes } = known;
    known.span = spans.begin({ traceId, id: `${id}/${attempts}`, parent: ROOT, name: "deliver", attributes });
  };
  return {
    remember(added: readonly Delivery[]) {
      for (const { id, channelId, message } of added) {
        const { traceId, part, parts } = message;
        const attributes = { "parley.delivery": id, "parley.channel": channelId, part, parts };
        deliveries.set(id, { traceId, attributes });
      }
    },
    sending,
    begun(added: readonly Delivery[]) {
      for (const { id, state } of added) if (state === "sending") sending(id, 0);
    },
    changed(id: string, { state, cause }: DeliveryChange) {
      const known = deliveries.get(id);
      if (!known) return;
      known.span?.end({ state }, state === "delivered" ? undefined : (cause ?? state));
      delete known.span;
      if (state === "delivered" || state === "dead" || state === "expired") deliveries.delete(id);
    },
  };
}

function measuredDeliveries(
  store: GatewayStore,
  spans: ReturnType<typeof createDeliverySpans>,
): Pick<GatewayStore, "end" | "addDeliveries" | "openDeliveries" | "changeDelivery"> {
  return {
    async end(ending) {
      spans.remember(ending.deliveries ?? []);
      const results = await store.end(ending);
      spans.begun(ending.deliveries ?? []);
      return results;
    },
    async addDeliveries(added, together) {
      spans.remember(added);
      await store.addDeliveries(added, together);
      spans.begun(added);
    },
    async openDeliveries() {
      const open = await store.openDeliveries();
      spans.remember(open);
      return open;
    },
    async changeDelivery(id, change, next) {
      await store.changeDelivery(id, change, next);
      if (next !== undefined) spans.sending(next, 0);
      if (change.state === "sending") spans.sending(id, change.attempts ?? 0);
      else spans.changed(id, change);
    },
  };
}

/** The span of one run of a turn, and those within it. */
export interface TurnSpans {
  phase(phase: TurnPhase): void;
  ended(turn: Turn): void;
  failed(error: unknown): void;
  /** A question to the world, in the phase that runs. */
  ask(kind: string, name: string): OpenSpan;
}

export function createTurnSpans(spans: Spans, traceId: string, run: number, from: TurnPhase): TurnSpans {
  // A turn whose model could not be reached is begun again under the same number.
  const id = newId("turn");
  const whole = spans.begin({ traceId, id, parent: ROOT, name: "turn", attributes: { run } });
  const beginPhase = (phase: TurnPhase) => {
    const place = `${id}/${phase}`;
    return { place, span: spans.begin({ traceId, id: place, parent: id, name: phase }) };
  };
  let current: ReturnType<typeof beginPhase> | undefined = beginPhase(from);
  let asked = 0;
  const close = (attributes: Attributes, error?: unknown) => {
    current?.span.end({}, error);
    whole.end(attributes, error);
  };
  return {
    phase(phase) {
      current?.span.end();
      const next = TURN_PHASES[TURN_PHASES.indexOf(phase) + 1];
      current = next && beginPhase(next);
    },
    ended: ({ replies, filter, stopped }) =>
      close({ replies: replies.length, filtered: filter.filtered, stopped: stopped !== undefined }),
    failed: (error) => close({}, error),
    ask(kind, name) {
      asked += 1;
      const parent = current?.place ?? id;
      return spans.begin({ traceId, id: `${parent}/${asked}`, parent, name: `${kind} ${name}` });
    },
  };
}
