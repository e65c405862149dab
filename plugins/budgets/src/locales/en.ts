/** English texts of plugin budgets. */
export const en = {
  over: "The budget “{budget}” is used up. It resets on {resets}.",
  id_taken: "a budget with the id '{id}' already exists",
  no_cheaper: "choose the cheaper model",
  not_chat: "'{id}' is not a chat model",
  no_target: "a budget for everything has no target",
  pruned: "{count, plural, one {# old row} other {# old rows}} removed",
} as const;
