import { acceptedLanguage, inLanguage, setAddedLanguages } from "@parley/core";
import type { Flags } from "@parley/host";
import {
  createEgress,
  examineFolder,
  type Finding,
  findExternalStorage,
  readConfiguration,
  readHostVersion,
  readLanguages,
  toOk,
  toProblem,
  toWarning,
  untranslated,
} from "@parley/host/tooling";
import { checkConfigurationLocalized, findOfflineChecks } from "../check/check-configuration.ts";
import { cliTexts } from "../texts.ts";
import { examineCertificates } from "./examine-certificates.ts";
import { examineExternal } from "./examine-external.ts";
import { examineFiles } from "./examine-files.ts";
import { examineService } from "./examine-service.ts";
import { examineTables } from "./examine-tables.ts";
import { examineUndeclared } from "./examine-undeclared.ts";

const MIN_NODE_MAJOR = 24;
const LEVEL_LABELS = {
  ok: cliTexts.localized("level_ok"),
  warning: cliTexts.localized("level_warning"),
  problem: cliTexts.localized("level_problem"),
};
const LEVEL_COLUMNS = 8;
const CONFIGURATION_OK = cliTexts.localized("configuration_ok");
const REPAIR_ADVICE = cliTexts.localized("configuration_advice");

export interface DoctorOptions {
  readonly flags: Flags;
  readonly isJson: boolean;
  /** Code of an installed language; if undefined, the terminal's. */
  readonly language: string | undefined;
  print(line: string): void;
}

/**
 * Runs `parley doctor` and prints problems with advice. Returns the exit code: 0 none, 1 a problem, 2 only warnings.
 * Rejects with `bad_request` for a language that is not installed.
 */
export async function runDoctor({ flags, isJson, language: wanted, print }: DoctorOptions): Promise<number> {
  const language = chooseLanguage(wanted);
  const findings = (await examine(flags)).map(({ said, advice, ...one }) => ({
    ...one,
    said: inLanguage(said, language),
    ...(advice && { advice: inLanguage(advice, language) }),
  }));
  if (isJson) print(JSON.stringify({ findings }, null, 2));
  else {
    for (const { about, level, said, advice } of findings) {
      print(`${padToColumns(inLanguage(LEVEL_LABELS[level], language))}${about}: ${said}`);
      if (advice) print(`        → ${advice}`);
    }
  }
  const levels = new Set(findings.map(({ level }) => level));
  return levels.has("problem") ? 1 : levels.has("warning") ? 2 : 0;
}

/** Returns the wanted language, else the terminal's: that of its environment variables, strongest first. */
function chooseLanguage(wanted: string | undefined): string {
  const { languages } = readLanguages(process.cwd());
  setAddedLanguages(languages);
  if (wanted !== undefined) {
    const installed = ["en", "zh", ...languages.keys()];
    if (installed.includes(wanted)) return wanted;
    throw cliTexts.error("bad_request", "language_unknown", { code: wanted, codes: installed.join(", ") });
  }
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return acceptedLanguage(LC_ALL || LC_MESSAGES || LANG);
}

/** Pads a label to 8 columns of a terminal, where a Han character takes two. */
function padToColumns(label: string): string {
  const columns = label.replace(/\p{Script=Han}/gu, "xx").length;
  return label + " ".repeat(Math.max(1, LEVEL_COLUMNS - columns));
}

async function examine(flags: Flags): Promise<readonly Finding[]> {
  const configuration = readConfiguration({ root: process.cwd(), flags, env: process.env });
  const { data, environment, sections } = configuration;
  const externalStorage = findExternalStorage(configuration);
  const { problems, warnings } = await checkConfigurationLocalized({ flags });
  const major = Number(process.versions.node.split(".")[0]);
  const [token, version] = [environment.PARLEY_TOKEN, readHostVersion()];
  const now = Date.now();
  const service = await examineService({ data, version, token });
  // A running service reports its own queue and dead letters.
  const offline = service.isRunning ? undefined : await findOfflineChecks({ flags });
  const { checks, files } = offline ?? { checks: [], files: [] };
  const [folder, storageFindings, certificates] = await Promise.all([
    examineFolder(data, now, externalStorage),
    examineExternal(checks),
    examineCertificates({ data, publicBaseUrl: sections.web?.public_base_url, egress: createEgress(), now }),
  ]);
  const tables = externalStorage === undefined ? examineTables(data, checks, { version, now }) : [];
  const undeclared =
    offline && externalStorage === undefined ? await examineUndeclared(configuration, offline.kinds) : [];
  return [
    major < MIN_NODE_MAJOR
      ? toProblem(
          "node",
          cliTexts.localized("node_old", { version: process.versions.node }),
          cliTexts.localized("node_advice", { minimum: MIN_NODE_MAJOR }),
        )
      : toOk("node", untranslated(process.versions.node)),
    ...problems.map((message) => toProblem("configuration", message, REPAIR_ADVICE)),
    ...warnings.map((message) => toWarning("configuration", message, REPAIR_ADVICE)),
    ...(problems.length + warnings.length === 0 ? [toOk("configuration", CONFIGURATION_OK)] : []),
    ...folder,
    ...examineFiles(files),
    ...service.findings,
    ...tables,
    ...undeclared,
    ...storageFindings.filter(({ said }) => !problems.some(({ en }) => en === said.en)),
    ...certificates,
  ];
}
