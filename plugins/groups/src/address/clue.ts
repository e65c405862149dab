/** One observation that makes it more or less likely that the bot is meant. */
export interface Clue {
  readonly name:
    | "dismissed"
    | "called"
    | "mentioned"
    | "other_called"
    | "other_tagged"
    | "reply_to_other"
    | "question"
    | "follow_up"
    | "second_person"
    | "acknowledged"
    | "interrupted"
    | "answers_question"
    | "takes_part"
    | "depth";
  readonly weight: number;
}
