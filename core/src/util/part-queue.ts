/** Queue of parts for one reader, buffered until read; ends on `end()`. */
export interface PartQueue<Part> {
  push(part: Part): void;
  end(): void;
  readonly parts: AsyncIterable<Part>;
}

/** Creates a part queue; `onReaderLeft` is called when its reader leaves before the end. */
export function createPartQueue<Part>(onReaderLeft: () => void): PartQueue<Part> {
  const pendingParts: Part[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  const wakeReader = () => {
    wake?.();
    wake = undefined;
  };
  const next = async (): Promise<IteratorResult<Part, undefined>> => {
    for (;;) {
      if (pendingParts.length > 0) return { done: false, value: pendingParts.shift() as Part };
      if (isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    push(part) {
      pendingParts.push(part);
      wakeReader();
    },
    end() {
      isOver = true;
      wakeReader();
    },
    parts: {
      [Symbol.asyncIterator]: () => ({
        next,
        async return() {
          onReaderLeft();
          return { done: true, value: undefined };
        },
      }),
    },
  };
}
