import { TURN_PHASES } from "@parley/core/turn-phases";
import { formatDuration } from "../i18n/format-duration.ts";
import { localize } from "../i18n/localize.ts";
import { toJsonObject } from "../json-object.ts";
import type { TextKey } from "./texts.ts";

/** Structured facts of a trace row; `what` names their kind. */
export type Facts = Readonly<Record<string, unknown>>;
type TranslateCount = (key: TextKey, values?: { readonly count: number }) => string;

/** Language and texts of the reader. */
interface ReaderLocale {
  readonly t: TranslateCount;
  readonly language: string;
}

export interface StepFacts {
  /** Absent where the step's status is the title. */
  readonly title?: string;
  /** Replaces the service's message. */
  readonly sentence?: string;
  readonly lines: readonly string[];
}

/** Localizes the facts of a trace row; no lines for a row without facts. */
export function readFacts(metadata: Facts | undefined, reader: ReaderLocale): StepFacts {
  const read = FACT_READERS[String(metadata?.what)];
  return metadata && read ? read(metadata, reader) : { lines: [] };
}

const RUN_KIND_TEXTS: Readonly<Record<string, TextKey>> = {
  workflow: "runOfWorkflow",
  task: "runOfTask",
  heartbeat: "runOfHeartbeat",
};

/** Texts for the outcome of a model or tool call. */
const OUTCOME_TEXTS: Readonly<Record<string, TextKey>> = {
  done: "stepCompleted",
  ok: "stepCompleted",
  failed: "stepFailed",
  error: "stepFailed",
  aborted: "channelStopped",
  length: "factCut",
  denied: "factDenied",
};

/** Endings of model calls that returned an answer. */
const ANSWERED_ENDINGS = new Set(["done", "length"]);

/** True when a model's call returned an answer. Rows of earlier versions do not say how it ended. */
export function hasAnswered(ending: unknown): boolean {
  return ending === undefined || ANSWERED_ENDINGS.has(String(ending));
}

/** Returns the outcome of a call in the reader's language. */
export function formatOutcome(word: unknown, t: TranslateCount): string {
  const key = OUTCOME_TEXTS[String(word)];
  return key ? t(key) : String(word);
}

const FACT_READERS: Readonly<Record<string, (facts: Facts, reader: ReaderLocale) => StepFacts>> = {
  prompt: (facts, { t, language }) => ({
    title: t("factPrompt"),
    lines: [
      ...toFacts(facts.parts).map(
        (part) => `${toPartName(part, language)}: ${t("factLength", { count: Number(part.length) })}`,
      ),
      ...groupOmittedParts(toFacts(facts.left_out), language).map(
        ([why, names]) => `${t("factLeftOut")}: ${names.join(", ")} (${why})`,
      ),
    ],
  }),
  model: ({ model, ms, input_tokens, output_tokens, ending }, { t, language }) => ({
    title: t(hasAnswered(ending) ? "factModel" : "factAsked"),
    sentence: `${model} · ${formatDuration(Number(ms), language)} · ${input_tokens} → ${output_tokens} · ${formatOutcome(ending, t)}`,
    lines: [],
  }),
  tool: ({ name, ms, status, args }, { t, language }) => ({
    title: `${t("factTool")} ${name}`,
    sentence: `${formatOutcome(status, t)} · ${formatDuration(Number(ms), language)}`,
    lines: [String(args ?? "")].filter((line) => line !== ""),
  }),
  filter: ({ side, actions }) => ({
    lines: Object.entries(toJsonObject(actions)).map(([rule, action]) => `${side}: ${rule} ${action ?? ""}`),
  }),
  world_book: ({ injected, left_out }, { t }) => ({
    title: t("factWorldBook"),
    lines: [
      ...toFacts(injected).map(
        ({ name, score, sources, keywords }) => `${name}: ${score} · ${[sources, keywords].flat().join(", ")}`,
      ),
      ...toFacts(left_out).map(({ name, score, reason }) => `${t("factLeftOut")}: ${name} ${score} (${reason})`),
    ],
  }),
  memory: ({ memories }, { t }) => ({
    title: t("factMemory"),
    lines: toFacts(memories).map(({ score, text }) => `${score} · ${text}`),
  }),
  knowledge: ({ passages }, { t }) => ({
    title: t("factKnowledge"),
    lines: toFacts(passages).map(({ number, title, score }) => `[${number}] ${title}: ${score}`),
  }),
  times: ({ phases }, { t, language }) => ({
    lines: [
      Object.entries(toJsonObject(phases)).map(
        ([phase, ms]) => `${localizePhase(phase, t)} ${formatDuration(Number(ms), language)}`,
      ),
    ]
      .map((all) => all.join(" · "))
      .filter((line) => line !== ""),
  }),
  run: ({ task_kind, task_name }, { t }) => {
    const kind = RUN_KIND_TEXTS[String(task_kind)];
    return { lines: [], ...(kind && { sentence: `${t(kind)} · ${task_name}` }) };
  },
  decorate: ({ attachments }, { t }) => ({
    title: t("factDecorate"),
    lines: toFacts(attachments).map(({ type, name }) => `${type} ${name}`),
  }),
};

/** Groups omitted prompt parts by reason, since most are empty and fit on one line. */
function groupOmittedParts(
  parts: readonly Facts[],
  language: string,
): readonly (readonly [why: string, names: string[]])[] {
  const groups = Map.groupBy(parts, ({ why }) => String(why));
  return [...groups].map(([why, some]) => [why, [...new Set(some.map((part) => toPartName(part, language)))]]);
}

/** Returns the localized title of a prompt part; the key of one without a title. */
export function toPartName({ key, title }: Facts, language: string): string {
  const { en, zh } = toJsonObject(title);
  return typeof en === "string" && typeof zh === "string" ? localize({ en, zh }, language) : String(key);
}

/** The phases of a turn in order, after the wait in the queue. */
export const PHASES = ["waited", ...TURN_PHASES] as const;

/** Returns the localized name of a turn's phase. */
export function localizePhase(phase: string, t: TranslateCount): string {
  const phaseKey = PHASES.find((one) => one === phase);
  return phaseKey ? t(`phase_${phaseKey}`) : phase;
}

export function toFacts(value: unknown): readonly Facts[] {
  return Array.isArray(value) ? value : [];
}
