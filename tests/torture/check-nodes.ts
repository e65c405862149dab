import type { MessageOutcome } from "./outcomes.ts";

/** Two channels that recognize duplicates by key, and one that shows everything sent. */
export const CHANNELS = ["one", "two", "bot"] as const;
export const ROOMS = { one: ["r0", "r1"], two: ["r0", "r1"], bot: ["600", "601"] } as const;

/** Texts people of a conversation saw, in order. */
interface Platform {
  shown(room: string): readonly string[];
}

interface ObservedPlatforms {
  readonly receiver: Platform;
  readonly bots: Platform;
}

/** Returns the broken promises. */
export function checkNodes(
  { receiver, bots }: ObservedPlatforms,
  fates: readonly MessageOutcome[],
  said: readonly string[],
  blows: number,
) {
  const inDoubt = fates.filter(({ answers: [one] }) => one?.state === "dead" && one.cause === "outcome_unknown");
  const isRight = (fate: MessageOutcome) =>
    fate.state === "done" &&
    fate.answers.length === 1 &&
    (fate.answers[0]?.state === "delivered" || inDoubt.includes(fate));
  const problems = fates.filter((fate) => !isRight(fate)).map((fate) => `not answered: ${JSON.stringify(fate)}`);
  const taken = fates.map(({ text }) => text);
  for (const text of said) if (!taken.includes(text)) problems.push(`lost: ${text}`);
  if (taken.length !== said.length) problems.push(`${taken.length} were taken, ${said.length} said`);
  // What was on the wire when its node was killed: one for each conversation at most, where nobody can be asked.
  if (inDoubt.some(({ channel }) => channel !== "bot")) problems.push("in doubt where the platform knows");
  if (inDoubt.length > blows * ROOMS.bot.length) problems.push(`${inDoubt.length} are in doubt`);
  for (const channel of CHANNELS) {
    for (const room of ROOMS[channel]) {
      const own = (text: string) => text.includes(`(${channel} ${room} `);
      const shown = (channel === "bot" ? bots : receiver).shown(room).filter(own);
      const doubtful = new Set(inDoubt.map(({ text }) => text));
      const wanted = said
        .filter(own)
        .map((text) => `You said ${text}`)
        .filter((text) => shown.includes(text) || !doubtful.has(text.slice("You said ".length)));
      if (JSON.stringify(shown) !== JSON.stringify(wanted)) problems.push(`${channel} ${room} saw ${shown.join(", ")}`);
    }
  }
  return { inDoubt: inDoubt.length, problems };
}
