/** Rewrites a text stream line by line. A line is rewritten once, even if it arrives in several chunks. */
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
