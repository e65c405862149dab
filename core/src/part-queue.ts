/** Parts for one reader, kept until it asks for them; ends when it is told to. */
export interface PartQueue<Part> {
  push(part: Part): void;
  end(): void;
  readonly parts: AsyncIterable<Part>;
}

/** A new queue; `left` is called when its reader leaves before the end. */
export function createPartQueue<Part>(left: () => void): PartQueue<Part> {
  const waiting: Part[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  const changed = () => {
    wake?.();
    wake = undefined;
  };
  const next = async (): Promise<IteratorResult<Part, undefined>> => {
    for (;;) {
      if (waiting.length > 0) return { done: false, value: waiting.shift() as Part };
      if (isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    push(part) {
      waiting.push(part);
      changed();
    },
    end() {
      isOver = true;
      changed();
    },
    parts: {
      [Symbol.asyncIterator]: () => ({
        next,
        async return() {
          left();
          return { done: true, value: undefined };
        },
      }),
    },
  };
}
