import {
  type Check,
  Checks,
  type EditedFile,
  EditedFiles,
  type ExtensionPoint,
  type HostControl,
  inBothLanguages,
  type Localized,
  type PluginStatus,
  type Route,
  RouteTables,
  routeName,
} from "@parley/core";
import { additionFindings } from "./addition-findings.ts";
import { readConfiguration } from "./configuration.ts";
import { isFirstParty } from "./first-party.ts";
import { createGeneration } from "./generation.ts";
import { type HostOptions, load } from "./host-options.ts";
import { hostServices } from "./host-services.ts";
import { describeApi } from "./http/describe-api.ts";
import { hostRowNames, unmountedHostRoutes } from "./http/host-routes.ts";
import { createLiveEvents } from "./live-events.ts";
import { createLogging } from "./logging.ts";
import { refuseExit } from "./packages/refuse-exit.ts";
import { createRedaction } from "./redaction.ts";
import { sentence, verbatim } from "./sentences.ts";
import { StartError } from "./start-error.ts";
import { coreWarnings, kept, nothingInstalled, unread } from "./warnings.ts";

/** Everything that is wrong with a configuration, without starting anything. */
export async function checkConfiguration(options: HostOptions = {}): Promise<{
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly plugins: readonly PluginStatus[];
}> {
  const { problems, warnings, plugins } = await checkedConfiguration(options);
  return { problems: problems.map(({ en }) => en), warnings: warnings.map(({ en }) => en), plugins };
}

/** The same for people in both languages. */
export async function checkedConfiguration(options: HostOptions = {}): Promise<{
  readonly problems: readonly Localized[];
  readonly warnings: readonly Localized[];
  readonly plugins: readonly PluginStatus[];
}> {
  const { configuration, loaded, generation } = await unstarted(options);
  generation.look();
  const plugins = generation.status();
  const left = plugins.flatMap(({ id, failure, failure_detail: detail }) =>
    failure === null ? [] : [sentence("of_plugin", { id, reason: inBothLanguages(failure, detail) })],
  );
  const problems = [
    ...configuration.problems,
    ...nothingInstalled(loaded, options),
    ...configuration.unknown,
    ...unread(loaded),
    ...generation.problems,
    ...left,
  ];
  return {
    problems: [...new Map(problems.map((said) => [said.en, said])).values()],
    warnings: [
      ...configuration.warnings,
      ...coreWarnings(loaded),
      ...generation.warnings.map(verbatim),
      ...kept(loaded),
      ...additionFindings(
        generation,
        loaded.flatMap(({ plugin }) => (plugin ? [plugin] : [])),
      ).map(({ plugin: id, text }) => sentence("of_plugin", { id, reason: text })),
    ],
    plugins,
  };
}

/**
 * The OpenAPI document of what a configuration would serve, without starting anything. Throws `StartError` when ours
 * cannot be described; a third party's plugin that cannot is left out, and told of in `warnings`.
 */
export async function describeConfiguration(
  options: HostOptions = {},
): Promise<{ readonly document: object; readonly warnings: readonly string[] }> {
  const { configuration, loaded, generation } = await unstarted(options);
  const problems = [...configuration.problems, ...nothingInstalled(loaded, options), ...generation.problems];
  const warnings: string[] = [];
  const rows = new Map<string, Route>(unmountedHostRoutes().map((row) => [routeName(row), row]));
  const isThirdParty = new Set(
    generation
      .status()
      .filter(({ package: name }) => !isFirstParty(name))
      .map(({ id }) => id),
  );
  for (const { plugin, ...table } of generation.unstarted(RouteTables)) {
    const tell = (reason: string) => {
      const said = sentence("of_plugin", { id: plugin, reason });
      if (isThirdParty.has(plugin)) warnings.push(said.en);
      else problems.push(said);
    };
    if ("failure" in table) tell(table.failure);
    else {
      const taken = table.made.find((row) => rows.has(routeName(row)));
      if (taken) tell(`adds the row ${routeName(taken)}, which is there already`);
      else for (const row of table.made) rows.set(routeName(row), row);
    }
  }
  warnings.push(...generation.status().flatMap(({ id, failure }) => (failure ? [`plugin '${id}': ${failure}`] : [])));
  if (problems.length > 0) throw new StartError(problems);
  return { document: describeApi([...rows.values()]), warnings };
}

export interface LookedAtAtRest {
  readonly checks: readonly Check[];
  readonly files: readonly EditedFile[];
}

/** What plugins look at in a folder at rest; those that cannot be described look at nothing. */
export async function lookedAtAtRest(options: HostOptions = {}): Promise<LookedAtAtRest> {
  const { generation } = await unstarted(options);
  const made = <T>(point: ExtensionPoint<T>) =>
    generation.unstarted(point).flatMap((one) => ("made" in one ? [one.made] : []));
  return { checks: made(Checks), files: made(EditedFiles) };
}

/** A configuration with its plugins registered, and nothing more. */
export async function unstarted(options: HostOptions) {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const configuration = readConfiguration(source);
  if (options.ownsProcess) refuseExit();
  const loaded = await load(configuration, options, (line) => process.stderr.write(`note: ${line}\n`));
  const redaction = createRedaction();
  const logging = createLogging({ level: "error", format: "pretty", folder: undefined, redaction });
  const { log } = logging;
  const control = { plugins: () => [] } as unknown as HostControl;
  const services = hostServices(configuration, { control, redaction, logging, events: createLiveEvents(log) });
  const generation = createGeneration({ loaded, log, services, taken: hostRowNames() });
  return { configuration, loaded, generation };
}
