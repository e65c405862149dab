import type { LoadedPlugin } from "../plugins/load-plugins.ts";

interface OpenValue {
  readonly value: unknown;
  readonly end: () => void | Promise<void>;
}

/** Values that plugins keep open across a reload, such as the sockets of chat users. */
export interface ReloadHandover {
  /** Returns the object a plugin left open under a name, or creates it with `make`. */
  take<T>(plugin: string, name: string, make: () => T): T;
  /** Leaves a value to the next set when the plugin is unchanged in it, and ends the value otherwise. */
  leave<T>(plugin: string, name: string, value: T, end: (value: T) => void | Promise<void>): Promise<void>;
  /** Runs the replacement of a plugin set, then ends the values that no plugin has taken. */
  during(unchanged: ReadonlySet<string>, replace: () => Promise<void>): Promise<void>;
}

export function createReloadHandover(): ReloadHandover {
  const openByKey = new Map<string, OpenValue>();
  let unchangedPluginIds: ReadonlySet<string> = new Set();
  const endAll = async () => {
    const rest = [...openByKey.values()];
    openByKey.clear();
    await Promise.all(rest.map(({ end }) => end()));
  };
  return {
    take<T>(plugin: string, name: string, make: () => T) {
      const key = `${plugin} ${name}`;
      const found = openByKey.get(key);
      openByKey.delete(key);
      return found ? (found.value as T) : make();
    },
    async leave(plugin, name, value, end) {
      if (!unchangedPluginIds.has(plugin)) return end(value);
      openByKey.set(`${plugin} ${name}`, { value, end: () => end(value) });
    },
    async during(unchanged, replace) {
      unchangedPluginIds = unchanged;
      try {
        await replace();
      } finally {
        unchangedPluginIds = new Set();
        await endAll();
      }
    },
  };
}

/** Returns the ids of plugins with equal code and settings in both sets, without the named ones. */
export function findUnchangedPlugins(
  before: readonly LoadedPlugin[],
  after: readonly LoadedPlugin[],
  named: readonly string[] = [],
): ReadonlySet<string> {
  const isSame = (old: LoadedPlugin) =>
    old.plugin !== undefined &&
    after.some(
      ({ entry, plugin }) =>
        entry.id === old.entry.id && plugin === old.plugin && entry.revision === old.entry.revision,
    );
  const ids = before.filter(isSame).map(({ entry }) => entry.id);
  return new Set(ids.filter((id) => !named.includes(id)));
}
