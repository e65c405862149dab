/** Creates a queue that runs operations on the same key one after another. */
export function createSerialQueue() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(id: string, work: () => Promise<Result>): Promise<Result> => {
    const before = last.get(id);
    const mine = (async () => {
      // The error of the earlier operation was reported to its caller.
      await before?.catch(() => {});
      return work();
    })();
    last.set(id, mine);
    try {
      return await mine;
    } finally {
      if (last.get(id) === mine) last.delete(id);
    }
  };
}
