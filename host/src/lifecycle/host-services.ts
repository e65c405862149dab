import {
  Clock,
  ConfigSections,
  Egress,
  Environment,
  HostControl,
  InstalledLibraries,
  LiveEvents,
  LocalConnections,
  LogFeed,
  Paths,
  Redaction,
  type ServiceKey,
  systemClock,
} from "@parley/core";
import { type Configuration, checkVariableName, createSections } from "../config/configuration.ts";
import type { Logging } from "../diagnostics/logging.ts";
import { createEgress } from "../egress/egress.ts";
import { createInstalledLibraries } from "../packages/installed-libraries.ts";
import type { HostService } from "./host-service.ts";

export interface HostServicesDeps {
  readonly control: HostControl;
  readonly redaction: Redaction;
  readonly logging: Logging;
  readonly events: LiveEvents;
  /** Absent: no program connects through the data folder. */
  readonly local?: LocalConnections;
  /** Default: the environment of the configuration. */
  readonly variables?: () => Configuration["environment"];
  /** Default: an egress to the network. */
  readonly egress?: Egress;
}

/** Creates the services that the host provides to plugins. */
export function createHostServices(configuration: Configuration, parts: HostServicesDeps): readonly HostService[] {
  const { root, data, sections, environment } = configuration;
  const { control, redaction, logging, events, local, variables = () => environment, egress = createEgress() } = parts;
  return [
    toHostService(Paths, { root, data }),
    toHostService(InstalledLibraries, createInstalledLibraries(root)),
    toHostService(Environment, createEnvironment(variables, redaction)),
    toHostService(Redaction, redaction),
    toHostService(ConfigSections, createSections(sections)),
    toHostService(HostControl, control),
    toHostService(Clock, systemClock),
    toHostService(Egress, egress),
    toHostService(LiveEvents, events),
    toHostService(LogFeed, logging.feed),
    ...(local ? [toHostService(LocalConnections, local)] : []),
  ];
}

export function toHostService<T>(key: ServiceKey<T>, value: T): HostService {
  return [key as ServiceKey<never>, value];
}

function createEnvironment(
  variables: () => Readonly<Record<string, string | undefined>>,
  redaction: Redaction,
): Environment {
  return {
    get: (name) => variables()[name],
    secret(name) {
      checkVariableName(name);
      const value = variables()[name];
      if (!value) return undefined;
      redaction.remember(value);
      return value;
    },
  };
}
