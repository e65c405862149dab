/** A moment as a field of the browser shows it: in the time of who looks, to the minute. */
export function localTimeOf(iso: string): string {
  const at = new Date(iso);
  if (iso === "" || Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that such a field means; null for an empty one. */
export function momentOf(local: string): string | null {
  const at = new Date(local);
  return local === "" || Number.isNaN(at.getTime()) ? null : at.toISOString();
}
