/** English texts of plugin chat. */
export const en = {
  id_taken: "there is a prompt '{id}' already",
  not_yours: "only its creator and administrators can change it",
  nothing: "there is nothing to summarise",
  summary_late: "the summary was not ready in time",
} as const;
