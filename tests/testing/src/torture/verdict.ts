/** What became of everything that people said while the service was killed. The texts are as they were said. */
export interface TortureVerdict {
  readonly seed: number;
  /** Where the service was killed, in this order: `sending@2` is the second time something was being sent. */
  readonly kills: readonly string[];
  readonly said: number;
  /** Taken from the platform, and never answered. */
  readonly lost: readonly string[];
  /** People see two answers or more. */
  readonly twice: readonly string[];
  /** Answered after something that was said later in the same conversation. */
  readonly outOfOrder: readonly string[];
  /** It may have been answered, nobody can tell, and it waits for a person: only where the adapter can neither repeat nor ask. */
  readonly inDoubt: readonly string[];
}

/** What was said in one conversation, in order, and what people see there. */
export interface ConversationLog {
  readonly said: readonly string[];
  readonly shown: readonly string[];
}

/** How the answer to a text is told from all others. */
export function toAnswerText(text: string): string {
  return `answer to [${text}]`;
}

/** `doubtful` are the answers that the service left to a person. */
export function judgeTalks(
  talks: readonly ConversationLog[],
  unknownOutcomes: readonly string[],
): Pick<TortureVerdict, "said" | "lost" | "twice" | "outOfOrder" | "inDoubt"> {
  const isDoubtful = (text: string) => unknownOutcomes.some((answer) => answer.includes(toAnswerText(text)));
  const judged = talks.flatMap(({ said, shown }) => {
    const places = said.map((text) => shown.findIndex((one) => one.includes(toAnswerText(text))));
    return said.map((text, at) => ({
      text,
      seen: shown.filter((one) => one.includes(toAnswerText(text))).length,
      isLate: places[at] !== -1 && places.slice(at + 1).some((place) => place !== -1 && place < (places[at] ?? 0)),
    }));
  });
  const texts = (all: typeof judged) => all.map(({ text }) => text);
  const unseen = judged.filter(({ seen }) => seen === 0);
  return {
    said: judged.length,
    lost: texts(unseen.filter(({ text }) => !isDoubtful(text))),
    twice: texts(judged.filter(({ seen }) => seen > 1)),
    outOfOrder: texts(judged.filter(({ isLate }) => isLate)),
    inDoubt: texts(unseen.filter(({ text }) => isDoubtful(text))),
  };
}
