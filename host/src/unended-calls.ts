import type { ExtensionPoint, Finding, Logger } from "@parley/core";
import { sentence } from "./sentences.ts";

/** Milliseconds after which an unfinished call is reported. */
const AFTER_MS = 10_000;

/** Unfinished calls of third-party contributions. */
export interface UnendedCalls extends Disposable {
  /** Wraps a contribution to monitor its calls, and returns it. */
  watch<T>(plugin: string, point: ExtensionPoint<T>, contribution: T): T;
  /** Returns one finding for each contribution with long calls. */
  findings(): readonly Finding[];
}

type Method = (...args: readonly unknown[]) => unknown;
interface Part {
  readonly plugin: string;
  /** `tool 'dice_roll'` */
  readonly name: string;
  /** Start times of long-running calls. */
  readonly open: Map<symbol, number>;
}

/** Original of each watched method, because a contribution may return after a reload. */
const unwatched = new WeakMap<Method, Method>();

export function createUnendedCalls(log: Logger, now = () => performance.now()): UnendedCalls {
  const late = new Set<Part>();
  const timers = new Set<NodeJS.Timeout>();
  const reportLate = (part: Part, call: symbol, began: number) => {
    part.open.set(call, began);
    if (part.open.size > 1) return;
    late.add(part);
    const { plugin, name } = part;
    log.warn(sentence("call_unended", { plugin, name, seconds: AFTER_MS / 1000 }).en, { plugin });
  };
  const follow = (part: Part, ending: PromiseLike<unknown>) => {
    const call = Symbol(part.name);
    const began = now();
    const timer = setTimeout(reportLate, AFTER_MS, part, call, began);
    timer.unref();
    timers.add(timer);
    const ended = () => {
      clearTimeout(timer);
      timers.delete(timer);
      if (!part.open.delete(call) || part.open.size > 0) return;
      late.delete(part);
      const { plugin, name } = part;
      log.info(sentence("call_ended", { plugin, name, seconds: Math.round((now() - began) / 1000) }).en, { plugin });
    };
    ending.then(ended, ended);
  };
  const followAll = (owner: object, methods: readonly string[], part: Part) => {
    for (const method of methods) watchMethod(owner, method, (answer) => isPromise(answer) && follow(part, answer));
  };
  return {
    watch(plugin, { ends = [], returns = [], unique }, contribution) {
      const names = unique?.names(contribution) ?? [];
      for (const [index, one] of [contribution].flat().entries()) {
        const part: Part = { plugin, name: `${unique?.kind ?? ""} '${names[index] ?? ""}'`, open: new Map() };
        followAll(
          one as object,
          ends.filter((name) => !returns.some(({ method }) => method === name)),
          part,
        );
        for (const { method, ends: theirs, kind } of returns) {
          const watchReturned = createReturnedWatch((item) => {
            const name = kind === undefined ? part.name : `${kind} '${Reflect.get(item, "name")}'`;
            followAll(item, theirs, { plugin, name, open: new Map() });
          });
          watchMethod(one as object, method, (answer) => {
            if (isPromise(answer) && ends.includes(method)) follow(part, answer);
            watchReturned(answer);
          });
        }
      }
      return contribution;
    },
    findings: () => [...late].map((part) => toFinding(part, now())),
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Calls `watch` once for each object that is returned, or that a promise resolves with, alone or in a list. */
function createReturnedWatch(watch: (item: object) => void): (answer: unknown) => void {
  const seen = new WeakSet<object>();
  const watchAll = (returned: unknown) => {
    for (const item of [returned].flat()) {
      if (typeof item !== "object" || item === null || seen.has(item)) continue;
      seen.add(item);
      watch(item);
    }
  };
  return (answer) => void (isPromise(answer) ? answer.then(watchAll, () => {}) : watchAll(answer));
}

function watchMethod(owner: object, name: string, onAnswer: (answer: unknown) => void): void {
  const given: unknown = Reflect.get(owner, name);
  // Frozen members cannot be wrapped.
  if (typeof given !== "function" || Object.isFrozen(owner)) return;
  const method = unwatched.get(given as Method) ?? (given as Method);
  const watched = function (this: unknown, ...args: readonly unknown[]): unknown {
    const answer = method.apply(this, args as unknown[]);
    onAnswer(answer);
    return answer;
  };
  unwatched.set(watched, method);
  Object.defineProperty(owner, name, { value: watched, configurable: true, enumerable: true, writable: true });
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === "object" && answer !== null && typeof Reflect.get(answer, "then") === "function";
}

function toFinding({ plugin, name, open }: Part, now: number): Finding {
  const seconds = Math.round((now - Math.min(...open.values())) / 1000);
  const parameters = { plugin, name, seconds: String(seconds) };
  return {
    key: "plugin.unended",
    level: "warning",
    said: sentence("call_unended", parameters),
    advice: sentence("call_unended_advice"),
    parameters,
    page: "/plugins",
  };
}
