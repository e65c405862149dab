/** English texts of plugin chat. */
export const en = {
  id_taken: "there is a prompt '{id}' already",
  not_yours: "only its creator and administrators can change it",
  nothing: "there is nothing to summarise",
  summary_late: "the summary was not ready in time",
  answers_off: "AI answers are switched off",
  too_late: "the model did not answer within the time limit",
  tools_only: "the model did not answer: it only asked for tools",
  command_unknown: "there is no command {name}",
  command_admin: "{name} is for administrators only",
  command_model_unknown: "there is no chat model '{name}'",
  command_model_set: "{name} answers here.",
  command_new: "New conversation: {name} ({id})",
  command_aliases: "{description}\nAlso: {aliases}",
  command_models: "In use: {model}{others}",
  command_model_default: "This conversation now uses the default model.",
} as const;
