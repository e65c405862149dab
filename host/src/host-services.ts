import {
  Clock,
  ConfigSections,
  Egress,
  Environment,
  HostControl,
  LiveEvents,
  LocalConnections,
  LogFeed,
  Paths,
  Redaction,
  type ServiceKey,
  systemClock,
} from "@parley/core";
import { type Configuration, checkVariableName, createSections } from "./configuration.ts";
import { createEgress } from "./egress.ts";
import type { HostService } from "./generation.ts";
import type { Logging } from "./logging.ts";

export interface HostServiceParts {
  readonly control: HostControl;
  readonly redaction: Redaction;
  readonly logging: Logging;
  readonly events: LiveEvents;
  /** Absent: no program connects through the data folder. */
  readonly local?: LocalConnections;
  /** Default: those of the configuration. */
  readonly variables?: () => Configuration["environment"];
  /** Default: the network. */
  readonly egress?: Egress;
}

/** What the host itself gives to plugins. */
export function hostServices(configuration: Configuration, parts: HostServiceParts): readonly HostService[] {
  const { root, data, sections, environment } = configuration;
  const { control, redaction, logging, events, local, variables = () => environment, egress = createEgress() } = parts;
  return [
    service(Paths, { root, data }),
    service(Environment, createEnvironment(variables, redaction)),
    service(Redaction, redaction),
    service(ConfigSections, createSections(sections)),
    service(HostControl, control),
    service(Clock, systemClock),
    service(Egress, egress),
    service(LiveEvents, events),
    service(LogFeed, logging.feed),
    ...(local ? [service(LocalConnections, local)] : []),
  ];
}

export function service<T>(key: ServiceKey<T>, value: T): HostService {
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
