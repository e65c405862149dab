import { diff } from "node:util";
import type { DeliveryResult, Replayed, ReplyResult, TurnRecord, TurnResult } from "@parley/core";

/** Comparison of a replay with its record, for people. */
export interface ReplayReport {
  readonly isEqual: boolean;
  readonly lines: readonly string[];
}

/** One phase of a turn with the lines by which it is compared. */
type Phase = readonly [name: string, lines: (result: TurnResult) => readonly string[]];

const PHASES: readonly Phase[] = [
  ["screen", formatScreen],
  ["prompt", ({ prompt }) => prompt.flatMap(({ key, text }) => [`[${key}]`, ...text.split("\n")])],
  ["screen-reply", ({ screenReply }) => screenReply.flatMap(formatReply)],
  ["decorate", ({ decorate }) => decorate.flatMap(formatReply)],
  ["deliveries", ({ deliveries }) => deliveries.flatMap(formatDelivery)],
  ["error", ({ error }) => (error ? [`${error.code}: ${error.error}`] : [])],
];

export function createReplayReport(record: TurnRecord, { result, notes }: Replayed): ReplayReport {
  const { traceId, inbound, result: recorded } = record;
  const lines = [`${traceId}  ${inbound.channelId}  ${JSON.stringify(inbound.text.slice(0, 60))}`];
  let isEqual = true;
  for (const [name, linesOf] of PHASES) {
    const before = linesOf(recorded);
    const after = linesOf(result);
    const isSame = before.join("\n") === after.join("\n");
    if (name === "error" && before.length + after.length === 0) continue;
    lines.push(`${name.padEnd(14)}${isSame ? "same" : "different"}`);
    if (isSame) continue;
    isEqual = false;
    lines.push(...formatChanges(before, after));
  }
  if (!isEqual) lines.push(...notes.map((note) => `note: ${note}`));
  return { isEqual, lines: [...lines, isEqual ? "equal" : "different: - as recorded, + as it is now"] };
}

/** Returns the changed lines, each with the heading or line before it. */
function formatChanges(before: readonly string[], after: readonly string[]): readonly string[] {
  // The diff leads from the second list to the first: 1 marks a line of the first only, -1 a line of the second only.
  const steps = diff([...before], [...after]);
  return steps.flatMap(([step, line], index) => {
    const isNext = steps[index + 1]?.[0] !== 0 && index + 1 < steps.length;
    if (step === 0) return isNext ? [`    ${line}`] : [];
    return [`  ${step === 1 ? "-" : "+"} ${line}`];
  });
}

function formatScreen({ screen: { text, blocked, rules } }: TurnResult): readonly string[] {
  const ruled = rules.length > 0 ? [`rules: ${rules.join(", ")}`] : [];
  return [...(blocked ? ["blocked"] : text.split("\n")), ...ruled];
}

function formatReply({ kind, sender, text, attachments }: ReplyResult): readonly string[] {
  return [`${kind}${sender === "" ? "" : ` of ${sender}`}:`, ...formatDelivery({ text, attachments })];
}

function formatDelivery({ text, attachments }: DeliveryResult): readonly string[] {
  const attachmentLines = attachments.map(({ type, name, url }) => `[${type}: ${name ?? url}]`);
  return [...(text === "" ? [] : text.split("\n")), ...attachmentLines];
}
