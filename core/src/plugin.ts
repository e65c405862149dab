import type { ObjectSchema } from "@hapi/joi";
import type { ExtensionPoint, ServiceKey } from "./extension-point.ts";
import type { Logger } from "./services/operations/logger.ts";

/** Version of this contract. The host rejects a plugin built for any version but this and the previous one. */
export const CONTRACT_VERSION = 1;

/** Gives access to other plugins' services and contributions. */
export interface Resolver {
  /** Returns the implementation of a service; throws `unavailable` when no enabled plugin provides it. */
  get<T>(key: ServiceKey<T>): T;
  /** Returns the service, or undefined when no plugin provides it; for optional services. */
  find<T>(key: ServiceKey<T>): T | undefined;
  /** Returns every contribution to an extension point, in plugin order; may be empty. */
  all<T>(point: ExtensionPoint<T>): readonly T[];
}

/** Context in which a plugin declares its services and contributions. */
export interface RegisterContext<Config> {
  readonly config: Config;
  /** Logger that puts the plugin's name on every line. */
  readonly log: Logger;
  /** Offers a service. `make` runs once, when the service is first requested. */
  provide<T>(key: ServiceKey<T>, make: (from: Resolver) => T): void;
  /** Adds to an extension point. `make` runs once, when the point is first requested. */
  contribute<T>(point: ExtensionPoint<T>, make: (from: Resolver) => T): void;
}

/** Context in which a plugin starts. */
export interface StartContext<Config> extends Resolver {
  readonly config: Config;
  readonly log: Logger;
  /** Registers a release function; they run when the plugin stops or its start fails, last deferred first. */
  defer(release: () => void | Promise<void>): void;
  /**
   * Returns the object that the plugin left open under this name before a reload, or creates it. `end` runs when the plugin stops
   * for good: with the service, or when it is changed, reloaded by its name or switched off.
   */
  acrossReloads<T>(name: string, make: () => T, end: (open: T) => void | Promise<void>): T;
}

/** A plugin: its requirements, settings, services and background work. */
export interface Plugin<Config = unknown> {
  /** Kebab-case; also the `[plugin.<id>]` section of config.ini. */
  readonly id: string;
  /** Services that must exist; their providers start before this plugin. */
  readonly requires?: readonly ServiceKey<unknown>[];
  /** Schema of the `[plugin.<id>]` section, with defaults; also the console's form. */
  readonly config?: ObjectSchema<Config>;
  /** Declares the plugin's services and contributions. Synchronous, without I/O. */
  register(context: RegisterContext<Config>): void;
  /** Acquires running resources. Every acquired resource must be deferred for release. */
  start?(context: StartContext<Config>): Promise<void>;
  /** Starts background work that may reach any other plugin. Runs when all plugins have started; anything deferred here is released before any plugin stops. */
  ready?(context: StartContext<Config>): Promise<void>;
}

/** A plugin as the host loads it, with its contract version and without its settings' type. */
export interface DefinedPlugin extends Omit<Plugin, "config"> {
  readonly contract: number;
  readonly config?: ObjectSchema;
}

/** Creates the default export of a plugin package. */
export function definePlugin<Config = object>(plugin: Plugin<Config>): DefinedPlugin {
  return { ...plugin, contract: CONTRACT_VERSION } as DefinedPlugin;
}
