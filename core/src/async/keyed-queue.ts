/** A queue that runs work on one key in the order of the calls; work on other keys does not wait. */
export type KeyedQueue = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Creates a keyed queue. Each caller gets its own failure, which does not stop the work behind it. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, result);
    const forget = () => {
      if (last.get(key) === result) last.delete(key);
    };
    result.then(forget, forget);
    return result;
  };
}

/** Creates a queue that runs work one at a time, in the order of the calls. Each caller gets its own failure. */
export function createSerialQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const queue = createKeyedQueue();
  return (work) => queue("", work);
}
