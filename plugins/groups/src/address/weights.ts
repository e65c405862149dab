/**
 * Weights of the signals, as log odds that the bot should answer.
 * `node --conditions=@parley/source tests/bench/group-talk-fit.ts --write` fits them to the talks of `tests/bench/group-talk`
 * by logistic regression with a penalty on large weights.
 */
export const WEIGHTS = {
  /** Without any signal, people talk to each other. */
  none: -5.6,
  /** Words that tell the bot to keep out; not fitted. */
  dismissed: -9,
  /** The name stands where people call somebody. */
  called: 9.8,
  /** The name stands where people speak about somebody. */
  mentioned: -3.8,
  /** The name of somebody else stands where people call somebody. */
  other_called: -3.6,
  /** The text has the name of somebody else elsewhere. */
  other_named: -1.3,
  /** A reply to somebody else, or a tag of somebody else. */
  other_tagged: -2.7,
  /** Words to several people, or to anybody. */
  plural: -2.5,
  /** Words that end an exchange. */
  acknowledged: -2.8,
  /** Signs, laughter and cries, which ask for nothing. */
  reaction: -4.1,
  /** A question, whoever it is for. */
  question: 1.3,
  /** A request, whoever it is for. */
  request: 2,
  /** The second person, which people use to each other too. */
  second_person: -0.6,
  /** The bot spoke last, and to this person. */
  answered: 7.4,
  /** The bot spoke last, and ended in a question. */
  asked: 2.3,
  /** The bot spoke last, but to somebody else. */
  overheard: 2.9,
  /** As before, and the message asks. */
  overheard_asks: 2.4,
  /** As before, but others spoke since, and it goes on with a question. */
  overheard_later: 5.5,
  /** The bot answered this person a moment ago, and others spoke since. */
  resumed: 4.7,
  /** As before, and the message asks. */
  resumed_asks: 0.8,
  /** As before, and this person has just spoken. */
  resumed_afresh: 4.5,
  /** A beginning that goes on with something, a moment after the bot answered. */
  continued: 1.5,
  /** Somebody else spoke last, and turned to this person. */
  was_asked: -2.2,
  /** The bot has answered this person more than once. */
  exchange: -1.9,
};
