import type { InjectionToken } from "tsyringe";

/** A place where any number of plugins may each add one implementation of `T`. */
export interface ExtensionPoint<T> {
  readonly kind: "extension-point";
  readonly id: string;
  readonly token: InjectionToken<T>;
}

/** A service that exactly one enabled plugin provides. */
export interface ServiceKey<T> {
  readonly kind: "service";
  readonly id: string;
  readonly token: InjectionToken<T>;
}

/** A new extension point. `id` is kebab-case and unique among points and services. */
export function extensionPoint<T>(id: string): ExtensionPoint<T> {
  return { kind: "extension-point", id, token: tokenFor<T>(id) };
}

/** A new service key. `id` is kebab-case and unique among points and services. */
export function serviceKey<T>(id: string): ServiceKey<T> {
  return { kind: "service", id, token: tokenFor<T>(id) };
}

// Symbol.for, so that two installed copies of core agree on a token; the cast,
// because TypeScript narrows a bare `const X: InjectionToken<T> = Symbol()` to `symbol`.
function tokenFor<T>(id: string): InjectionToken<T> {
  return Symbol.for(`parley:${id}`) as InjectionToken<T>;
}
