import type { ExtensionPoint, Finding, Logger } from "@parley/core";
import { sentence } from "./sentences.ts";

/** Milliseconds after which an unfinished call is reported. */
const AFTER_MS = 10_000;

/** Unfinished calls of third-party contributions. */
export interface UnendedCalls extends Disposable {
  /** Wraps a contribution to monitor its calls, and returns it. */
  watch<T>(plugin: string, point: ExtensionPoint<T>, contribution: T): T;
  /** One for each part with calls that take long. */
  findings(): readonly Finding[];
}

type Method = (...args: readonly unknown[]) => unknown;
interface Part {
  readonly plugin: string;
  /** `tool 'dice_roll'` */
  readonly name: string;
  /** Calls that take long, and when each began. */
  readonly open: Map<symbol, number>;
}

/** The original of each watched method: a contribution may come again after a reload. */
const unwatched = new WeakMap<Method, Method>();

export function createUnendedCalls(log: Logger, now = () => performance.now()): UnendedCalls {
  const parts: Part[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const tellLate = (part: Part, call: symbol, began: number) => {
    part.open.set(call, began);
    if (part.open.size > 1) return;
    const { plugin, name } = part;
    log.warn(sentence("call_unended", { plugin, name, seconds: AFTER_MS / 1000 }).en, { plugin });
  };
  const follow = (part: Part, ending: PromiseLike<unknown>) => {
    const call = Symbol(part.name);
    const began = now();
    const timer = setTimeout(tellLate, AFTER_MS, part, call, began);
    timer.unref();
    timers.add(timer);
    const ended = () => {
      clearTimeout(timer);
      timers.delete(timer);
      if (!part.open.delete(call) || part.open.size > 0) return;
      const { plugin, name } = part;
      log.info(sentence("call_ended", { plugin, name, seconds: Math.round((now() - began) / 1000) }).en, { plugin });
    };
    ending.then(ended, ended);
  };
  return {
    watch(plugin, { ends = [], unique }, contribution) {
      const names = unique?.names(contribution) ?? [];
      for (const [index, one] of [contribution].flat().entries()) {
        const part: Part = { plugin, name: `${unique?.kind ?? ""} '${names[index] ?? ""}'`, open: new Map() };
        parts.push(part);
        for (const name of ends) watchMethod(one as object, name, (ending) => follow(part, ending));
      }
      return contribution;
    },
    findings: () => parts.filter(({ open }) => open.size > 0).map((part) => findingOf(part, now())),
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function watchMethod(owner: object, name: string, follow: (ending: PromiseLike<unknown>) => void): void {
  const given: unknown = Reflect.get(owner, name);
  // Frozen members cannot be wrapped.
  if (typeof given !== "function" || Object.isFrozen(owner)) return;
  const method = unwatched.get(given as Method) ?? (given as Method);
  const watched = function (this: unknown, ...args: readonly unknown[]): unknown {
    const answer = method.apply(this, args as unknown[]);
    if (isPromise(answer)) follow(answer);
    return answer;
  };
  unwatched.set(watched, method);
  Object.defineProperty(owner, name, { value: watched, configurable: true, enumerable: true, writable: true });
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === "object" && answer !== null && typeof Reflect.get(answer, "then") === "function";
}

function findingOf({ plugin, name, open }: Part, now: number): Finding {
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
