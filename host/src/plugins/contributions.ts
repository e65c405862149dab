import { AppError, type ExtensionPoint, type Localized, type Reference, type Resolver } from "@parley/core";
import { describeFailure } from "../packages/import-problem.ts";
import { failureSaying, saidBy, sentence } from "../sentences.ts";
import { type DeclaredPlugin, type Factory, isThenable } from "./declare-plugins.ts";

export interface ContributionsDeps {
  /** In the order in which they start. */
  readonly plugins: readonly DeclaredPlugin[];
  readonly from: Resolver;
  /** Names that the host itself uses, as `<kind> <name>`. */
  readonly reservedNames: ReadonlySet<string>;
  isExcluded(one: DeclaredPlugin): boolean;
  /** Leaves out a third party's plugin whose contribution cannot be used. */
  exclude(one: DeclaredPlugin, error: unknown): void;
  /** Has the calls of what a third party adds watched. Absent: nothing is called. */
  watch?(one: DeclaredPlugin, point: ExtensionPoint<unknown>, contribution: unknown): unknown;
  /** Whether a failure says nothing, because nothing has been started. Default: each one counts. */
  isIgnored?(error: unknown, one: DeclaredPlugin): boolean;
  /** What stands for a contribution that was passed over, for the names that it takes; undefined: nothing can be said of it. */
  createStandIn?(one: DeclaredPlugin, point: ExtensionPoint<unknown>, make: Factory): unknown;
}

/** What plugins add to extension points: made once, checked when it is made. */
export interface Contributions {
  all<T>(point: ExtensionPoint<T>): readonly T[];
  /** The id of the plugin that has a name of a kind. */
  owner(kind: string, name: string): string | undefined;
  /** Makes everything, so that what is wrong shows before anybody asks for it. */
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
  // The same point comes as different objects where a package brings its own copy of core; not every one has rules.
  const points = new Map<string, ExtensionPoint<unknown>>();
  for (const { point } of contributions) if (!points.get(point.id)?.accept) points.set(point.id, point);
  const groupOf = ({ id }: ExtensionPoint<unknown>) => points.get(id)?.unique?.kind ?? id;
  const owners = new Map<string, DeclaredPlugin>();
  const finished = new Set<string>();
  /** What was given before, for as long as the same plugins are in. */
  const valuesByPoint = new Map<
    string,
    { readonly values: readonly unknown[]; readonly owners: readonly DeclaredPlugin[] }
  >();

  /** Who must go when two claim a name: a third party before one of ours, the later before the earlier. */
  const claim = (name: string, one: DeclaredPlugin) => {
    const other = owners.get(name);
    if (reservedNames.has(name)) throw failureSaying("conflict", sentence("adds_taken", { name }));
    if (other === one) throw failureSaying("conflict", sentence("adds_twice", { name }));
    if (other && !isExcluded(other)) {
      if (one.loaded.isThirdParty || !other.loaded.isThirdParty)
        throw failureSaying("conflict", sentence("adds_others", { name, other: other.loaded.entry.id }));
      exclude(other, failureSaying("conflict", sentence("adds_as_well", { name, other: one.loaded.entry.id })));
    }
    owners.set(name, one);
  };
  const callFactory = ({ make, point, one }: Contribution): unknown => {
    try {
      return make(from);
    } catch (error) {
      if (!one.loaded.isThirdParty || isIgnored?.(error, one)) throw error;
      const reason = describeFailure(error, one.loaded);
      throw failureSaying("unavailable", sentence("contribution_unmade", { point: point.id, reason }), {
        cause: error,
      });
    }
  };
  /** Others may not have the names either of what could not be made. */
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
      throw createRejection(point, saidBy(error));
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
  /** Undefined: what it names is there, or nothing can be said of it. */
  const findMissing = ({ field, kind, name, ifAny }: Reference): Localized | undefined => {
    const others = contributions.filter(({ point, one }) => groupOf(point) === kind && !isExcluded(one));
    if (others.some(({ made }) => !made) || (ifAny && others.length === 0)) return undefined;
    return isThere(`${kind} ${name}`) ? undefined : sentence("no_reference", { field, kind, name });
  };
  /** Finds one that names what nobody adds; whoever named something of its plugin may be the next. */
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
      // One that is being made may ask for the others.
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
  return failureSaying("bad_request", sentence("contribution_refused", { point, reason }));
}

function createPromiseRejection(given: PromiseLike<unknown>): AppError {
  // Nobody waits for it.
  given.then(undefined, () => {});
  return new AppError("bad_request", "it is a promise: contribute takes a function that is not async");
}
