import type { Server } from "node:http";
import type { Readable, Writable } from "node:stream";
import type { ItemFailure } from "../../error-texts.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import type { Finding } from "../../points/operations/check.ts";

/** Absolute paths of this installation. Provided by the host. */
export interface Paths {
  /** The operator's folder: config.ini, node_modules of third-party plugins, `resources/`. */
  readonly root: string;
  /** The data folder; `data/` unless configured. */
  readonly data: string;
}
export const Paths: ServiceKey<Paths> = serviceKey("paths");

/** Libraries that the operator installed beside the service, such as by `parley add`; none of them is a plugin. Provided by the host. */
export interface InstalledLibraries {
  /** Imports an installed package by its name. Rejects with `not_found` when it is not installed, else with its own error. */
  import(name: string): Promise<Readonly<Record<string, unknown>>>;
}
export const InstalledLibraries: ServiceKey<InstalledLibraries> = serviceKey("installed-libraries");

/** Environment of the process, including `.env`. Read it on every use; never store a value. Provided by the host. */
export interface Environment {
  get(name: string): string | undefined;
  /**
   * The value of a variable that a `*_env` field names; undefined when unset or empty. Its text is masked in everything the process
   * writes from then on. Throws `bad_request` for names that are reserved for the service itself.
   */
  secret(name: string): string | undefined;
}
export const Environment: ServiceKey<Environment> = serviceKey("environment");

/** Masks secrets in output. Provided by the host. */
export interface Redaction {
  /** Returns a copy in which secret keys and known secret values are `***`, at any depth. */
  mask<T>(value: T): T;
  /** Returns the value as JSON, masked as by `mask`. Cheaper than masking first. Throws for what has no JSON, such as a function. */
  toMaskedJson(value: unknown): string;
  /** Masks `secret` in all later output. Ignores secrets shorter than 6 characters. */
  remember(secret: string): void;
}
export const Redaction: ServiceKey<Redaction> = serviceKey("redaction");

/** Sections of config.ini that are not a plugin's own: `web`, `gateway`, `mcp`, `imA`. Provided by the host. */
export interface ConfigSections {
  /** Keys as written, values as text; `{}` for a missing section. */
  section(name: string): Readonly<Record<string, string>>;
}
export const ConfigSections: ServiceKey<ConfigSections> = serviceKey("config-sections");

/** State of a plugin. */
export type PluginState = "running" | "disabled" | "failed";

/** One plugin as the console shows it. */
export interface PluginStatus {
  readonly id: string;
  /** Title and purpose from its package. */
  readonly title: Localized;
  readonly about: Localized;
  /** Name of a console icon, or the address of a picture; null when it has neither. */
  readonly icon?: string | null;
  readonly package: string;
  readonly version: string;
  /** Path it was loaded from; "" when it was not loaded. */
  readonly path: string;
  readonly state: PluginState;
  readonly enabled: boolean;
  /** True when it cannot be disabled in the console because the console needs it. */
  readonly required: boolean;
  /** Reason it is required, as a sentence; null when it can be disabled. */
  readonly required_reason: string | null;
  readonly required_texts: Localized | null;
  /** Reason it is not running; null when it runs or was disabled. */
  readonly failure: string | null;
  /** Localized detail of `failure`. */
  readonly failure_detail?: ItemFailure["detail"] | null;
  /** Contributions: service ids, and `<point id> × n`. */
  readonly adds: readonly string[];
  /** JSON Schema of its settings; null when it has none. */
  readonly config_schema: object | null;
  /** Current configuration values, secrets masked. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Ids of enabled plugins that require its services. */
  readonly needed_by?: readonly string[];
  /** Command that reinstalls a plugin added by `parley add`, once it is removed. Null for bundled and manually placed ones. */
  readonly add_again?: string | null;
  /** Revision of its configuration; a change with another `If-Match` is a conflict. */
  readonly revision: number;
}

/** Result of a plugin reload: reloaded plugins, and failed ones with the reason. */
export interface ReloadResult {
  readonly reloaded: readonly string[];
  readonly failed: readonly ({ readonly name: string } & ItemFailure)[];
  readonly duration_ms: number;
}

/** Result of reloading the configuration: changed keys, and those that need a restart. */
export interface ReloadConfigResult {
  readonly changed: readonly string[];
  readonly restart_required: readonly string[];
  readonly warnings: readonly string[];
  /** Warnings in both languages. */
  readonly warning_texts?: readonly Localized[];
}

/** A complete backup, written to disk: the data folder, and the rows and files stored elsewhere. */
export interface CreatedBackup {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  /** Count of files shared with the previous backup, which occupy no space twice. */
  readonly shared: number;
  /** Count of files that rows name; all are included except those listed in `left`. */
  readonly named: number;
  /** External file storage and the count of files copied from it. Absent: all are in the folder. */
  readonly elsewhere?: { readonly place: string; readonly files: number };
  /** Sentences about missing parts: external databases, tables unknown to every plugin, files not found or excluded. */
  readonly missing: readonly ItemFailure[];
  /** @deprecated The same in English alone; read `missing`. */
  readonly left: readonly string[];
}

/** A backup described by its manifest; its content is not read. */
export interface StoredBackup {
  /** The name of its folder. */
  readonly id: string;
  readonly folder: string;
  readonly created_at: string;
  /** Reason it cannot be restored, as far as the manifest shows; the fields below are null or empty then. */
  readonly problem: ItemFailure | null;
  readonly product_version: string | null;
  readonly files: number;
  readonly databases: number;
  readonly bytes: number;
  readonly missing: readonly ItemFailure[];
  readonly restore: RestoreInstructions | null;
}

/** Steps to restore a backup on the machine of the service. Current data is moved away, never deleted. */
export interface RestoreInstructions {
  /** Lines for a terminal on this machine, or, when the service runs in a container, on the machine that runs the container. */
  readonly commands: readonly string[];
  readonly is_container: boolean;
  /** Folder for the current data after the restore; null when another volume replaces it. */
  readonly aside: string | null;
  /** Package that stores rows on a server; they are restored into an empty database. Null: rows are in the folder. */
  readonly rows_in: string | null;
}

/** Complete backups in a folder; one being made is not listed. */
export interface Backups {
  /** Lists the backups, newest first, damaged ones included with their problem. */
  list(): Promise<readonly StoredBackup[]>;
  /** Reads a whole backup as a restore would and returns its problem; null when it is intact. Rejects with `not_found`. */
  check(id: string): Promise<ItemFailure | null>;
  /**
   * Packs a backup as a compressed tar archive (`.tar.gz`) while it is read: its folder, which `restore` accepts once it
   * is unpacked. Rejects with `not_found`.
   */
  pack(id: string): Promise<Readable>;
  /** Deletes a backup. Rejects with `not_found`, or `conflict` while another one is being made. */
  remove(id: string): Promise<void>;
}

/** The host as seen by plugins. Provided by the host. */
export interface HostControl {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  phase(): "starting" | "ready" | "degraded" | "failed";
  plugins(): readonly PluginStatus[];
  /** Returns the id of the plugin that contributes a name of a kind, such as `channel type` `imB`; undefined when none does. */
  contributor(kind: string, name: string): string | undefined;
  /**
   * Builds a new generation next to the running one and switches only when it starts; otherwise the old one continues
   * and the reason is in `failed`. Rejects with `conflict` while another reload runs, `not_found` for an unknown id.
   */
  reload(pluginIds?: readonly string[]): Promise<ReloadResult>;
  /** Reloads `.env`, config.ini and settings. */
  reloadConfig(): Promise<ReloadConfigResult>;
  /** HTTP server, kept across reloads. Undefined with `--mcp-only`. */
  readonly server: Server | undefined;
  /**
   * Backs up the data folder into a new folder inside `to` while the service runs. Includes everything acknowledged
   * before, rows of any storage as database files, and the files of a `BlobStore`. Retains the newest `keep` backups
   * there. Rejects with `conflict` while another backup runs.
   */
  backUp(to: string, keep: number): Promise<CreatedBackup>;
  /** Returns the backups of a folder. */
  backups(folder: string): Backups;
  /** Checks the machine and the data folder: disk, permissions, backups. */
  examine(): Promise<readonly Finding[]>;
  /** Stops the service as SIGTERM does; with another code than 0 its supervisor sees a failure and restarts it. */
  stop(reason: string, exitCode?: number): void;
  /**
   * Stops the service as SIGTERM does and has it started again. Rejects with `conflict`, and keeps running, when
   * nothing would start it again or the current files would prevent its start.
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

/** Standard input and output reserved for a protocol; other output goes to stderr. Provided by the host only when the process was started in that mode. */
export interface ProtocolStreams {
  readonly input: Readable;
  readonly output: Writable;
}
export const ProtocolStreams: ServiceKey<ProtocolStreams> = serviceKey("protocol-streams");

/** Connections of programs on this machine that may use the data folder. Provided by the host. */
export interface LocalConnections {
  /** Calls `serve` with each new connection, replacing any earlier handler; the returned function closes those connections. */
  serve(serve: (streams: ProtocolStreams) => void): Promise<() => void>;
}
export const LocalConnections: ServiceKey<LocalConnections> = serviceKey("local-connections");
