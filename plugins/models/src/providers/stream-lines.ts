/** Rewrites a stream of text line by line, each without its end; a line is looked at once, however many pieces it comes in. */
export function mapLines(change: (line: string) => string): TransformStream<string, string> {
  let pieces: string[] = [];
  return new TransformStream<string, string>({
    transform(chunk, controller) {
      pieces.push(chunk);
      if (!chunk.includes("\n")) return;
      const lines = pieces.join("").split("\n");
      pieces = [lines.pop() ?? ""];
      controller.enqueue(lines.map((line) => `${change(line)}\n`).join(""));
    },
    flush(controller) {
      const rest = pieces.join("");
      if (rest !== "") controller.enqueue(change(rest));
    },
  });
}
