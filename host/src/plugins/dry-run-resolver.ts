import { AppError, type Resolver, type ServiceKey } from "@parley/core";
import type { DeclaredPlugin } from "./declare-plugins.ts";

class NotStartedError extends Error {}

/** Returns true when an error occurred only because nothing has been started. */
export function isNotStarted(error: unknown): boolean {
  return (
    error instanceof NotStartedError ||
    (error instanceof Error && error.cause !== undefined && isNotStarted(error.cause))
  );
}

/**
 * Creates a resolver for examining contributions without a start. Services of the host and of third parties are real; first-party ones
 * can be obtained but not used, so nothing is opened. With `own`, the services of that plugin are real and others are placeholders,
 * whose results are only useful for descriptions.
 */
export function createDryRunResolver(
  plugins: readonly DeclaredPlugin[],
  services: ReadonlyMap<string, unknown>,
  own?: DeclaredPlugin,
): Resolver {
  const made = new Map<string, unknown>();
  const find = <T>({ id }: ServiceKey<T>): T | undefined => {
    if (services.has(id)) return services.get(id) as T;
    const owner = plugins.find(({ provides }) => provides.some(({ key }) => key.id === id));
    const make = owner?.provides.find(({ key }) => key.id === id)?.make;
    if (!owner || !make) return undefined;
    if (!made.has(id))
      made.set(
        id,
        owner.loaded.isThirdParty || owner === own ? make(from) : own ? createPlaceholder() : createUnusable(id),
      );
    return made.get(id) as T;
  };
  const from: Resolver = {
    find,
    get(key) {
      const found = find(key);
      if (found === undefined) throw new AppError("unavailable", `no enabled plugin provides '${key.id}'`);
      return found;
    },
    all: () => [],
  };
  return from;
}

/** Creates an object that returns itself for every access and call; it contains nothing. */
function createPlaceholder(): object {
  const self: object = new Proxy(() => {}, {
    // A thenable would never resolve.
    get: (_, key) => (key === "then" ? undefined : key === Symbol.iterator ? emptyIterator : self),
    apply: () => self,
    has: () => true,
    ownKeys: () => [],
  });
  return self;
}

function* emptyIterator(): Generator<never> {}

function createUnusable(id: string): object {
  const reject = () => {
    throw new NotStartedError(`'${id}' is not started`);
  };
  // A function, so that callable services are covered too.
  return new Proxy(() => {}, { get: reject, has: reject, ownKeys: reject, apply: reject });
}
