import type { HostService } from "../lifecycle/host-service.ts";
import { type DeclaredPlugin, listRequirements } from "./declare-plugins.ts";
import type { LoadedPlugin } from "./load-plugins.ts";

/** Partial start: all plugins are registered, but only those needed for some contributions start. */
export interface PartialStart {
  /** Ids of points: the plugins that contribute to one of them start, and those that they require. */
  readonly points: readonly string[];
  /** Services that replace those of plugins under the same keys; these plugins do not start. */
  readonly standIns: readonly HostService[];
  /** Ids of services whose providers do not start either. */
  readonly unstarted: readonly string[];
}

export function removeReplaced(
  declared: readonly DeclaredPlugin[],
  { standIns }: PartialStart,
): readonly DeclaredPlugin[] {
  const replaced = new Set(standIns.map(([key]) => key.id));
  return declared.map((one) => ({ ...one, provides: one.provides.filter(({ key }) => !replaced.has(key.id)) }));
}

/** Returns the plugins that contribute to the part's points and those they require, in the given order. */
export function findNeeded(
  ordered: readonly DeclaredPlugin[],
  own: readonly DeclaredPlugin[],
  part: PartialStart,
): readonly DeclaredPlugin[] {
  const points = new Set(part.points);
  const out = new Set([...part.standIns.map(([key]) => key.id), ...part.unstarted]);
  const left = new Set(own.filter(({ provides }) => provides.some(({ key }) => out.has(key.id))).map(toLoadedPlugin));
  const needed = new Set<DeclaredPlugin>();
  const add = (one: DeclaredPlugin) => {
    if (needed.has(one) || left.has(toLoadedPlugin(one))) return;
    needed.add(one);
    for (const { id } of listRequirements(one)) {
      const provider = ordered.find(({ provides }) => provides.some(({ key }) => key.id === id));
      if (provider) add(provider);
    }
  };
  for (const one of ordered) if (one.contributes.some(({ point }) => points.has(point.id))) add(one);
  return ordered.filter((one) => needed.has(one));
}

function toLoadedPlugin({ loaded }: DeclaredPlugin): LoadedPlugin {
  return loaded;
}
