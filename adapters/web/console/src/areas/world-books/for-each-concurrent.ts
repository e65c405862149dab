const CONCURRENCY = 4;

/** Runs `work` for all items, a few at a time. After a failure it begins no further item, and rejects once those that run have ended. */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = [...items];
  const runNext = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item).catch((error: unknown) => {
        queue.length = 0;
        throw error;
      });
    }
  };
  const runs = Array.from({ length: CONCURRENCY }, runNext);
  await Promise.allSettled(runs);
  await Promise.all(runs);
}
