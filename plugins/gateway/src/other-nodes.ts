import type { Collection, Logger, Nodes, Signals, Write } from "@parley/core";

const RATES = "gateway-rates";
const WORKER = "gateway-worker";
/** What is counted within this time is told together: so late the others know. */
const TELL_EVERY_MS = 200;
/** A signal has room for 1,000 characters. */
const MOST_CHARS = 900;

export type WorkerSwitch = "start" | "stop" | "force-stop";

/** What nodes tell each other of the limits they keep together, and of the worker that is switched for all of them. */
export interface OtherNodes {
  /** One more came here of what has a limit; or one that was counted was none. */
  counted(key: string, by: 1 | -1): void;
  switched(how: WorkerSwitch): void;
  /** Whether the worker runs at those that are there already; with nobody there it is from now on as `first` says. */
  isWorking(first: boolean): Promise<boolean>;
  listen(heard: Heard): () => void;
}

interface Heard {
  counted(key: string, times: number): void;
  switched(how: WorkerSwitch): void;
}

/** What was said of the worker last, for those who come later. */
export interface KeptSwitch {
  readonly id: "worker";
  readonly working: boolean;
}

export interface OtherNodesParts {
  readonly kept: () => Pick<Collection<KeptSwitch>, "get" | "put">;
  readonly nodes: Pick<Nodes, "id" | "list">;
  readonly signals: Signals;
  readonly write: (writes: readonly Write[]) => Promise<unknown>;
  readonly log: Logger;
}

export function createOtherNodes({ kept, nodes, signals, write, log }: OtherNodesParts): OtherNodes {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const tell = (topic: string, keys: readonly string[]) =>
    write(signals.telling(keys.map((key) => ({ topic, key })))).catch((error: unknown) =>
      log.warn("the other nodes were not told", { topic, error }),
    );
  const tellCounts = () => {
    timer = undefined;
    const some = [...counts].filter(([, count]) => count > 0);
    counts.clear();
    if (some.length > 0) void tell(RATES, packed(some));
  };
  return {
    counted(key, by) {
      counts.set(key, (counts.get(key) ?? 0) + by);
      if (!isOver) timer ??= setTimeout(tellCounts, TELL_EVERY_MS);
    },
    switched(how) {
      const keep = kept().put({ id: "worker", working: how === "start" });
      keep.catch((error: unknown) =>
        log.warn("nodes that come later do not know how the worker was switched", { error }),
      );
      void tell(WORKER, [how]);
    },
    async isWorking(first) {
      const isAlone = (await nodes.list()).every(({ id }) => id === nodes.id);
      if (!isAlone) return (await kept().get("worker"))?.working ?? first;
      await kept().put({ id: "worker", working: first });
      return first;
    },
    listen(heard) {
      const ends = [
        signals.listen(RATES, (key) => {
          // What is not known any more was long ago.
          for (const [one, times] of key === undefined ? [] : entriesOf(key)) heard.counted(one, times);
        }),
        signals.listen(WORKER, (how) => {
          if (how !== undefined) heard.switched(how as WorkerSwitch);
        }),
      ];
      return () => {
        isOver = true;
        clearTimeout(timer);
        for (const end of ends) end();
      };
    },
  };
}

/** As few texts as have room for them; one that is too long by itself is not told. */
function packed(counts: readonly (readonly [string, number])[]): readonly string[] {
  const texts: string[] = [];
  let text = "";
  for (const one of counts) {
    const next = JSON.stringify(one);
    if (next.length > MOST_CHARS) continue;
    if (text.length + next.length > MOST_CHARS) texts.push(text);
    text = text === "" || text.length + next.length > MOST_CHARS ? next : `${text},${next}`;
  }
  return text === "" ? texts : [...texts, text];
}

function entriesOf(text: string): readonly (readonly [string, number])[] {
  return JSON.parse(`[${text}]`);
}
