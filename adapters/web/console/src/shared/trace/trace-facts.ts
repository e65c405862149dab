import { inChinese } from "./sentences.ts";
import type { TextKey } from "./texts.ts";

type Facts = Readonly<Record<string, unknown>>;
type Say = (key: TextKey) => string;

/** What a step did, in the words of the person who looks. */
export interface StepFacts {
  /** Absent: the step's status says it. */
  readonly title?: string;
  /** Stands in the place of the service's own sentence. */
  readonly sentence?: string;
  readonly lines: readonly string[];
}

/** Reads what a row of a trace tells besides its sentence (`metadata.what`). */
export function factsOf(metadata: Facts | undefined, t: Say): StepFacts {
  const read = READ[String(metadata?.what)];
  return metadata && read ? read(metadata, t) : { lines: [] };
}

/**
 * What is said of a step besides its name. Where the service's own sentence has no Chinese, who reads Chinese has its facts, and
 * the name of the step says the rest.
 */
export function sentenceOf({ sentence, lines }: StepFacts, message: unknown, isChinese: boolean): string {
  if (sentence !== undefined) return sentence;
  const english = typeof message === "string" ? message : "";
  return isChinese ? (inChinese(english) ?? lines[0] ?? "") : english;
}

/** A sentence of the service with why something failed in Chinese, where the row brings that along. */
export function withReason(sentence: string, metadata: Facts | undefined): string {
  const { en, zh } = (metadata?.why ?? {}) as { readonly en?: unknown; readonly zh?: unknown };
  return typeof en === "string" && en !== "" && typeof zh === "string" ? sentence.replace(en, () => zh) : sentence;
}

const RUN_KINDS: Readonly<Record<string, TextKey>> = {
  workflow: "runOfWorkflow",
  task: "runOfTask",
  heartbeat: "runOfHeartbeat",
};

/** How a call of a model or of a tool came out. */
const OUTCOMES: Readonly<Record<string, TextKey>> = {
  done: "stepCompleted",
  ok: "stepCompleted",
  failed: "stepFailed",
  error: "stepFailed",
  aborted: "channelStopped",
  length: "factCut",
  denied: "factDenied",
};

function outcome(word: unknown, t: Say): string {
  const key = OUTCOMES[String(word)];
  return key ? t(key) : String(word);
}

const READ: Readonly<Record<string, (facts: Facts, t: Say) => StepFacts>> = {
  prompt: (facts, t) => ({
    title: t("factPrompt"),
    lines: [
      ...listOf(facts.parts).map(({ key, length }) => `${key}: ${length}`),
      ...listOf(facts.left_out).map(({ key, why }) => `${t("factLeftOut")}: ${key} (${why})`),
    ],
  }),
  model: ({ model, ms, input_tokens, output_tokens, ending }, t) => ({
    title: t("factModel"),
    lines: [`${model} · ${ms} ms · ${input_tokens} → ${output_tokens} · ${outcome(ending, t)}`],
  }),
  tool: ({ name, ms, status, args }, t) => ({
    title: `${t("factTool")} ${name}`,
    lines: [`${outcome(status, t)} · ${ms} ms`, String(args ?? "")].filter((line) => line !== ""),
  }),
  filter: ({ side, actions }) => ({
    lines: Object.entries((actions ?? {}) as Facts).map(([rule, action]) => `${side}: ${rule} ${action ?? ""}`),
  }),
  world_book: ({ injected, left_out }, t) => ({
    title: t("factWorldBook"),
    lines: [
      ...listOf(injected).map(
        ({ name, score, sources, keywords }) => `${name}: ${score} · ${[sources, keywords].flat().join(", ")}`,
      ),
      ...listOf(left_out).map(({ name, score, reason }) => `${t("factLeftOut")}: ${name} ${score} (${reason})`),
    ],
  }),
  memory: ({ memories }, t) => ({
    title: t("factMemory"),
    lines: listOf(memories).map(({ score, text }) => `${score} · ${text}`),
  }),
  knowledge: ({ passages }, t) => ({
    title: t("factKnowledge"),
    lines: listOf(passages).map(({ number, title, score }) => `[${number}] ${title}: ${score}`),
  }),
  times: ({ phases }) => ({
    lines: [Object.entries((phases ?? {}) as Facts).map(([phase, ms]) => `${phase} ${ms} ms`)]
      .map((all) => all.join(" · "))
      .filter((line) => line !== ""),
  }),
  run: ({ task_kind, task_name }, t) => {
    const kind = RUN_KINDS[String(task_kind)];
    return { lines: [], ...(kind && { sentence: `${t(kind)} · ${task_name}` }) };
  },
  decorate: ({ attachments }, t) => ({
    title: t("factDecorate"),
    lines: listOf(attachments).map(({ type, name }) => `${type} ${name}`),
  }),
};

function listOf(value: unknown): readonly Facts[] {
  return Array.isArray(value) ? value : [];
}
