import type { ToldFailure } from "@parley/core";
import type { Trace } from "../api/gateway.ts";
import { inChinese } from "./sentences.ts";
import { hasAnswered, withReason } from "./trace-facts.ts";

type Facts = Readonly<Record<string, unknown>>;

/** One part of what the model was told. */
export interface Layer {
  readonly key: string;
  readonly source: string;
  readonly length: number;
  /** About how many. */
  readonly tokens: number;
  /** Of all that is told here, 0 to 1. */
  readonly share: number;
}

/** Something that was found for the answer, and how well it fits. */
export interface Recalled {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly score: number;
  /** Why it came up: words and places. */
  readonly why: string;
}

export interface ModelStep {
  readonly kind: "asked" | "failed" | "answered";
  readonly model: string;
  /** What a failure was, where it is known; empty otherwise. */
  readonly why: string;
  readonly chinese?: string;
  readonly ms: number | undefined;
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cost: number | undefined;
}

/** How a reply came about, from the rows of its trace. */
export interface Explanation {
  readonly layers: readonly Layer[];
  readonly leftOut: readonly { readonly key: string; readonly source: string; readonly why: string }[];
  /** Messages of the conversation that the model read, and those that did not fit; undefined where no model was asked. */
  readonly history: { readonly shown: number; readonly leftOut: number } | undefined;
  readonly tools: { readonly offered: number; readonly names: string };
  readonly called: readonly { readonly name: string; readonly status: string; readonly ms: number }[];
  readonly memories: readonly Recalled[];
  readonly passages: readonly Recalled[];
  readonly lore: readonly Recalled[];
  readonly models: readonly ModelStep[];
  /** Milliseconds, in the order they passed; the first is the waiting. */
  readonly times: readonly { readonly phase: string; readonly ms: number }[];
  readonly filters: readonly { readonly side: string; readonly rule: string; readonly action: string }[];
  readonly deliveries: readonly {
    readonly id: string;
    readonly status: string;
    readonly part: number;
    readonly parts: number;
    readonly attempts: number;
    readonly error: string | null;
    readonly error_detail?: ToldFailure["detail"];
  }[];
}

export function explanationOf({ events, deliveries }: Pick<Trace, "events" | "deliveries">): Explanation {
  const all = events.map(
    ({ metadata, status, created_at }) => ({ ...(metadata as Facts), event: status, created_at }) as Facts,
  );
  // A turn that ran again told everything once more: the last run is the one that counts.
  const last = (what: string) => all.findLast((facts) => facts.what === what);
  const prompt = last("prompt");
  const given = all.findLast(({ what, call }) => what === "model" && call === 1);
  return {
    layers: layersOf(listOf(prompt?.parts)),
    leftOut: listOf(prompt?.left_out).map(({ key, source, why }) => ({
      key: text(key),
      source: text(source),
      why: text(why),
    })),
    history:
      given?.history === undefined
        ? undefined
        : { shown: number(given.history), leftOut: number(given.history_left_out) },
    tools: { offered: number(given?.tools_offered), names: text(given?.tool_names) },
    called: all
      .filter(({ what }) => what === "tool")
      .map(({ name, status, ms }) => ({ name: text(name), status: text(status), ms: number(ms) })),
    memories: listOf(last("memory")?.memories).map((one) => recalled(one, "")),
    passages: listOf(last("knowledge")?.passages).map((one) => recalled(one, "")),
    lore: listOf(last("world_book")?.injected).map(({ entry_id, name, score, sources, keywords }) =>
      recalled({ id: entry_id, title: name, score }, [sources, keywords].flat().filter(Boolean).join(", ")),
    ),
    models: answering(all.flatMap(modelStep)),
    times: timesOf(all),
    filters: all
      .filter(({ what }) => what === "filter")
      .flatMap(({ side, actions }) =>
        Object.entries((actions ?? {}) as Facts).map(([rule, action]) => ({
          side: text(side),
          rule,
          action: text(action),
        })),
      ),
    deliveries,
  };
}

function layersOf(parts: readonly Facts[]): readonly Layer[] {
  const sum = parts.reduce((all, { tokens }) => all + number(tokens), 0);
  return parts.map(({ key, source, length, tokens }) => ({
    key: text(key),
    source: text(source),
    length: number(length),
    tokens: number(tokens),
    share: sum === 0 ? 0 : number(tokens) / sum,
  }));
}

function recalled({ id, doc_id, number: place, title, text: said, score }: Facts, why: string): Recalled {
  const name = place === undefined ? text(title) : `[${place}] ${text(title)}`;
  return { id: text(id ?? doc_id) + text(place), title: name, text: text(said), score: number(score), why };
}

/** What is asked after the answer, such as a name for the conversation, is no part of it. */
function answering(steps: readonly ModelStep[]): readonly ModelStep[] {
  const last = steps.findLastIndex(({ ms }) => ms !== undefined);
  return last === -1 ? steps : steps.slice(0, last + 1);
}

function modelStep({ what, event, ...facts }: Facts): readonly ModelStep[] {
  const { model, model_name, ms, input_tokens, output_tokens, cost, category, message, why, ending } = facts;
  const step = { model: text(model_name ?? model), why: "", ms: undefined, input: undefined, output: undefined };
  if (what === "model") {
    const figures = { ms: number(ms), input: number(input_tokens), output: number(output_tokens) };
    if (!hasAnswered(ending)) return [{ ...step, ...figures, kind: "failed", cost: undefined }];
    return [{ ...step, ...figures, kind: "answered", cost: cost === undefined ? undefined : number(cost) }];
  }
  if (event === "model_selected") return [{ ...step, kind: "asked", cost: undefined }];
  const said = text(message ?? category);
  if (event === "model_failover")
    return [
      { ...step, kind: "failed", why: said, chinese: inChinese(withReason(said, { why })) ?? said, cost: undefined },
    ];
  return [];
}

function timesOf(all: readonly Facts[]) {
  const phases = (all.findLast(({ what }) => what === "times")?.phases ?? {}) as Facts;
  const at = (status: string) => all.find(({ event }) => event === status)?.created_at;
  const [came, begun] = [at("received"), at("dispatched")];
  const waited = came === undefined || begun === undefined ? 0 : Date.parse(text(begun)) - Date.parse(text(came));
  const steps = Object.entries(phases).map(([phase, ms]) => ({ phase, ms: number(ms) }));
  return [...(waited > 0 ? [{ phase: "waited", ms: waited }] : []), ...steps];
}

function listOf(value: unknown): readonly Facts[] {
  return Array.isArray(value) ? value : [];
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function text(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
