import type { InjectionToken } from "tsyringe";

/** A place where any number of plugins may each add one implementation of `T`. */
export interface ExtensionPoint<T> {
  readonly kind: "extension-point";
  readonly id: string;
  readonly token: InjectionToken<T>;
  /** A contribution as it is used; throws what is wrong with it. Absent: any value is taken as it is. */
  accept?(contribution: unknown): T;
  /** What no two contributions may share, also not across points of the same `kind`. */
  readonly unique?: UniqueNames<T>;
  /** What it names of what others add: where nobody adds that, it is told at the start. */
  refers?(contribution: T): readonly Reference[];
  /** What to write instead: the next contract has it no more. Each plugin that adds to it has that told at the start. */
  readonly deprecated?: string;
  /** Methods whose calls must end, of a contribution or of each in a list: a plugin whose call does not is named. */
  readonly ends?: readonly string[];
}

/** A name that stands in a contribution for another one. */
export interface Reference {
  /** Where it stands: `view.resource`. */
  readonly field: string;
  /** The `kind` of unique names that it is one of. */
  readonly kind: string;
  readonly name: string;
  /** True: where there are none of the kind at all, nothing is missing. */
  readonly ifAny?: true;
}

/** Names of which there is one each in the whole service: `tool` `dice_roll`. */
export interface UniqueNames<T> {
  readonly kind: string;
  names(contribution: T): readonly string[];
}

/** A service that exactly one enabled plugin provides. */
export interface ServiceKey<T> {
  readonly kind: "service";
  readonly id: string;
  readonly token: InjectionToken<T>;
  /** What to write instead: the next contract has it no more. Each plugin that requires it has that told at the start. */
  readonly deprecated?: string;
}

/**
 * A new extension point. `id` is kebab-case and unique among points and services. The host applies the rules to
 * what each plugin adds; a plugin whose contribution breaks one is left out and named.
 */
export function extensionPoint<T>(
  id: string,
  rules: Pick<ExtensionPoint<T>, "accept" | "unique" | "refers" | "deprecated" | "ends"> = {},
): ExtensionPoint<T> {
  return { kind: "extension-point", id, token: tokenFor<T>(id), ...rules };
}

/** A new service key. `id` is kebab-case and unique among points and services. */
export function serviceKey<T>(id: string, rules: Pick<ServiceKey<T>, "deprecated"> = {}): ServiceKey<T> {
  return { kind: "service", id, token: tokenFor<T>(id), ...rules };
}

// Symbol.for, so that two installed copies of core agree on a token; the cast,
// because TypeScript narrows a bare `const X: InjectionToken<T> = Symbol()` to `symbol`.
function tokenFor<T>(id: string): InjectionToken<T> {
  return Symbol.for(`parley:${id}`) as InjectionToken<T>;
}
