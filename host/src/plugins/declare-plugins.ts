import {
  AppError,
  type ExtensionPoint,
  type Joi,
  type Localized,
  type Logger,
  localizeMessage,
  type RegisterContext,
  type Resolver,
  type ServiceKey,
  toFieldProblems,
} from "@parley/core";
import { convertSwitches, SWITCH_MESSAGES } from "../config/config-schema.ts";
import { describeFailure } from "../packages/import-problem.ts";
import { createError, sentence, toSentence, verbatim } from "../sentences.ts";
import { BUNDLED_PLUGINS } from "./first-party.ts";
import type { LoadedPlugin } from "./load-plugins.ts";

/** A plugin with its declarations. */
export interface DeclaredPlugin {
  readonly loaded: LoadedPlugin;
  readonly config: unknown;
  readonly provides: readonly { readonly key: ServiceKey<unknown>; readonly make: Factory }[];
  readonly contributes: readonly { readonly point: ExtensionPoint<unknown>; readonly make: Factory }[];
}
export type Factory = (from: Resolver) => unknown;

/** Reports why a plugin is skipped. */
export type ReportFailure = (one: LoadedPlugin, reason: Localized, more?: FailureOptions) => void;
export interface FailureOptions {
  readonly error?: unknown;
  /** True when another plugin's failure is the cause. */
  readonly isConsequence?: boolean;
}

/** Lists uses of points and services that the next contract drops, once per plugin and name. */
export function listDeprecations(declared: readonly DeclaredPlugin[]): readonly string[] {
  const all = declared.flatMap(({ loaded: { entry, plugin }, contributes }) =>
    [...(plugin?.requires ?? []), ...contributes.map(({ point }) => point)].flatMap(({ id, deprecated }) =>
      deprecated === undefined
        ? []
        : [`plugin '${entry.id}' uses '${id}', which the next contract has no more: ${deprecated}`],
    ),
  );
  return [...new Set(all)];
}

/** Registers every plugin; skips those that fail. */
export function declarePlugins(
  loaded: readonly LoadedPlugin[],
  log: Logger,
  fail: ReportFailure,
): readonly DeclaredPlugin[] {
  const packageById = new Map<string, string>();
  return loaded.flatMap((one) => {
    const { entry, plugin, failure } = one;
    if (failure) fail(one, failure);
    if (!plugin) return [];
    const other = packageById.get(plugin.id);
    if (other !== undefined) fail(one, sentence("id_taken", { id: plugin.id, other }));
    packageById.set(plugin.id, entry.package);
    try {
      const config = parseConfig(one);
      if (other !== undefined) return [];
      return [{ loaded: one, config, ...registerPlugin(one, config, log) }];
    } catch (error) {
      fail(one, toSentence(error), { error });
      return [];
    }
  });
}

function parseConfig({ entry, plugin }: LoadedPlugin): unknown {
  if (!plugin?.config) return {};
  const { value, error } = plugin.config.validate(convertSwitches(plugin.config, entry.settings), {
    abortEarly: false,
    messages: SWITCH_MESSAGES,
  });
  if (error) throw createError("bad_request", describeConfigProblems(entry.id, error));
  return value;
}

function describeConfigProblems(id: string, error: Joi.ValidationError): Localized {
  const zh = toFieldProblems(error).map(
    ({ error: message, field, ...detail }) => `${field ?? id}：${localizeMessage(message, detail).zh}`,
  );
  return sentence("wrong_settings", { id, reason: { en: error.message.replaceAll('"', "'"), zh: zh.join("；") } });
}

function registerPlugin(loaded: LoadedPlugin, config: unknown, log: Logger) {
  const { entry, plugin } = loaded;
  const provides: { key: ServiceKey<unknown>; make: Factory }[] = [];
  const contributes: { point: ExtensionPoint<unknown>; make: Factory }[] = [];
  let isOpen = true;
  const context: RegisterContext<never> = {
    ...UNAVAILABLE_IN_REGISTER,
    config: config as never,
    log: log.child({ plugin: entry.id }),
    provide(key, make) {
      checkDeclaration("provide", "service", key, make, isOpen);
      if (provides.some((one) => one.key.id === key.id))
        throw new AppError("conflict", `provide('${key.id}', …) was called twice`);
      provides.push({ key: key as ServiceKey<unknown>, make });
    },
    contribute(point, make) {
      checkDeclaration("contribute", "extension-point", point, make, isOpen);
      contributes.push({ point: point as ExtensionPoint<unknown>, make });
    },
  };
  try {
    const returned: unknown = plugin?.register(context);
    if (isThenable(returned)) {
      // The promise may reject later, when nothing awaits it any longer.
      returned.then(undefined, (error) =>
        log.warn("a plugin failed after it was registered", { plugin: entry.id, error }),
      );
      throw createError("bad_request", sentence("register_async"));
    }
  } catch (error) {
    const reason = describeFailure(error, loaded);
    throw createError("unavailable", sentence("step_failed", { step: "register", reason }), { cause: error });
  } finally {
    isOpen = false;
  }
  return { provides, contributes };
}

const createUnavailable = (call: string, instead: string) => () => {
  throw new AppError("bad_request", `${call} is not there yet: register declares; ${instead}`);
};
const ASK_LATER = "ask for services in start, or in what contribute makes";

/** Methods of `start` that `register` lacks, for plugins written without types. */
const UNAVAILABLE_IN_REGISTER: object = {
  get: createUnavailable("get", ASK_LATER),
  find: createUnavailable("find", ASK_LATER),
  all: createUnavailable("all", ASK_LATER),
  defer: createUnavailable("defer", "what must be released is acquired in start"),
};

function checkDeclaration(
  call: string,
  kind: ServiceKey<unknown>["kind"] | ExtensionPoint<unknown>["kind"],
  target: ServiceKey<unknown> | ExtensionPoint<unknown> | undefined,
  make: unknown,
  isOpen: boolean,
): void {
  const what = kind === "service" ? "service" : "extension point";
  if (!isOpen) throw new AppError("conflict", `${call} was called after register had ended`);
  if (target?.kind !== kind) {
    const given = target === undefined ? "undefined (is its name spelled as in @parley/core?)" : "something else";
    throw new AppError(
      "bad_request",
      `${call} takes ${kind === "service" ? "a" : "an"} ${what}, and was given ${given}`,
    );
  }
  if (typeof make !== "function") {
    throw new AppError("bad_request", `${call}('${target.id}', …) takes a function that makes it`);
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

/** Removes plugins with duplicate or missing services; removing one can remove others. */
export function removeUnsatisfied(
  declared: readonly DeclaredPlugin[],
  hostKeys: ReadonlySet<string>,
  switchedOff: readonly string[],
  fail: ReportFailure,
): readonly DeclaredPlugin[] {
  const owners = new Map<string, string>([...hostKeys].map((id) => [id, "host"]));
  const replaced = describeReplaced(declared);
  const list = switchedOff.join(", ");
  const off = list === "" ? verbatim("") : sentence("switched_off", { ids: list });
  const declaredKeys = new Set(declared.flatMap(({ provides }) => provides.map(({ key }) => key.id)));
  let remaining = declared.filter((one) => {
    const clash = one.provides.find(({ key }) => owners.has(key.id));
    const other = clash && owners.get(clash.key.id);
    if (clash) fail(one.loaded, sentence("provided_already", { service: clash.key.id, other: String(other) }));
    else for (const { key } of one.provides) owners.set(key.id, one.loaded.entry.id);
    return !clash;
  });
  for (;;) {
    const offered = new Set([...hostKeys, ...remaining.flatMap(({ provides }) => provides.map(({ key }) => key.id))]);
    const rest = remaining.filter((one) => {
      const missing = listRequirements(one).filter(({ id }) => !offered.has(id));
      const services = missing.map(({ id }) => `'${id}'`).join(", ");
      // The provider exists but was left out itself because it lacks a service.
      const isConsequence = missing.every(({ id }) => declaredKeys.has(id));
      if (missing.length > 0)
        fail(one.loaded, sentence("missing_services", { services, replaced, off }), { isConsequence });
      return missing.length === 0;
    });
    if (rest.length === remaining.length) return rest;
    remaining = rest;
  }
}

/** Names packages that config.ini puts in place of bundled ones, which may have provided a missing service. */
function describeReplaced(declared: readonly DeclaredPlugin[]): Localized {
  const all = declared
    .filter(({ loaded: { entry, isThirdParty } }) => isThirdParty && Object.hasOwn(BUNDLED_PLUGINS, entry.id))
    .map(({ loaded: { entry } }) =>
      sentence("in_place", { id: entry.id, name: entry.package, ours: String(BUNDLED_PLUGINS[entry.id]) }),
    );
  return { en: all.map(({ en }) => en).join(""), zh: all.map(({ zh }) => zh).join("") };
}

/** Sorts providers before the plugins that require them, otherwise as configured. */
export function sortByDependencies(
  declared: readonly DeclaredPlugin[],
  problems: Localized[],
): readonly DeclaredPlugin[] {
  const ordered: DeclaredPlugin[] = [];
  const visit = (one: DeclaredPlugin, path: readonly DeclaredPlugin[]) => {
    if (ordered.includes(one)) return;
    if (path.includes(one)) {
      const circle = [...path.slice(path.indexOf(one)), one].map(({ loaded }) => loaded.entry.id);
      problems.push(sentence("circle", { ids: circle.join(" → ") }));
      return;
    }
    for (const required of listRequirements(one)) {
      const provider = declared.find(({ provides }) => provides.some(({ key }) => key.id === required.id));
      if (provider && provider !== one) visit(provider, [...path, one]);
    }
    if (!ordered.includes(one)) ordered.push(one);
  };
  for (const one of declared) visit(one, []);
  return ordered;
}

export function listRequirements({ loaded: { plugin } }: DeclaredPlugin): readonly ServiceKey<unknown>[] {
  return plugin?.requires ?? [];
}
