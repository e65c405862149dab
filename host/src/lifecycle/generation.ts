// Loaded before tsyringe, which requires it; the import is here so that bundling cannot change the order.
import "reflect-metadata";
import {
  AppError,
  type ExtensionPoint,
  type Finding,
  joinLocalized,
  type Localized,
  type Logger,
  type PluginStatus,
  type Resolver,
  type ServiceKey,
  toResourceForm,
} from "@parley/core";
import { type DependencyContainer, container as globalContainer, instanceCachingFactory } from "tsyringe";
import { type Contributions, type ContributionsDeps, createContributions } from "../plugins/contributions.ts";
import {
  type DeclaredPlugin,
  declarePlugins,
  listDeprecations,
  listRequirements,
  removeUnsatisfied,
  sortByDependencies,
} from "../plugins/declare-plugins.ts";
import { createDryRunResolver, isNotStarted } from "../plugins/dry-run-resolver.ts";
import { isFirstParty } from "../plugins/first-party.ts";
import type { LoadedPlugin } from "../plugins/load-plugins.ts";
import { findNeeded, type PartialStart, removeReplaced } from "../plugins/partial-start.ts";
import { warnOldContracts } from "../plugins/plugin-warnings.ts";
import { createError, sentence, toAnswerMessage, toSentence } from "../sentences.ts";
import { StartError } from "../start-error.ts";
import { createUnendedCalls } from "../unended-calls.ts";
import type { HostService } from "./host-service.ts";
import { createPluginFailures, type PluginFailures } from "./plugin-failures.ts";
import { createReloadHandover, type ReloadHandover } from "./reload-handover.ts";
import { disposeWithTimeout, startPlugin } from "./start-plugin.ts";

const START_WITHIN_MS = 60_000;

export interface GenerationOptions {
  readonly loaded: readonly LoadedPlugin[];
  readonly services: readonly HostService[];
  readonly log: Logger;
  /** Names of the host's own routes, as `<kind> <name>`. */
  readonly reservedNames?: ReadonlySet<string>;
  /** Timeout of one plugin's start in milliseconds. Default 60 s. */
  readonly startWithinMs?: number;
  /** Timeout for a third-party plugin to release one resource, in milliseconds. Default 3 s. */
  readonly releaseWithinMs?: number | undefined;
  /** Absent: nothing is handed over when this generation ends. */
  readonly reloadHandover?: ReloadHandover;
  /** Starts only some plugins. Absent: every plugin starts, and no service is replaced. */
  readonly part?: PartialStart;
}

/** A set of plugins that run together and are replaced together. */
export interface Generation {
  readonly from: Resolver;
  /** Reasons this set cannot start; empty when it can. Known before any resource is acquired. */
  readonly problems: readonly Localized[];
  /** Changes that plugins need before the next version of the contract. */
  readonly warnings: readonly string[];
  /** Starts the plugins in order. When a required one fails, releases everything and throws. */
  start(): Promise<void>;
  /** Creates contributions without a start, as far as possible; opens nothing. */
  dryRun(): void;
  /** Returns the contributions to a point, created without a start from the plugins' own services; failed ones carry their reason. */
  unstarted<T>(point: ExtensionPoint<T>): readonly Preview<T>[];
  status(): readonly PluginStatus[];
  /** Returns the id of the plugin that contributes a name of a kind. */
  contributor(kind: string, name: string): string | undefined;
  /** Returns unfinished calls of third-party plugins. */
  unended(): readonly Finding[];
  /** Stops the plugins in reverse order, within 10 s. */
  dispose(): Promise<void>;
}

/** A contribution created without a start, or why that failed. */
export type Preview<T> = { readonly plugin: string } & ({ readonly made: T } | { readonly failure: string });

/** Registers all plugins and checks that they are compatible. Acquires nothing. */
export function createGeneration(parts: GenerationOptions): Generation {
  const {
    loaded,
    log,
    part: partialStart,
    reservedNames = new Set(),
    startWithinMs: withinMs = START_WITHIN_MS,
    releaseWithinMs,
  } = parts;
  const services = [...parts.services, ...(partialStart?.standIns ?? [])];
  const failures = createPluginFailures(log);
  // A failing third-party plugin is skipped; a first-party one stops the start.
  const fail = failures.report;
  const circles: Localized[] = [];
  const problems = () => [...failures.problems(), ...circles];
  const hostKeys = new Set(services.map(([key]) => key.id));
  const isExcluded = ({ loaded: { entry } }: DeclaredPlugin) => failures.has(entry.id);

  const allDeclared = declarePlugins(loaded, log, fail);
  const declared = removeUnsatisfied(
    partialStart ? removeReplaced(allDeclared, partialStart) : allDeclared,
    hostKeys,
    loaded.flatMap(({ entry }) => (entry.enabled || !isFirstParty(entry.package) ? [] : [entry.id])),
    fail,
  );
  const startOrder = sortByDependencies(declared, circles);
  const running = new AsyncDisposableStack();
  const scopes = new Map<DeclaredPlugin, AsyncDisposableStack>();
  const exclude = (one: DeclaredPlugin, error: unknown, isConsequence = false) => {
    fail(one.loaded, toSentence(error), { error, isConsequence });
    // Its resources are released in the background.
    const scope = scopes.get(one);
    if (scope) void disposeWithTimeout(scope, log);
    for (const other of startOrder.filter((dependant) => !isExcluded(dependant) && isDependent(dependant, one))) {
      const services = one.provides.map(({ key }) => `'${key.id}'`).join(", ");
      exclude(other, createError("unavailable", sentence("lost_services", { services })), true);
    }
  };
  const from = createResolverOf(globalContainer.createChildContainer(), services, startOrder, {
    isExcluded,
    all: (point) => contributions.all(point),
  });
  const unended = createUnendedCalls(log);
  const watch: ContributionsDeps["watch"] = ({ loaded: { entry } }, point, made) =>
    unended.watch(entry.id, point, made);
  const contributions = createContributions({ plugins: startOrder, from, reservedNames, isExcluded, exclude, watch });
  const { reloadHandover = createReloadHandover() } = parts;
  const startDeps = { from, log, acrossReloads: reloadHandover, withinMs, releaseWithinMs };
  const createResolver = (own?: DeclaredPlugin) =>
    createDryRunResolver(startOrder, new Map(services.map(([key, service]) => [key.id, service])), own);
  const toStart = partialStart ? findNeeded(startOrder, allDeclared, partialStart) : startOrder;
  const runReady = async () => {
    for (const one of toStart) {
      if (isExcluded(one) || !one.loaded.plugin?.ready) continue;
      const scope = running.use(new AsyncDisposableStack());
      scopes.get(one)?.use(scope);
      await startPlugin(one, scope, { ...startDeps, step: "ready" }).catch((error) => exclude(one, error));
    }
  };

  return {
    from,
    get problems() {
      return problems();
    },
    warnings: [...warnOldContracts(loaded), ...listDeprecations(allDeclared)],
    async start() {
      try {
        for (const one of toStart) {
          if (isExcluded(one)) continue;
          const scope = running.use(new AsyncDisposableStack());
          scopes.set(one, scope);
          await startPlugin(one, scope, startDeps).catch((error) => exclude(one, error));
        }
        // Contributions that depend on a failed plugin fail too; they are not problems of their own.
        throwProblems(problems());
        // A partial start creates only requested contributions.
        if (!partialStart) contributions.makeAll();
        throwProblems(problems());
        // Deferred last, so that background work ends before the services that it uses.
        if (!partialStart) await runReady();
        throwProblems(problems());
      } catch (error) {
        await disposeWithTimeout(running, log);
        throw error;
      } finally {
        failures.log();
      }
    },
    dryRun() {
      const resolver = createResolver();
      const isIgnored = (error: unknown, { loaded: { isThirdParty } }: DeclaredPlugin) =>
        !isThirdParty || isNotStarted(error);
      const createStandIn: ContributionsDeps["createStandIn"] = (one, point, make) => {
        const described = previewContribution(one.loaded.entry.id, point, () => make(createResolver(one)));
        return "made" in described ? described.made : undefined;
      };
      createContributions({
        plugins: startOrder,
        from: resolver,
        reservedNames,
        isExcluded,
        exclude,
        isIgnored,
        createStandIn,
      }).makeAll();
    },
    unstarted: (point) =>
      startOrder
        .filter((one) => !isExcluded(one))
        .flatMap((one) => {
          const resolver = createResolver(one);
          const mine = one.contributes.filter((contribution) => contribution.point.id === point.id);
          return mine.map(({ make }) => previewContribution(one.loaded.entry.id, point, () => make(resolver)));
        }),
    status: () => loaded.map((one) => toPluginStatus(one, startOrder, failures)),
    contributor: contributions.owner,
    unended: unended.findings,
    async dispose() {
      unended[Symbol.dispose]();
      await disposeWithTimeout(running, log);
    },
  };
}

function throwProblems(problems: readonly Localized[]): void {
  if (problems.length === 0) return;
  throw createError("unavailable", sentence("start_failed", { problems: joinLocalized(problems, "lines") }), {
    cause: new StartError(problems),
  });
}

function previewContribution<T>(plugin: string, { id, accept }: ExtensionPoint<T>, make: () => unknown): Preview<T> {
  try {
    const value = make();
    return { plugin, made: accept ? accept(value) : (value as T) };
  } catch (error) {
    return { plugin, failure: `what it adds to ${id} cannot be described: ${toSentence(error).en}` };
  }
}

function findDependents(provider: DeclaredPlugin, ordered: readonly DeclaredPlugin[]): readonly DeclaredPlugin[] {
  return ordered.filter((one) => one !== provider && isDependent(one, provider));
}

function isDependent(dependant: DeclaredPlugin, provider: DeclaredPlugin): boolean {
  return listRequirements(dependant).some(({ id }) => provider.provides.some(({ key }) => key.id === id));
}

interface ResolverDeps extends Pick<Contributions, "all"> {
  isExcluded(one: DeclaredPlugin): boolean;
}

/** Registers every service in the container; the only function that uses tsyringe. */
function createResolverOf(
  container: DependencyContainer,
  services: readonly HostService[],
  ordered: readonly DeclaredPlugin[],
  { isExcluded, all }: ResolverDeps,
): Resolver {
  const owners = new Map<string, DeclaredPlugin>();
  const known = new Set(services.map(([{ id }]) => id));
  const isThere = ({ id }: ServiceKey<unknown>) => {
    const owner = owners.get(id);
    return owner ? !isExcluded(owner) : known.has(id);
  };
  // Caches services, since the container looks each one up in every parent.
  const made = new Map<string, unknown>();
  const resolveService = <T>(key: ServiceKey<T>): T => {
    if (!made.has(key.id)) made.set(key.id, container.resolve(key.token));
    return made.get(key.id) as T;
  };
  const from: Resolver = {
    get(key) {
      // For plugins written without types.
      if (key?.kind !== "service")
        throw new AppError(
          "bad_request",
          "get takes a service, and was given none (is its name spelled as in @parley/core?)",
        );
      if (isThere(key)) return resolveService(key);
      throw new AppError("unavailable", `no enabled plugin provides '${key.id}'`);
    },
    find: (key) => (isThere(key) ? resolveService(key) : undefined),
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

function toPluginStatus(one: LoadedPlugin, ordered: readonly DeclaredPlugin[], failures: PluginFailures): PluginStatus {
  const { entry, version, path, plugin, required, texts, icon } = one;
  const declared = ordered.find(({ loaded }) => loaded === one);
  const failure = failures.reason(entry.id);
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
    failure_detail: (failure && toAnswerMessage(failure).detail) ?? null,
    adds: declared ? listAdditions(declared) : [],
    needed_by: declared ? findDependents(declared, ordered).map(({ loaded: { entry: other } }) => other.id) : [],
    config_schema: plugin?.config ? toResourceForm(plugin.config) : null,
    config: (declared?.config ?? entry.settings) as Readonly<Record<string, unknown>>,
    revision: entry.revision,
  };
}

function listAdditions({ provides, contributes }: DeclaredPlugin): readonly string[] {
  const counts = new Map<string, number>();
  for (const { point } of contributes) counts.set(point.id, (counts.get(point.id) ?? 0) + 1);
  return [...provides.map(({ key }) => key.id), ...[...counts].map(([id, count]) => `${id} × ${count}`)];
}
