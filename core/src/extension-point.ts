import type { InjectionToken } from "tsyringe";

/** A place where any number of plugins may each add one implementation of `T`. */
export interface ExtensionPoint<T> {
  readonly kind: "extension-point";
  readonly id: string;
  readonly token: InjectionToken<T>;
  /** Validates a contribution and returns it in usable form; throws when it is invalid. Absent: any value is accepted. */
  accept?(contribution: unknown): T;
  /** Names that no two contributions may share, across all points of the same `kind`. */
  readonly unique?: UniqueNames<T>;
  /** Names that a contribution refers to in other contributions; missing ones are reported at start. */
  refers?(contribution: T): readonly Reference[];
  /** The replacement; the next contract version drops this point. Each plugin that contributes to it gets a warning at start. */
  readonly deprecated?: string;
  /** Methods whose promises must settle, of a contribution or of each in a list; a plugin whose call hangs is reported. */
  readonly ends?: readonly string[];
  /** Methods that return objects whose own methods must settle. */
  readonly returns?: readonly ReturnedParts[];
}

/** Methods of the object that a contribution's method returns or resolves with; of each item when that is a list. */
export interface ReturnedParts {
  readonly method: string;
  readonly ends: readonly string[];
  /** Kind of the returned objects, which then have a `name`. Absent: the contribution's name is used. */
  readonly kind?: string;
}

/** A reference in a contribution to another one by name. */
export interface Reference {
  /** Field that holds the reference: `view.resource`. */
  readonly field: string;
  /** The `kind` of unique names that the reference belongs to. */
  readonly kind: string;
  readonly name: string;
  /** True when the reference also counts as satisfied while the kind has no names at all. */
  readonly ifAny?: true;
}

/** Names that must be unique in the whole service: `tool` `dice_roll`. */
export interface UniqueNames<T> {
  readonly kind: string;
  names(contribution: T): readonly string[];
}

/** Key of a service that exactly one enabled plugin provides. */
export interface ServiceKey<T> {
  readonly kind: "service";
  readonly id: string;
  readonly token: InjectionToken<T>;
  /** The replacement; the next contract version drops this service. Each plugin that requires it gets a warning at start. */
  readonly deprecated?: string;
}

/**
 * Creates an extension point. `id` is kebab-case and unique among points and services. The host applies the rules to
 * each contribution; a plugin that breaks one is left out and reported.
 */
export function extensionPoint<T>(
  id: string,
  rules: Pick<ExtensionPoint<T>, "accept" | "unique" | "refers" | "deprecated" | "ends" | "returns"> = {},
): ExtensionPoint<T> {
  return { kind: "extension-point", id, token: tokenFor<T>(id), ...rules };
}

/** Creates a service key. `id` is kebab-case and unique among points and services. */
export function serviceKey<T>(id: string, rules: Pick<ServiceKey<T>, "deprecated"> = {}): ServiceKey<T> {
  return { kind: "service", id, token: tokenFor<T>(id), ...rules };
}

// Symbol.for, so that two installed copies of core agree on a token; the cast,
// because TypeScript narrows a bare `const X: InjectionToken<T> = Symbol()` to `symbol`.
function tokenFor<T>(id: string): InjectionToken<T> {
  return Symbol.for(`parley:${id}`) as InjectionToken<T>;
}
