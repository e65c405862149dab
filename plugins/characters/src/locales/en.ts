/** English texts of plugin characters. */
export const en = {
  has_links: "other addresses are linked to '{id}'",
  linked: "'{id}' is linked to another address itself",
  many_of_name: "several characters have this name: {ids}",
  many_people: "several people talk there: say who with target_id",
  no_book: "world book '{id}' does not exist",
  other_person: "is not the other person in session_id",
  other_scope: "is not the scope of session_id",
  same: "is the address itself",
} as const;
