/** The position at which a text ends by one of the client's stop texts; undefined when none is in it. */
export function findStop(text: string, stops: readonly string[]): number | undefined {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return found.length > 0 ? Math.min(...found) : undefined;
}

/** Passes pieces of a text on up to the first stop text; the end of the text that may begin one is passed on later. */
export async function* cutAtStop(
  pieces: AsyncIterable<string>,
  stops: readonly string[],
  onStop: () => void,
): AsyncGenerator<string> {
  const longest = Math.max(0, ...stops.map(({ length }) => length));
  let waiting = "";
  for await (const piece of pieces) {
    waiting += piece;
    const end = findStop(waiting, stops);
    if (end !== undefined) {
      if (end > 0) yield waiting.slice(0, end);
      return onStop();
    }
    const length = waiting.length - Math.max(0, longest - 1);
    if (length <= 0) continue;
    yield waiting.slice(0, length);
    waiting = waiting.slice(length);
  }
  if (waiting !== "") yield waiting;
}
