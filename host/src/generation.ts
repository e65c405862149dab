// Before tsyringe, which looks for it when it is loaded: here, so that no bundling changes the order.
import "reflect-metadata";
import {
  AppError,
  type ExtensionPoint,
  type Finding,
  type Localized,
  type Logger,
  labelledForm,
  type PluginStatus,
  type Resolver,
  type ServiceKey,
} from "@parley/core";
import { type DependencyContainer, container as globalContainer, instanceCachingFactory } from "tsyringe";
import { type AcrossReloads, createAcrossReloads } from "./across-reloads.ts";
import { type Contributions, type ContributionsParts, createContributions } from "./contributions.ts";
import { type Declared, declare, deprecations, type Fail, fitting, inOrder, requiredBy } from "./declaring.ts";
import type { LoadedPlugin } from "./loading.ts";
import { neededFor, type Part, withoutReplaced } from "./part.ts";
import { failureSaying, saidBy, sentence, toldIn } from "./sentences.ts";
import { StartError } from "./start-error.ts";
import { disposeWithin, startOne } from "./starting.ts";
import { isNotStarted, trialResolver } from "./trial.ts";
import { createUnendedCalls } from "./unended-calls.ts";
import { contractWarnings } from "./warnings.ts";

const START_WITHIN_MS = 60_000;

/** A service of the host itself. */
export type HostService = readonly [key: ServiceKey<never>, service: unknown];

export interface GenerationParts {
  readonly loaded: readonly LoadedPlugin[];
  readonly services: readonly HostService[];
  readonly log: Logger;
  /** Names that the host itself uses, as `<kind> <name>`: its rows. */
  readonly taken?: ReadonlySet<string>;
  /** How long one plugin's start may take. Default 60 s. */
  readonly startWithinMs?: number;
  /** How long a third party may take to release one thing. Default 3 s. */
  readonly releaseWithinMs?: number | undefined;
  /** Absent: nothing stays open when this set ends. */
  readonly acrossReloads?: AcrossReloads;
  /** Only a part is wanted. Absent: every plugin starts, and nothing stands in for another. */
  readonly part?: Part;
}

/** One set of plugins that run together; replaced as a whole. */
export interface Generation {
  readonly from: Resolver;
  /** Why this set cannot be started; empty when it can. Known before anything is acquired. */
  readonly problems: readonly Localized[];
  /** What its plugins should change before the next contract. */
  readonly warnings: readonly string[];
  /** Starts the plugins in order; throws after releasing everything when one that is needed fails. */
  start(): Promise<void>;
  /** Looks at what plugins add, as far as that can be made without a start: nothing is opened. */
  look(): void;
  /** What plugins add to a point, made without a start from their own services; what could not be made says why. */
  unstarted<T>(point: ExtensionPoint<T>): readonly Unstarted<T>[];
  status(): readonly PluginStatus[];
  /** The id of the plugin that adds what has a name of a kind. */
  contributor(kind: string, name: string): string | undefined;
  /** Calls of third parties' plugins that take long, or do not end. */
  unended(): readonly Finding[];
  /** Reverse order, at most 10 s. */
  dispose(): Promise<void>;
}

export type Unstarted<T> = { readonly plugin: string } & ({ readonly made: T } | { readonly failure: string });

interface Failure {
  readonly reason: Localized;
  readonly error: unknown;
  readonly isThirdParty: boolean;
  /** What it needs has failed. */
  readonly isConsequence: boolean;
}

/** Registers all plugins and checks that they fit together. Nothing is acquired yet. */
export function createGeneration(parts: GenerationParts): Generation {
  const { loaded, log, part, taken = new Set(), startWithinMs: withinMs = START_WITHIN_MS, releaseWithinMs } = parts;
  const services = [...parts.services, ...(part?.standIns ?? [])];
  const failures = new Map<string, Failure>();
  const problems: Localized[] = [];
  const hostKeys = new Set(services.map(([key]) => key.id));
  let isTold = false;
  // A third party's fault leaves its plugin out; ours stops the start.
  const fail: Fail = ({ entry, isThirdParty }, reason, { error, isConsequence = false } = {}) => {
    if (failures.has(entry.id)) return;
    if (!isThirdParty && !isConsequence) problems.push(sentence("of_plugin", { id: entry.id, reason }));
    const failure = { reason, error, isThirdParty, isConsequence };
    failures.set(entry.id, failure);
    if (isTold) tell(log, entry.id, failure);
  };
  const isOut = ({ loaded: { entry } }: Declared) => failures.has(entry.id);

  const own = declare(loaded, log, fail);
  const declared = fitting(part ? withoutReplaced(own, part) : own, hostKeys, fail);
  const ordered = inOrder(declared, problems);
  const running = new AsyncDisposableStack();
  const scopes = new Map<Declared, AsyncDisposableStack>();
  const leaveOut = (one: Declared, error: unknown, isConsequence = false) => {
    fail(one.loaded, saidBy(error), { error, isConsequence });
    // What it runs ends with it; nobody needs to wait for that.
    const scope = scopes.get(one);
    if (scope) void disposeWithin(scope, log);
    for (const other of ordered.filter((dependant) => !isOut(dependant) && needs(dependant, one))) {
      const services = one.provides.map(({ key }) => `'${key.id}'`).join(", ");
      leaveOut(other, failureSaying("unavailable", sentence("lost_services", { services })), true);
    }
  };
  const from = resolverOf(globalContainer.createChildContainer(), services, ordered, {
    isOut,
    all: (point) => contributions.all(point),
  });
  const unended = createUnendedCalls(log);
  const watch: ContributionsParts["watch"] = ({ loaded: { entry } }, point, made) =>
    unended.watch(entry.id, point, made);
  const contributions = createContributions({ plugins: ordered, from, taken, isOut, leaveOut, watch });
  const { acrossReloads = createAcrossReloads() } = parts;
  const limits = { from, log, acrossReloads, withinMs, releaseWithinMs };
  const trialFor = (own?: Declared) =>
    trialResolver(ordered, new Map(services.map(([key, service]) => [key.id, service])), own);
  const starting = part ? neededFor(ordered, own, part) : ordered;
  const begin = async () => {
    for (const one of starting) {
      if (isOut(one) || !one.loaded.plugin?.ready) continue;
      const scope = running.use(new AsyncDisposableStack());
      scopes.get(one)?.use(scope);
      await startOne(one, scope, { ...limits, step: "ready" }).catch((error) => leaveOut(one, error));
    }
  };

  return {
    from,
    problems,
    warnings: [...contractWarnings(loaded), ...deprecations(own)],
    async start() {
      try {
        for (const one of starting) {
          if (isOut(one)) continue;
          const scope = running.use(new AsyncDisposableStack());
          scopes.set(one, scope);
          await startOne(one, scope, limits).catch((error) => leaveOut(one, error));
        }
        // What others add that work with it cannot be made, which is no reason of its own.
        throwIfAny(problems);
        // A part runs with less than everything: there only what is asked for is made.
        if (!part) contributions.makeAll();
        throwIfAny(problems);
        // Behind all others on the stack: what works by itself ends before what it works with.
        if (!part) await begin();
        throwIfAny(problems);
      } catch (error) {
        await disposeWithin(running, log);
        throw error;
      } finally {
        isTold = true;
        // Where nothing runs at all, the reason is enough.
        for (const [id, failure] of failures)
          if (problems.length === 0 || !failure.isConsequence) tell(log, id, failure);
      }
    },
    look() {
      const resolver = trialFor();
      const passesOver = (error: unknown, { loaded: { isThirdParty } }: Declared) =>
        !isThirdParty || isNotStarted(error);
      const standIn: ContributionsParts["standIn"] = (one, point, make) => {
        const described = unstartedOf(one.loaded.entry.id, point, () => make(trialFor(one)));
        return "made" in described ? described.made : undefined;
      };
      createContributions({ plugins: ordered, from: resolver, taken, isOut, leaveOut, passesOver, standIn }).makeAll();
    },
    unstarted: (point) =>
      ordered
        .filter((one) => !isOut(one))
        .flatMap((one) => {
          const resolver = trialFor(one);
          const mine = one.contributes.filter((contribution) => contribution.point.id === point.id);
          return mine.map(({ make }) => unstartedOf(one.loaded.entry.id, point, () => make(resolver)));
        }),
    status: () => loaded.map((one) => statusOf(one, ordered, failures)),
    contributor: contributions.owner,
    unended: unended.findings,
    async dispose() {
      unended[Symbol.dispose]();
      await disposeWithin(running, log);
    },
  };
}

function throwIfAny(problems: readonly Localized[]): void {
  if (problems.length === 0) return;
  const lines = { en: problems.map(({ en }) => en).join("\n"), zh: problems.map(({ zh }) => zh).join("\n") };
  throw failureSaying("unavailable", sentence("start_failed", { problems: lines }), {
    cause: new StartError(problems),
  });
}

function unstartedOf<T>(plugin: string, { id, accept }: ExtensionPoint<T>, make: () => unknown): Unstarted<T> {
  try {
    const value = make();
    return { plugin, made: accept ? accept(value) : (value as T) };
  } catch (error) {
    return { plugin, failure: `what it adds to ${id} cannot be described: ${saidBy(error).en}` };
  }
}

/** One line for each plugin that does not run; what ours lacks is told as the reason of the whole start as well. */
function tell(log: Logger, id: string, { reason, error, isThirdParty }: Failure): void {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  log[isThirdParty ? "warn" : "error"](`plugin '${id}' is left out: ${reason.en}`, {
    plugin: id,
    // What is said in words of ours needs no stack.
    ...(cause !== undefined && !AppError.is(cause) && { error: cause }),
  });
}

function dependantsOf(provider: Declared, ordered: readonly Declared[]): readonly Declared[] {
  return ordered.filter((one) => one !== provider && needs(one, provider));
}

function needs(dependant: Declared, provider: Declared): boolean {
  return requiredBy(dependant).some(({ id }) => provider.provides.some(({ key }) => key.id === id));
}

interface ResolverParts extends Pick<Contributions, "all"> {
  isOut(one: Declared): boolean;
}

/** Puts every service into the container; the only function that speaks tsyringe. */
function resolverOf(
  container: DependencyContainer,
  services: readonly HostService[],
  ordered: readonly Declared[],
  { isOut, all }: ResolverParts,
): Resolver {
  const owners = new Map<string, Declared>();
  const known = new Set(services.map(([{ id }]) => id));
  const isThere = ({ id }: ServiceKey<unknown>) => {
    const owner = owners.get(id);
    return owner ? !isOut(owner) : known.has(id);
  };
  // The container looks a service up in every parent, each time.
  const made = new Map<string, unknown>();
  const resolved = <T>(key: ServiceKey<T>): T => {
    if (!made.has(key.id)) made.set(key.id, container.resolve(key.token));
    return made.get(key.id) as T;
  };
  const from: Resolver = {
    get(key) {
      // For who is not told so by the types.
      if (key?.kind !== "service")
        throw new AppError(
          "bad_request",
          "get takes a service, and was given none (is its name spelled as in @parley/core?)",
        );
      if (isThere(key)) return resolved(key);
      throw new AppError("unavailable", `no enabled plugin provides '${key.id}'`);
    },
    find: (key) => (isThere(key) ? resolved(key) : undefined),
    all,
  };
  for (const [key, service] of services) container.register(key.token, { useValue: service as never });
  for (const one of ordered) {
    for (const { key, make } of one.provides) {
      owners.set(key.id, one);
      container.register(key.token, { useFactory: instanceCachingFactory(() => make(from)) });
    }
  }
  return from;
}

function statusOf(
  one: LoadedPlugin,
  ordered: readonly Declared[],
  failures: ReadonlyMap<string, Failure>,
): PluginStatus {
  const { entry, version, path, plugin, required, texts, icon } = one;
  const declared = ordered.find(({ loaded }) => loaded === one);
  const failure = failures.get(entry.id)?.reason;
  return {
    id: entry.id,
    ...texts,
    icon: icon.svg ? `/api/plugins/${entry.id}/icon` : (icon.name ?? null),
    package: entry.package,
    version,
    path,
    state: failure ? "failed" : plugin ? "running" : "disabled",
    enabled: entry.enabled,
    required: required !== undefined,
    required_reason: required?.en ?? null,
    required_texts: required ?? null,
    failure: failure?.en ?? null,
    failure_detail: (failure && toldIn(failure).detail) ?? null,
    adds: declared ? addsOf(declared) : [],
    needed_by: declared ? dependantsOf(declared, ordered).map(({ loaded: { entry: other } }) => other.id) : [],
    config_schema: plugin?.config ? labelledForm(plugin.config) : null,
    config: (declared?.config ?? entry.settings) as Readonly<Record<string, unknown>>,
    revision: entry.revision,
  };
}

function addsOf({ provides, contributes }: Declared): readonly string[] {
  const counts = new Map<string, number>();
  for (const { point } of contributes) counts.set(point.id, (counts.get(point.id) ?? 0) + 1);
  return [...provides.map(({ key }) => key.id), ...[...counts].map(([id, count]) => `${id} × ${count}`)];
}
