import type { LocalizedError } from "@parley/core";
import type { Trace } from "../api/gateway.ts";
import { toJsonObject } from "../json-object.ts";
import { type Facts, hasAnswered, toFacts } from "./trace-facts.ts";

export interface PromptPart {
  readonly key: string;
  /** Localized name; absent for parts of earlier versions and of sources without one. */
  readonly title: unknown;
  readonly source: string;
  readonly length: number;
  /** Approximate number. */
  readonly tokens: number;
  /** Share of the listed parts, 0 to 1. */
  readonly share: number;
}

/** A memory, passage or entry found for the reply, and its relevance. */
export interface RecalledItem {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly score: number;
  /** The matched words and their places. */
  readonly why: string;
}

export interface ModelStep {
  readonly kind: "asked" | "failed" | "answered";
  readonly model: string;
  /** The cause of a failure; `""` where unknown. */
  readonly why: string;
  readonly ms: number | undefined;
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cost: number | undefined;
}

/** The explanation of a reply, from its trace rows. */
export interface Explanation {
  readonly promptParts: readonly PromptPart[];
  readonly omittedParts: readonly (Pick<PromptPart, "key" | "title"> & { readonly why: string })[];
  /** Messages of the conversation that the model read, and those that did not fit; undefined where no model was asked. */
  readonly history: { readonly included: number; readonly omitted: number } | undefined;
  readonly tools: { readonly offered: number; readonly names: string };
  readonly toolCalls: readonly { readonly name: string; readonly status: string; readonly ms: number }[];
  readonly memories: readonly RecalledItem[];
  readonly passages: readonly RecalledItem[];
  readonly lore: readonly RecalledItem[];
  readonly models: readonly ModelStep[];
  /** Durations in order, beginning with the wait in the queue. */
  readonly times: readonly { readonly phase: string; readonly ms: number }[];
  readonly filters: readonly { readonly side: string; readonly rule: string; readonly action: string }[];
  readonly deliveries: readonly {
    readonly id: string;
    readonly status: string;
    readonly part: number;
    readonly parts: number;
    readonly attempts: number;
    readonly error: string | null;
    readonly error_detail?: LocalizedError["detail"];
  }[];
}

export function toExplanation({ events, deliveries }: Pick<Trace, "events" | "deliveries">): Explanation {
  const all: readonly Facts[] = events.map(({ metadata, status, created_at }) => ({
    ...toJsonObject(metadata),
    event: status,
    created_at,
  }));
  // A retried turn logs everything again, so the last run counts.
  const last = (what: string) => all.findLast((facts) => facts.what === what);
  const prompt = last("prompt");
  const promptFacts = all.findLast(({ what, call }) => what === "model" && call === 1);
  return {
    promptParts: toPromptParts(toFacts(prompt?.parts)),
    omittedParts: toFacts(prompt?.left_out).map(({ key, title, why }) => ({
      key: toText(key),
      title,
      why: toText(why),
    })),
    history:
      promptFacts?.history === undefined
        ? undefined
        : { included: toNumber(promptFacts.history), omitted: toNumber(promptFacts.history_left_out) },
    tools: { offered: toNumber(promptFacts?.tools_offered), names: toText(promptFacts?.tool_names) },
    toolCalls: all
      .filter(({ what }) => what === "tool")
      .map(({ name, status, ms }) => ({ name: toText(name), status: toText(status), ms: toNumber(ms) })),
    memories: toFacts(last("memory")?.memories).map((one) => toRecalledItem(one, "")),
    passages: toFacts(last("knowledge")?.passages).map((one) => toRecalledItem(one, "")),
    lore: toFacts(last("world_book")?.injected).map(({ entry_id, name, score, sources, keywords }) =>
      toRecalledItem({ id: entry_id, title: name, score }, [sources, keywords].flat().filter(Boolean).join(", ")),
    ),
    models: dropStepsAfterReply(all.flatMap(toModelSteps)),
    times: toTimes(all),
    filters: all
      .filter(({ what }) => what === "filter")
      .flatMap(({ side, actions }) =>
        Object.entries(toJsonObject(actions)).map(([rule, action]) => ({
          side: toText(side),
          rule,
          action: toText(action),
        })),
      ),
    deliveries,
  };
}

function toPromptParts(parts: readonly Facts[]): readonly PromptPart[] {
  const sum = parts.reduce((all, { tokens }) => all + toNumber(tokens), 0);
  return parts.map(({ key, title, source, length, tokens }) => ({
    key: toText(key),
    title,
    source: toText(source),
    length: toNumber(length),
    tokens: toNumber(tokens),
    share: sum === 0 ? 0 : toNumber(tokens) / sum,
  }));
}

function toRecalledItem(
  { id, doc_id, number: position, title, text: content, score }: Facts,
  why: string,
): RecalledItem {
  const name = position === undefined ? toText(title) : `[${position}] ${toText(title)}`;
  return {
    id: toText(id ?? doc_id) + toText(position),
    title: name,
    text: toText(content),
    score: toNumber(score),
    why,
  };
}

/** Drops model steps after the reply, such as the one that names the conversation. */
function dropStepsAfterReply(steps: readonly ModelStep[]): readonly ModelStep[] {
  const last = steps.findLastIndex(({ ms }) => ms !== undefined);
  return last === -1 ? steps : steps.slice(0, last + 1);
}

function toModelSteps({ what, event, ...facts }: Facts): readonly ModelStep[] {
  const { model, model_name, ms, input_tokens, output_tokens, cost, category, message, ending } = facts;
  const step = { model: toText(model_name ?? model), why: "", ms: undefined, input: undefined, output: undefined };
  if (what === "model") {
    const figures = { ms: toNumber(ms), input: toNumber(input_tokens), output: toNumber(output_tokens) };
    if (!hasAnswered(ending)) return [{ ...step, ...figures, kind: "failed", cost: undefined }];
    return [{ ...step, ...figures, kind: "answered", cost: cost === undefined ? undefined : toNumber(cost) }];
  }
  if (event === "model_selected") return [{ ...step, kind: "asked", cost: undefined }];
  const reason = toText(message ?? category);
  if (event === "model_failover")
    return [
      {
        ...step,
        kind: "failed",
        why: reason,
        cost: undefined,
      },
    ];
  return [];
}

function toTimes(all: readonly Facts[]) {
  const phases = toJsonObject(all.findLast(({ what }) => what === "times")?.phases);
  const at = (status: string) => all.find(({ event }) => event === status)?.created_at;
  const [receivedAt, dispatchedAt] = [at("received"), at("dispatched")];
  const waited =
    receivedAt === undefined || dispatchedAt === undefined
      ? 0
      : Date.parse(toText(dispatchedAt)) - Date.parse(toText(receivedAt));
  const steps = Object.entries(phases).map(([phase, ms]) => ({ phase, ms: toNumber(ms) }));
  return [...(waited > 0 ? [{ phase: "waited", ms: waited }] : []), ...steps];
}

function toNumber(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function toText(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
