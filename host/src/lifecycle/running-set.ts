import { Gateway, type HostControl, type LiveEvents, type Logger, resourceChanged } from "@parley/core";
import type { Configuration } from "../config/configuration.ts";
import type { MountedGeneration } from "../http/listener/http-listener.ts";
import type { LoadedPlugin } from "../plugins/load-plugins.ts";
import { StartError } from "../start-error.ts";
import type { Generation } from "./generation.ts";
import { findUnchangedPlugins, type ReloadHandover } from "./reload-handover.ts";

export interface RunningSetDeps {
  readonly configuration: Configuration;
  readonly loaded: readonly LoadedPlugin[];
  readonly log: Logger;
  readonly reloadHandover: ReloadHandover;
  /** Receives the event that notifies open pages of changed plugins. */
  readonly events: LiveEvents;
  build(configuration: Configuration, loaded: readonly LoadedPlugin[]): Generation;
  /** Mounts a generation behind the listening socket; undefined when there is none. */
  mount(generation: Generation, configuration: Configuration): Promise<MountedGeneration> | undefined;
}

/** The running configuration with its loaded plugins and generation. */
export interface RunningSet extends Pick<RunningSetDeps, "build"> {
  configuration(): Configuration;
  loaded(): readonly LoadedPlugin[];
  generation(): Generation;
  phase(): ReturnType<HostControl["phase"]>;
  /** Replaces the environment variables, which are read at each use. */
  setEnvironment(environment: Configuration["environment"]): void;
  /** Starts the generation; on failure it throws and leaves nothing running. */
  start(): Promise<void>;
  /** Replaces the running set; on failure it restores the old one and throws. `named` plugins keep nothing open even if unchanged. */
  swap(configuration: Configuration, loaded: readonly LoadedPlugin[], named?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export function createRunningSet({ log, reloadHandover, events, build, mount, ...first }: RunningSetDeps): RunningSet {
  let { configuration, loaded } = first;
  let generation = build(configuration, loaded);
  let mounted: MountedGeneration | undefined;
  let phase: ReturnType<HostControl["phase"]> = "starting";

  const open = async () => {
    await generation.start();
    try {
      mounted = await mount(generation, configuration);
    } catch (error) {
      await generation.dispose();
      throw error;
    }
  };
  const updatePhase = () => {
    phase = generation.status().some(({ state }) => state === "failed") ? "degraded" : "ready";
  };
  const close = async (next: "follows" | "none") => {
    await mounted?.end(next);
    mounted = undefined;
    await generation.dispose();
  };
  const replace = async (next: Generation, nextConfiguration: Configuration, nextLoaded: readonly LoadedPlugin[]) => {
    const old = { configuration, loaded };
    // Called while requests are still answered.
    await generation.from.find(Gateway)?.settle?.();
    await close("follows");
    try {
      configuration = nextConfiguration;
      loaded = nextLoaded;
      generation = next;
      await open();
    } catch (error) {
      log.error("the new configuration did not start; the previous one is restored", { error });
      configuration = old.configuration;
      loaded = old.loaded;
      generation = build(configuration, loaded);
      await open();
      throw error;
    } finally {
      updatePhase();
    }
  };
  return {
    build,
    configuration: () => configuration,
    loaded: () => loaded,
    generation: () => generation,
    phase: () => phase,
    setEnvironment(environment) {
      configuration = { ...configuration, environment };
    },
    async start() {
      try {
        await open();
        updatePhase();
      } catch (error) {
        phase = "failed";
        throw error;
      }
    },
    async swap(nextConfiguration, nextLoaded, named) {
      const next = build(nextConfiguration, nextLoaded);
      if (next.problems.length > 0) throw new StartError(next.problems);
      const unchanged = findUnchangedPlugins(loaded, nextLoaded, named);
      await reloadHandover.during(unchanged, () => replace(next, nextConfiguration, nextLoaded));
      events.publish(resourceChanged("plugin", "*", "updated"));
    },
    stop: () => close("none"),
  };
}
