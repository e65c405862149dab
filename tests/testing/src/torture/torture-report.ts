/** The outcome of all messages sent while the service was killed, by their texts. */
export interface TortureReport {
  readonly seed: number;
  /** Places of the kills, in order: `sending@2` is the second send. */
  readonly kills: readonly string[];
  readonly said: number;
  /** Texts that the platform accepted and that were never answered. */
  readonly lost: readonly string[];
  /** Texts with two or more visible answers. */
  readonly twice: readonly string[];
  /** Texts answered after a later message of the same conversation. */
  readonly outOfOrder: readonly string[];
  /** Texts with an unknown outcome that waits for a person; only where the adapter has neither idempotency nor reconciliation. */
  readonly inDoubt: readonly string[];
}

/** Messages of one conversation, in order, and the visible replies. */
export interface ConversationLog {
  readonly said: readonly string[];
  readonly shown: readonly string[];
}

/** Returns the recognizable reply to a text. */
export function toAnswerText(text: string): string {
  return `answer to [${text}]`;
}

/** Judges conversations; `unknownOutcomes` are the replies that the service left to a person. */
export function judgeConversations(
  talks: readonly ConversationLog[],
  unknownOutcomes: readonly string[],
): Pick<TortureReport, "said" | "lost" | "twice" | "outOfOrder" | "inDoubt"> {
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
