/** Lets turns begin one after another, each in its own round of the event loop: what is to be acknowledged comes between. */
export function createTurnStarts(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isPaced = false;
  const next = () => {
    const begin = waiting.shift();
    isPaced = begin !== undefined;
    if (!begin) return;
    setImmediate(next);
    begin();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isPaced) return;
      isPaced = true;
      setImmediate(next);
    });
}
