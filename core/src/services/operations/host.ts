import type { Server } from "node:http";
import type { Readable, Writable } from "node:stream";
import type { ItemFailure } from "../../error-texts.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Finding } from "../../points/operations/check.ts";
import type { Localized } from "../../resource/field-schemas.ts";

/** Where this installation lives. Absolute paths. Provided by the host. */
export interface Paths {
  /** The operator's folder: config.ini, node_modules of third-party plugins, `resources/`. */
  readonly root: string;
  /** `data/` unless configured. */
  readonly data: string;
}
export const Paths: ServiceKey<Paths> = serviceKey("paths");

/** The process's environment, `.env` included. Ask per use: a value is never kept. Provided by the host. */
export interface Environment {
  get(name: string): string | undefined;
  /**
   * The value of a variable that a `*_env` field names; undefined when unset or empty.
   * Its text is masked in everything the process writes from then on.
   * Throws `bad_request` for names that are reserved for the service itself.
   */
  secret(name: string): string | undefined;
}
export const Environment: ServiceKey<Environment> = serviceKey("environment");

/** Removes secrets from what is written or shown. Provided by the host. */
export interface Redaction {
  /** A copy in which secret keys and known secret values are `***`, at any depth. */
  mask<T>(value: T): T;
  /** From now on `secret` is masked wherever it occurs. Shorter than 6 characters is ignored. */
  remember(secret: string): void;
}
export const Redaction: ServiceKey<Redaction> = serviceKey("redaction");

/** Sections of config.ini that are not a plugin's own: `web`, `gateway`, `mcp`, `imA`. Provided by the host. */
export interface ConfigSections {
  /** Keys as written, values as text; `{}` for a missing section. */
  section(name: string): Readonly<Record<string, string>>;
}
export const ConfigSections: ServiceKey<ConfigSections> = serviceKey("config-sections");

/** How a plugin stands. */
export type PluginState = "running" | "disabled" | "failed";

/** One plugin as the console shows it. */
export interface PluginStatus {
  readonly id: string;
  /** What it is called, and what it is for, as its package says. */
  readonly title: Localized;
  readonly about: Localized;
  /** The name of one of the console's drawings, or the address of its own picture; null where it has neither. */
  readonly icon?: string | null;
  readonly package: string;
  readonly version: string;
  /** Where it was loaded from; "" when it was not. */
  readonly path: string;
  readonly state: PluginState;
  readonly enabled: boolean;
  /** True: it cannot be switched off in the console, which would not be there any more to switch it on. */
  readonly required: boolean;
  /** Why, in a sentence; null when it can be switched off. */
  readonly required_reason: string | null;
  readonly required_texts: Localized | null;
  /** Why it is not running; null when it is or was switched off. */
  readonly failure: string | null;
  /** The same for those who read it in another language. */
  readonly failure_detail?: ItemFailure["detail"] | null;
  /** What it adds: service ids, and `<point id> × n`. */
  readonly adds: readonly string[];
  /** JSON Schema of its settings; null when it has none. */
  readonly config_schema: object | null;
  /** The values in force, secrets masked. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Ids of the enabled plugins that need what it provides. */
  readonly needed_by?: readonly string[];
  /** Of what was added by `parley add`: the command that brings it back once it is removed. Null: it came along, or lies there otherwise. */
  readonly add_again?: string | null;
  /** Of what people changed of it; a change that names another one with `If-Match` is a conflict. */
  readonly revision: number;
}

/** Which plugins run again, and which do not and why. */
export interface ReloadResult {
  readonly reloaded: readonly string[];
  readonly failed: readonly ({ readonly name: string } & ItemFailure)[];
  readonly duration_ms: number;
}

/** What reading the configuration anew changed, and what of it waits for a restart. */
export interface ReloadConfigResult {
  readonly changed: readonly string[];
  readonly restart_required: readonly string[];
  readonly warnings: readonly string[];
  /** The same for people in both languages. */
  readonly warning_texts?: readonly Localized[];
}

/** A copy of the data folder, and of the rows and files that are kept elsewhere, whole and on disk. */
export interface MadeBackup {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  /** Files that the backup before had already: they take no room a second time. */
  readonly shared: number;
  /** So many files rows name: all are in it that `left` does not tell of. */
  readonly named: number;
  /** Where a plugin keeps files, and how many of them are from there. Absent: all lie in the folder. */
  readonly elsewhere?: { readonly place: string; readonly files: number };
  /**
   * What is not in it, in sentences: databases that are kept outside the folder, rows of which no plugin knows the table, files
   * that were not found or were to stay where they are.
   */
  readonly missing: readonly ItemFailure[];
  /** @deprecated The same in English alone; read `missing`. */
  readonly left: readonly string[];
}

/** A backup in a folder, by what it says of itself: its content is not read. */
export interface KeptBackup {
  /** The name of its folder. */
  readonly id: string;
  readonly folder: string;
  readonly created_at: string;
  /** Why it cannot be restored, as far as that is seen without reading it; what follows is null or nothing then. */
  readonly problem: ItemFailure | null;
  readonly product_version: string | null;
  readonly files: number;
  readonly databases: number;
  readonly bytes: number;
  readonly missing: readonly ItemFailure[];
  readonly restore: RestoreWay | null;
}

/** How one is restored where the service was started. What is there is moved aside, and never deleted. */
export interface RestoreWay {
  /** Lines for a terminal of this machine, or, where the service runs in a container, for one of the machine that runs it. */
  readonly commands: readonly string[];
  readonly is_container: boolean;
  /** What is there now lies here afterwards; null where another volume takes its place. */
  readonly aside: string | null;
  /** The package that keeps the rows on a server: they are restored into an empty database. Null: they lie in the folder. */
  readonly rows_in: string | null;
}

/** The backups in a folder that are whole by their name; one that is being made has none yet. */
export interface Backups {
  /** The newest first. One that is damaged is among them, with what is wrong. */
  list(): Promise<readonly KeptBackup[]>;
  /** Reads all of one, as a restore would; gives what is wrong with it. `not_found` where there is none. */
  check(id: string): Promise<ItemFailure | null>;
  /** `not_found` where there is none, `conflict` while another one is being made. */
  remove(id: string): Promise<void>;
}

/** The host as seen by plugins. Provided by the host. */
export interface HostControl {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  phase(): "starting" | "ready" | "degraded" | "failed";
  plugins(): readonly PluginStatus[];
  /** The id of the plugin that adds what has this name among its kind, `channel type` `imB`; undefined where none does. */
  contributor(kind: string, name: string): string | undefined;
  /**
   * Builds a new generation beside the running one and switches over only when it holds; else the old
   * one goes on and the reason is in `failed`. `conflict` while another reload runs, `not_found` for an unknown id.
   */
  reload(pluginIds?: readonly string[]): Promise<ReloadResult>;
  /** Reads `.env`, config.ini and settings again. */
  reloadConfig(): Promise<ReloadConfigResult>;
  /** What listens for HTTP; survives reloads. Undefined with `--mcp-only`. */
  readonly server: Server | undefined;
  /**
   * Copies the data folder to a new folder inside `to` while everything goes on; what was acknowledged before is in it, whatever
   * keeps the rows: as databases of a storage in files; and what a `BlobStore` keeps. Of the backups there the newest `keep` stay. `conflict` while another one is being made.
   */
  backUp(to: string, keep: number): Promise<MadeBackup>;
  /** What such a folder holds. */
  backups(folder: string): Backups;
  /** What is wrong with the machine and the data folder: its disk, its rights, its backups. */
  examine(): Promise<readonly Finding[]>;
  /** Ends the service as SIGTERM does; with another code than 0 its supervisor sees a failure and starts it again. */
  stop(reason: string, exitCode?: number): void;
  /**
   * Ends the service as SIGTERM does, and it is started again. `conflict`, and it goes on, where nobody would start it or it
   * would not start with what is written now.
   */
  restart(reason: string): Promise<void>;
}
export const HostControl: ServiceKey<HostControl> = serviceKey("host-control");

/** Time, replaceable in tests. Provided by the host. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds that never go back; for leases and durations. */
  monotonic(): number;
}
export const Clock: ServiceKey<Clock> = serviceKey("clock");
/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Standard input and output, given to a protocol: whatever else is printed goes to stderr. Provided by the host,
 * only when the process was started to be spoken to that way.
 */
export interface ProtocolStreams {
  readonly input: Readable;
  readonly output: Writable;
}
export const ProtocolStreams: ServiceKey<ProtocolStreams> = serviceKey("protocol-streams");

/** Connections of programs on this machine that may use the data folder. Provided by the host. */
export interface LocalConnections {
  /** Calls `serve` with each new connection, in place of whoever served before; the result ends those connections. */
  serve(serve: (streams: ProtocolStreams) => void): Promise<() => void>;
}
export const LocalConnections: ServiceKey<LocalConnections> = serviceKey("local-connections");
