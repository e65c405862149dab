import type { ConfigSections, Logger, PluginStatus, Resolver } from "@parley/core";

/** Plugin administration that the host provides to its plugin routes. */
export interface PluginAdmin {
  list(): readonly PluginStatus[];
  /** Returns the SVG icon of a package; undefined when it has none. */
  iconOf(id: string): Buffer | undefined;
  /** Changes a plugin; `ifMatch` is the revision that the caller saw; `conflict` when it has changed. */
  change(id: string, change: PluginChange, ifMatch?: number): Promise<PluginStatus>;
  /** Removes a plugin; returns the command that reinstalls it. */
  remove(id: string): Promise<string>;
}

/** HTTP contributions of one generation of plugins. */
export interface HttpGeneration {
  readonly from: Resolver;
  readonly sections: ConfigSections;
  readonly plugins: PluginAdmin;
  readonly log: Logger;
}

/** A change of a plugin: whether it is enabled, or its settings. */
export interface PluginChange {
  readonly enabled?: boolean;
  readonly config?: Readonly<Record<string, unknown>>;
}
