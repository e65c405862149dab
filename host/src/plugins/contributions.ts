import { AppError, type ExtensionPoint, type Localized, type Reference, type Resolver } from "@parley/core";
import { describeFailure } from "../packages/import-problem.ts";
import { createError, sentence, toSentence } from "../sentences.ts";
import { type DeclaredPlugin, type Factory, isThenable } from "./declare-plugins.ts";

export interface ContributionsDeps {
  /** Plugins in start order. */
  readonly plugins: readonly DeclaredPlugin[];
  readonly from: Resolver;
  /** Names that the host itself uses, as `<kind> <name>`. */
  readonly reservedNames: ReadonlySet<string>;
  isExcluded(one: DeclaredPlugin): boolean;
  /** Excludes a third-party plugin with an unusable contribution. */
  exclude(one: DeclaredPlugin, error: unknown): void;
  /** Wraps a third-party contribution to monitor its calls. Absent: nothing is called. */
  watch?(one: DeclaredPlugin, point: ExtensionPoint<unknown>, contribution: unknown): unknown;
  /** Returns true when an error only occurs because nothing is started. Default: every error counts. */
  isIgnored?(error: unknown, one: DeclaredPlugin): boolean;
  /** Creates a placeholder for an ignored contribution, for the names it uses; undefined when they are unknown. */
  createStandIn?(one: DeclaredPlugin, point: ExtensionPoint<unknown>, make: Factory): unknown;
}

/** Contributions to extension points: created once and validated then. */
export interface Contributions {
  all<T>(point: ExtensionPoint<T>): readonly T[];
  /** Returns the id of the plugin that owns a name of a kind. */
  owner(kind: string, name: string): string | undefined;
  /** Creates all contributions, so that problems show before first use. */
  makeAll(): void;
}

interface Contribution {
  readonly point: ExtensionPoint<unknown>;
  readonly make: Factory;
  readonly one: DeclaredPlugin;
  made?: { readonly value: unknown };
}

export function createContributions(parts: ContributionsDeps): Contributions {
  const { plugins, from, reservedNames, isExcluded, exclude, watch, isIgnored, createStandIn } = parts;
  const contributions: readonly Contribution[] = plugins.flatMap((one) =>
    one.contributes.map((contribution) => ({ ...contribution, one })),
  );
  // A package with its own copy of core uses other point objects, some of them without rules.
  const points = new Map<string, ExtensionPoint<unknown>>();
  for (const { point } of contributions) if (!points.get(point.id)?.accept) points.set(point.id, point);
  const groupOf = ({ id }: ExtensionPoint<unknown>) => points.get(id)?.unique?.kind ?? id;
  const owners = new Map<string, DeclaredPlugin>();
  const finished = new Set<string>();
  /** Results by point, valid while the set of plugins is the same. */
  const valuesByPoint = new Map<
    string,
    { readonly values: readonly unknown[]; readonly owners: readonly DeclaredPlugin[] }
  >();

  /** Decides which of two plugins with the same name is excluded: third-party before first-party, the later before the earlier. */
  const claim = (name: string, one: DeclaredPlugin) => {
    const other = owners.get(name);
    if (reservedNames.has(name)) throw createError("conflict", sentence("adds_taken", { name }));
    if (other === one) throw createError("conflict", sentence("adds_twice", { name }));
    if (other && !isExcluded(other)) {
      if (one.loaded.isThirdParty || !other.loaded.isThirdParty)
        throw createError("conflict", sentence("adds_others", { name, other: other.loaded.entry.id }));
      exclude(other, createError("conflict", sentence("adds_as_well", { name, other: one.loaded.entry.id })));
    }
    owners.set(name, one);
  };
  const callFactory = ({ make, point, one }: Contribution): unknown => {
    try {
      return make(from);
    } catch (error) {
      if (!one.loaded.isThirdParty || isIgnored?.(error, one)) throw error;
      const reason = describeFailure(error, one.loaded);
      throw createError("unavailable", sentence("contribution_unmade", { point: point.id, reason }), {
        cause: error,
      });
    }
  };
  /** Claims the names of a contribution that could not be created. */
  const claimUnmade = ({ point, one, make }: Contribution) => {
    const known = points.get(point.id) ?? point;
    const { unique } = known;
    const value = unique && createStandIn?.(one, known, make);
    if (value !== undefined) for (const name of unique?.names(value) ?? []) claim(`${unique?.kind} ${name}`, one);
  };
  const make = (contribution: Contribution) => {
    const { point, one } = contribution;
    const known = points.get(point.id) ?? point;
    const { accept, unique } = known;
    const given = callFactory(contribution);
    let value: unknown;
    try {
      if (isThenable(given)) throw createPromiseRejection(given);
      value = accept ? accept(given) : given;
    } catch (error) {
      throw createRejection(point, toSentence(error));
    }
    for (const name of unique?.names(value) ?? []) claim(`${unique?.kind} ${name}`, one);
    contribution.made = { value: watch && one.loaded.isThirdParty ? watch(one, known, value) : value };
  };
  const makeOrClaim = (contribution: Contribution) => {
    try {
      make(contribution);
    } catch (error) {
      if (!isIgnored?.(error, contribution.one)) throw error;
      claimUnmade(contribution);
    }
  };
  const makeGroup = (group: string) => {
    for (const contribution of contributions) {
      const { point, one, made } = contribution;
      if (made || groupOf(point) !== group || isExcluded(one)) continue;
      try {
        makeOrClaim(contribution);
      } catch (error) {
        if (isIgnored?.(error, one)) continue;
        if (!one.loaded.isThirdParty) throw error;
        exclude(one, error);
      }
    }
    finished.add(group);
  };

  const isThere = (name: string) => {
    const owner = owners.get(name);
    return owner !== undefined && !isExcluded(owner);
  };
  /** Returns the problem of a reference; undefined when its target exists or cannot be checked. */
  const findMissing = ({ field, kind, name, ifAny }: Reference): Localized | undefined => {
    const others = contributions.filter(({ point, one }) => groupOf(point) === kind && !isExcluded(one));
    if (others.some(({ made }) => !made) || (ifAny && others.length === 0)) return undefined;
    return isThere(`${kind} ${name}`) ? undefined : sentence("no_reference", { field, kind, name });
  };
  /** Excludes one contribution with a missing reference; that may leave references to its plugin dangling next. */
  const excludeDangling = (): boolean => {
    for (const { point, one, made } of contributions) {
      if (!made || isExcluded(one)) continue;
      const references = points.get(point.id)?.refers?.(made.value) ?? [];
      const missing = references.map(findMissing).find((problem) => problem !== undefined);
      if (missing === undefined) continue;
      const error = createRejection(point, missing);
      if (isIgnored?.(error, one)) continue;
      if (!one.loaded.isThirdParty) throw error;
      exclude(one, error);
      return true;
    }
    return false;
  };

  return {
    all<T>({ id }: ExtensionPoint<T>) {
      const last = valuesByPoint.get(id);
      if (last && !last.owners.some(isExcluded)) return last.values as readonly T[];
      const known = points.get(id);
      if (!known) return [];
      if (!finished.has(groupOf(known))) makeGroup(groupOf(known));
      const those = contributions.filter(({ point, one, made }) => point.id === id && made && !isExcluded(one));
      const values = those.map(({ made }) => made?.value as T);
      // A contribution may request the others while it is being created.
      if (finished.has(groupOf(known)))
        valuesByPoint.set(id, { values, owners: [...new Set(those.map(({ one }) => one))] });
      return values;
    },
    owner: (kind, name) => owners.get(`${kind} ${name}`)?.loaded.entry.id,
    makeAll() {
      for (const group of new Set([...points.values()].map(groupOf))) if (!finished.has(group)) makeGroup(group);
      while (excludeDangling());
    },
  };
}

function createRejection({ id: point }: ExtensionPoint<unknown>, reason: Localized): AppError {
  return createError("bad_request", sentence("contribution_refused", { point, reason }));
}

function createPromiseRejection(given: PromiseLike<unknown>): AppError {
  // Prevents an unhandled rejection.
  given.then(undefined, () => {});
  return new AppError("bad_request", "it is a promise: contribute takes a function that is not async");
}
