import type { LocalizedError } from "@parley/core";
import type { Trace } from "../api/gateway.ts";
import { toJsonObject } from "../json-object.ts";
import { translateToChinese } from "./sentences.ts";
import { appendReason, hasAnswered } from "./trace-facts.ts";

type Facts = Readonly<Record<string, unknown>>;

/** One part of the prompt. */
export interface PromptPart {
  readonly key: string;
  readonly source: string;
  readonly length: number;
  /** About how many. */
  readonly tokens: number;
  /** Share of the listed parts, 0 to 1. */
  readonly share: number;
}

/** Something that was found for the answer, and how well it fits. */
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
  readonly chinese?: string;
  readonly ms: number | undefined;
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cost: number | undefined;
}

/** The explanation of a reply, from its trace rows. */
export interface Explanation {
  readonly promptParts: readonly PromptPart[];
  readonly omittedParts: readonly { readonly key: string; readonly source: string; readonly why: string }[];
  /** Messages of the conversation that the model read, and those that did not fit; undefined where no model was asked. */
  readonly history: { readonly included: number; readonly omitted: number } | undefined;
  readonly tools: { readonly offered: number; readonly names: string };
  readonly toolCalls: readonly { readonly name: string; readonly status: string; readonly ms: number }[];
  readonly memories: readonly RecalledItem[];
  readonly passages: readonly RecalledItem[];
  readonly lore: readonly RecalledItem[];
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
    readonly error_detail?: LocalizedError["detail"];
  }[];
}

export function toExplanation({ events, deliveries }: Pick<Trace, "events" | "deliveries">): Explanation {
  const all: readonly Facts[] = events.map(({ metadata, status, created_at }) => ({
    ...toJsonObject(metadata),
    event: status,
    created_at,
  }));
  // A turn that ran again told everything once more: the last run is the one that counts.
  const last = (what: string) => all.findLast((facts) => facts.what === what);
  const prompt = last("prompt");
  const promptFacts = all.findLast(({ what, call }) => what === "model" && call === 1);
  return {
    promptParts: toLayers(toFacts(prompt?.parts)),
    omittedParts: toFacts(prompt?.left_out).map(({ key, source, why }) => ({
      key: text(key),
      source: text(source),
      why: text(why),
    })),
    history:
      promptFacts?.history === undefined
        ? undefined
        : { included: number(promptFacts.history), omitted: number(promptFacts.history_left_out) },
    tools: { offered: number(promptFacts?.tools_offered), names: text(promptFacts?.tool_names) },
    toolCalls: all
      .filter(({ what }) => what === "tool")
      .map(({ name, status, ms }) => ({ name: text(name), status: text(status), ms: number(ms) })),
    memories: toFacts(last("memory")?.memories).map((one) => toRecalled(one, "")),
    passages: toFacts(last("knowledge")?.passages).map((one) => toRecalled(one, "")),
    lore: toFacts(last("world_book")?.injected).map(({ entry_id, name, score, sources, keywords }) =>
      toRecalled({ id: entry_id, title: name, score }, [sources, keywords].flat().filter(Boolean).join(", ")),
    ),
    models: untilAnswer(all.flatMap(toModelSteps)),
    times: toTimes(all),
    filters: all
      .filter(({ what }) => what === "filter")
      .flatMap(({ side, actions }) =>
        Object.entries(toJsonObject(actions)).map(([rule, action]) => ({
          side: text(side),
          rule,
          action: text(action),
        })),
      ),
    deliveries,
  };
}

function toLayers(parts: readonly Facts[]): readonly PromptPart[] {
  const sum = parts.reduce((all, { tokens }) => all + number(tokens), 0);
  return parts.map(({ key, source, length, tokens }) => ({
    key: text(key),
    source: text(source),
    length: number(length),
    tokens: number(tokens),
    share: sum === 0 ? 0 : number(tokens) / sum,
  }));
}

function toRecalled({ id, doc_id, number: place, title, text: content, score }: Facts, why: string): RecalledItem {
  const name = place === undefined ? text(title) : `[${place}] ${text(title)}`;
  return { id: text(id ?? doc_id) + text(place), title: name, text: text(content), score: number(score), why };
}

/** Drops model steps after the reply, such as the one that names the conversation. */
function untilAnswer(steps: readonly ModelStep[]): readonly ModelStep[] {
  const last = steps.findLastIndex(({ ms }) => ms !== undefined);
  return last === -1 ? steps : steps.slice(0, last + 1);
}

function toModelSteps({ what, event, ...facts }: Facts): readonly ModelStep[] {
  const { model, model_name, ms, input_tokens, output_tokens, cost, category, message, why, ending } = facts;
  const step = { model: text(model_name ?? model), why: "", ms: undefined, input: undefined, output: undefined };
  if (what === "model") {
    const figures = { ms: number(ms), input: number(input_tokens), output: number(output_tokens) };
    if (!hasAnswered(ending)) return [{ ...step, ...figures, kind: "failed", cost: undefined }];
    return [{ ...step, ...figures, kind: "answered", cost: cost === undefined ? undefined : number(cost) }];
  }
  if (event === "model_selected") return [{ ...step, kind: "asked", cost: undefined }];
  const reason = text(message ?? category);
  if (event === "model_failover")
    return [
      {
        ...step,
        kind: "failed",
        why: reason,
        chinese: translateToChinese(appendReason(reason, { why })) ?? reason,
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
      : Date.parse(text(dispatchedAt)) - Date.parse(text(receivedAt));
  const steps = Object.entries(phases).map(([phase, ms]) => ({ phase, ms: number(ms) }));
  return [...(waited > 0 ? [{ phase: "waited", ms: waited }] : []), ...steps];
}

function toFacts(value: unknown): readonly Facts[] {
  return Array.isArray(value) ? value : [];
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function text(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
