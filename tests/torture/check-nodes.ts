import type { MessageOutcome } from "./outcomes.ts";

/** Two channels that recognize duplicates by key, and one that shows everything sent. */
export const CHANNELS = ["one", "two", "bot"] as const;
export const ROOMS = { one: ["r0", "r1"], two: ["r0", "r1"], bot: ["600", "601"] } as const;

/** Texts that people of a conversation saw, in order. */
interface Platform {
  shown(room: string): readonly string[];
}

interface ObservedPlatforms {
  readonly receiver: Platform;
  readonly bots: Platform;
}

/** Returns the broken promises and the count of unknown outcomes. */
export function checkNodes(
  { receiver, bots }: ObservedPlatforms,
  outcomes: readonly MessageOutcome[],
  sentTexts: readonly string[],
  blows: number,
) {
  const unknown = outcomes.filter(({ answers: [one] }) => one?.state === "dead" && one.cause === "outcome_unknown");
  const isRight = (outcome: MessageOutcome) =>
    outcome.state === "done" &&
    outcome.answers.length === 1 &&
    (outcome.answers[0]?.state === "delivered" || unknown.includes(outcome));
  const problems = outcomes
    .filter((outcome) => !isRight(outcome))
    .map((outcome) => `not answered: ${JSON.stringify(outcome)}`);
  const taken = outcomes.map(({ text }) => text);
  for (const text of sentTexts) if (!taken.includes(text)) problems.push(`lost: ${text}`);
  if (taken.length !== sentTexts.length) problems.push(`${taken.length} were taken, ${sentTexts.length} said`);
  // A send that was in flight when its node was killed: at most one per conversation, and only where the platform cannot be asked.
  if (unknown.some(({ channel }) => channel !== "bot")) problems.push("in doubt where the platform knows");
  if (unknown.length > blows * ROOMS.bot.length) problems.push(`${unknown.length} are in doubt`);
  for (const channel of CHANNELS) {
    for (const room of ROOMS[channel]) {
      const own = (text: string) => text.includes(`(${channel} ${room} `);
      const shown = (channel === "bot" ? bots : receiver).shown(room).filter(own);
      const doubtful = new Set(unknown.map(({ text }) => text));
      const wanted = sentTexts
        .filter(own)
        .map((text) => `You said ${text}`)
        .filter((text) => shown.includes(text) || !doubtful.has(text.slice("You said ".length)));
      if (JSON.stringify(shown) !== JSON.stringify(wanted)) problems.push(`${channel} ${room} saw ${shown.join(", ")}`);
    }
  }
  return { inDoubt: unknown.length, problems };
}
