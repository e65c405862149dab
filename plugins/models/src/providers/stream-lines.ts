/** Rewrites a stream of text line by line, without line ends; each line is handled once, however many chunks it comes in. */
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
