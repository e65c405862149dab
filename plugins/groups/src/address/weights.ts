/**
 * Weights of the signals, as log odds that the bot should answer.
 * `node --conditions=@parley/source tests/bench/group-talk-fit.ts --write` fits them to the talks of `tests/bench/group-talk`
 * by logistic regression with a penalty on large weights.
 */
export const WEIGHTS = {
  /** Without any signal, people talk to each other. */
  none: -5.2,
  /** Words that tell the bot to keep out; not fitted. */
  dismissed: -9,
  /** The name stands where people call somebody. */
  called: 9.9,
  /** The name stands where people speak about somebody. */
  mentioned: -3.8,
  /** The name of somebody else stands where people call somebody. */
  other_called: -4.3,
  /** The text has the name of somebody else elsewhere. */
  other_named: -2.3,
  /** A reply to somebody else, or a tag of somebody else. */
  other_tagged: -2.7,
  /** Words to several people, or to anybody. */
  plural: -1.4,
  /** Words that end an exchange. */
  acknowledged: -2.8,
  /** Signs, laughter and cries, which ask for nothing. */
  reaction: -4.1,
  /** Words about what the person will do themselves. */
  plan: -3,
  /** A question, whoever it is for. */
  question: 0.9,
  /** A request, whoever it is for. */
  request: 1.6,
  /** The bot spoke last, and to this person. */
  answered: 6.9,
  /** The bot spoke last, and ended in a question. */
  asked: 2,
  /** The bot spoke last, but to somebody else. */
  overheard: 2.7,
  /** As before, and the message asks. */
  overheard_asks: 2.9,
  /** The bot spoke to somebody else, one or two lines follow, and the message goes on or wants something. */
  overheard_later: 3.4,
  /** The bot answered this person a moment ago, and others spoke since. */
  resumed: 4,
  /** As before, and the message asks. */
  resumed_asks: 0.9,
  /** As before, and this person has just spoken. */
  resumed_afresh: 4.2,
  /** A beginning that goes on with something, a moment after the bot answered. */
  continued: 1.3,
  /** Somebody else spoke last, and turned to this person. */
  was_asked: -2.5,
  /** The bot has answered this person more than once. */
  exchange: -1.3,
};
