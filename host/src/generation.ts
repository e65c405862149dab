// Before tsyringe, which looks for it when it is loaded: here, so that no bundling changes the order.
import "reflect-metadata";
import {
  AppError,
  type ExtensionPoint,
  type Logger,
  type PluginStatus,
  type Resolver,
  type ServiceKey,
} from "@parley/core";
import { type DependencyContainer, container as globalContainer, instanceCachingFactory } from "tsyringe";
import { SWITCH_MESSAGES, withSwitches } from "./config-schema.ts";
import { reasonOf } from "./configuration.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import type { LoadedPlugin } from "./loading.ts";

const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;

/** A service of the host itself. */
export type HostService = readonly [key: ServiceKey<never>, service: unknown];

export interface GenerationParts {
  readonly loaded: readonly LoadedPlugin[];
  readonly services: readonly HostService[];
  readonly log: Logger;
  /** How long one plugin's start may take. Default 60 s. */
  readonly startWithinMs?: number;
  /** Only a part is wanted. Absent: every plugin starts, and nothing stands in for another. */
  readonly part?: Part;
}

/** A part of what is loaded: everything is registered, only what is needed for some contributions starts. */
export interface Part {
  /** Ids of points: those who add to one of them start, and those they require. */
  readonly points: readonly string[];
  /** In place of what the plugins provide under the same keys; such a plugin does not start. */
  readonly standIns: readonly HostService[];
  /** Ids of services: plugins that provide one of them do not start either. */
  readonly unstarted: readonly string[];
}

/** One set of plugins that run together; replaced as a whole. */
export interface Generation {
  readonly from: Resolver;
  /** Why this set cannot be started; empty when it can. Known before anything is acquired. */
  readonly problems: readonly string[];
  /** Starts the plugins in order; throws after releasing everything when one that is needed fails. */
  start(): Promise<void>;
  status(): readonly PluginStatus[];
  /** Reverse order, at most 10 s. */
  dispose(): Promise<void>;
}

interface Declared {
  readonly loaded: LoadedPlugin;
  readonly config: unknown;
  readonly provides: readonly { readonly key: ServiceKey<unknown>; readonly make: Make }[];
  readonly contributes: readonly { readonly point: ExtensionPoint<unknown>; readonly make: Make }[];
}
type Make = (from: Resolver) => unknown;
/** Notes why a plugin is left out; a consequence of another's failure is no problem of its own. */
type Fail = (one: LoadedPlugin, reason: string, isConsequence?: boolean) => void;

/** Registers all plugins and checks that they fit together. Nothing is acquired yet. */
export function createGeneration(parts: GenerationParts): Generation {
  const { loaded, log, part } = parts;
  const services = [...parts.services, ...(part?.standIns ?? [])];
  const failures = new Map<string, string>();
  const problems: string[] = [];
  const hostKeys = new Set(services.map(([key]) => key.id));
  // A third party's fault leaves its plugin out; ours stops the start.
  const fail: Fail = ({ entry, isThirdParty }, reason, isConsequence = false) => {
    failures.set(entry.id, reason);
    if (!isThirdParty && !isConsequence) problems.push(`plugin '${entry.id}': ${reason}`);
  };

  const own = declare(loaded, log, fail);
  const declared = fitting(part ? withoutReplaced(own, part) : own, hostKeys, fail);
  const ordered = inOrder(declared, problems);
  const container = globalContainer.createChildContainer();
  const from = wire(container, ordered, services, {
    isOut: ({ loaded: { entry } }) => failures.has(entry.id),
    leaveOut(one, error) {
      fail(one.loaded, reasonOf(error));
      log.error("plugin left out", { plugin: one.loaded.entry.id, error });
    },
  });
  const running = new AsyncDisposableStack();
  const starting = part ? neededFor(ordered, own, part) : ordered;

  return {
    from,
    problems,
    async start() {
      try {
        for (const one of starting) {
          if (failures.has(one.loaded.entry.id)) continue;
          await startOne(one, ordered, parts, from, running, fail);
        }
        if (problems.length > 0) throw new AppError("unavailable", problems.join("\n"));
      } catch (error) {
        await disposeWithin(running, log);
        throw error;
      }
    },
    status: () => loaded.map((one) => statusOf(one, ordered, failures)),
    dispose: () => disposeWithin(running, log),
  };
}

function declare(loaded: readonly LoadedPlugin[], log: Logger, fail: Fail): readonly Declared[] {
  const taken = new Map<string, string>();
  return loaded.flatMap((one) => {
    const { entry, plugin, failure } = one;
    if (failure) fail(one, failure);
    if (!plugin) return [];
    const other = taken.get(plugin.id);
    if (other !== undefined) fail(one, `id '${plugin.id}' is taken by '${other}'`);
    taken.set(plugin.id, entry.package);
    const { value: config, error } = plugin.config
      ? plugin.config.validate(withSwitches(plugin.config, entry.settings), {
          abortEarly: false,
          messages: SWITCH_MESSAGES,
        })
      : { value: {}, error: undefined };
    if (error) fail(one, `[plugin.${entry.id}] ${error.message.replaceAll('"', "'")}`);
    if (error || other !== undefined) return [];
    const provides: { key: ServiceKey<unknown>; make: Make }[] = [];
    const contributes: { point: ExtensionPoint<unknown>; make: Make }[] = [];
    try {
      plugin.register({
        config,
        log: log.child({ plugin: entry.id }),
        provide: (key, make) => void provides.push({ key: key as ServiceKey<unknown>, make }),
        contribute: (point, make) => void contributes.push({ point: point as ExtensionPoint<unknown>, make }),
      });
    } catch (thrown) {
      fail(one, `register failed: ${reasonOf(thrown)}`);
      return [];
    }
    return [{ loaded: one, config, provides, contributes }];
  });
}

/** Without those whose services are offered twice or that miss one; leaving one out can leave out others. */
function fitting(declared: readonly Declared[], hostKeys: ReadonlySet<string>, fail: Fail): readonly Declared[] {
  const owners = new Map<string, string>([...hostKeys].map((id) => [id, "host"]));
  let left = declared.filter((one) => {
    const clash = one.provides.find(({ key }) => owners.has(key.id));
    if (clash) fail(one.loaded, `provides '${clash.key.id}', which '${owners.get(clash.key.id)}' provides already`);
    else for (const { key } of one.provides) owners.set(key.id, one.loaded.entry.id);
    return !clash;
  });
  for (;;) {
    const offered = new Set([...hostKeys, ...left.flatMap(({ provides }) => provides.map(({ key }) => key.id))]);
    const rest = left.filter((one) => {
      const missing = (one.loaded.plugin?.requires ?? [])
        .filter(({ id }) => !offered.has(id))
        .map(({ id }) => `'${id}'`);
      if (missing.length > 0) fail(one.loaded, `needs ${missing.join(", ")}, which no enabled plugin provides`);
      return missing.length === 0;
    });
    if (rest.length === left.length) return rest;
    left = rest;
  }
}

function withoutReplaced(declared: readonly Declared[], { standIns }: Part): readonly Declared[] {
  const replaced = new Set(standIns.map(([key]) => key.id));
  return declared.map((one) => ({ ...one, provides: one.provides.filter(({ key }) => !replaced.has(key.id)) }));
}

/** Those who add to the points of a part, and those they require; in the order given. */
function neededFor(ordered: readonly Declared[], own: readonly Declared[], part: Part): readonly Declared[] {
  const points = new Set(part.points);
  const out = new Set([...part.standIns.map(([key]) => key.id), ...part.unstarted]);
  const left = new Set(own.filter(({ provides }) => provides.some(({ key }) => out.has(key.id))).map(pluginOf));
  const needed = new Set<Declared>();
  const add = (one: Declared) => {
    if (needed.has(one) || left.has(pluginOf(one))) return;
    needed.add(one);
    for (const { id } of one.loaded.plugin?.requires ?? []) {
      const provider = ordered.find(({ provides }) => provides.some(({ key }) => key.id === id));
      if (provider) add(provider);
    }
  };
  for (const one of ordered) if (one.contributes.some(({ point }) => points.has(point.id))) add(one);
  return ordered.filter((one) => needed.has(one));
}

function pluginOf({ loaded }: Declared): LoadedPlugin {
  return loaded;
}

/** Providers before those that require them, otherwise as configured. */
function inOrder(declared: readonly Declared[], problems: string[]): readonly Declared[] {
  const ordered: Declared[] = [];
  const visit = (one: Declared, path: readonly Declared[]) => {
    if (ordered.includes(one)) return;
    if (path.includes(one)) {
      const circle = [...path.slice(path.indexOf(one)), one].map(({ loaded }) => loaded.entry.id);
      problems.push(`plugins require each other in a circle: ${circle.join(" → ")}`);
      return;
    }
    for (const required of one.loaded.plugin?.requires ?? []) {
      const provider = declared.find(({ provides }) => provides.some(({ key }) => key.id === required.id));
      if (provider && provider !== one) visit(provider, [...path, one]);
    }
    if (!ordered.includes(one)) ordered.push(one);
  };
  for (const one of declared) visit(one, []);
  return ordered;
}

interface Fitness {
  isOut(one: Declared): boolean;
  leaveOut(one: Declared, error: unknown): void;
}

/** Puts everything declared into the container; the only function that speaks tsyringe. */
function wire(
  container: DependencyContainer,
  ordered: readonly Declared[],
  services: readonly HostService[],
  { isOut, leaveOut }: Fitness,
): Resolver {
  const owners = new Map<string, Declared>();
  const points = new Map<string, { readonly token: symbol; readonly one: Declared }[]>();
  const isThere = ({ id, token }: ServiceKey<unknown>) => {
    const owner = owners.get(id);
    return container.isRegistered(token) && !(owner && isOut(owner));
  };
  const from: Resolver = {
    get(key) {
      if (isThere(key)) return container.resolve(key.token);
      throw new AppError("unavailable", `no enabled plugin provides '${key.id}'`);
    },
    find: (key) => (isThere(key) ? container.resolve(key.token) : undefined),
    all<T>(point: ExtensionPoint<T>) {
      return (points.get(point.id) ?? []).flatMap(({ token, one }) => {
        if (isOut(one)) return [];
        try {
          return [container.resolve<T>(token)];
        } catch (error) {
          if (!one.loaded.isThirdParty) throw error;
          leaveOut(one, error);
          return [];
        }
      });
    },
  };
  for (const [key, service] of services) container.register(key.token, { useValue: service as never });
  for (const one of ordered) {
    for (const { key, make } of one.provides) {
      owners.set(key.id, one);
      container.register(key.token, { useFactory: instanceCachingFactory(() => make(from)) });
    }
    for (const { point, make } of one.contributes) {
      const token = Symbol(`${point.id} of ${one.loaded.entry.id}`);
      container.register(token, { useFactory: instanceCachingFactory(() => make(from)) });
      points.set(point.id, [...(points.get(point.id) ?? []), { token, one }]);
    }
  }
  return from;
}

async function startOne(
  one: Declared,
  ordered: readonly Declared[],
  { log, startWithinMs = START_WITHIN_MS }: GenerationParts,
  from: Resolver,
  running: AsyncDisposableStack,
  fail: Fail,
): Promise<void> {
  const { entry, plugin } = one.loaded;
  const scope = new AsyncDisposableStack();
  const starting = plugin?.start?.({
    ...from,
    config: one.config,
    log: log.child({ plugin: entry.id }),
    // A start that was given up may still acquire: it is released at once.
    defer: (release) => (scope.disposed ? void release() : scope.defer(release)),
  });
  try {
    if (starting) await within(starting, startWithinMs, `start did not end within ${startWithinMs / 1000} s`);
    running.use(scope);
    log.debug("plugin started", { plugin: entry.id });
  } catch (error) {
    await disposeWithin(scope, log);
    fail(one.loaded, `start failed: ${reasonOf(error)}`);
    log.error("plugin could not be started", { plugin: entry.id, error });
    failDependants(one, ordered, fail);
  }
}

function failDependants(one: Declared, ordered: readonly Declared[], fail: Fail) {
  const lost = new Set(one.provides.map(({ key }) => key.id));
  for (const other of ordered.slice(ordered.indexOf(one) + 1)) {
    const missing = (other.loaded.plugin?.requires ?? []).find(({ id }) => lost.has(id));
    if (!missing) continue;
    for (const { key } of other.provides) lost.add(key.id);
    fail(other.loaded, `needs '${missing.id}', whose plugin failed`, true);
  }
}

function statusOf(
  one: LoadedPlugin,
  ordered: readonly Declared[],
  failures: ReadonlyMap<string, string>,
): PluginStatus {
  const { entry, version, path, plugin } = one;
  const declared = ordered.find(({ loaded }) => loaded === one);
  const failure = failures.get(entry.id) ?? null;
  return {
    id: entry.id,
    package: entry.package,
    version,
    path,
    state: failure ? "failed" : plugin ? "running" : "disabled",
    enabled: entry.enabled,
    failure,
    adds: declared ? addsOf(declared) : [],
    config_schema: plugin?.config ? jsonSchemaOf(plugin.config) : null,
    config: (declared?.config ?? entry.settings) as Readonly<Record<string, unknown>>,
  };
}

function addsOf({ provides, contributes }: Declared): readonly string[] {
  const counts = new Map<string, number>();
  for (const { point } of contributes) counts.set(point.id, (counts.get(point.id) ?? 0) + 1);
  return [...provides.map(({ key }) => key.id), ...[...counts].map(([id, count]) => `${id} × ${count}`)];
}

async function disposeWithin(stack: AsyncDisposableStack, log: Logger): Promise<void> {
  try {
    await within(stack.disposeAsync(), STOP_WITHIN_MS, `not released within ${STOP_WITHIN_MS / 1000} s`);
  } catch (error) {
    log.error("a plugin could not release everything", { error });
  }
}

async function within<T>(promise: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError("timed_out", message)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
