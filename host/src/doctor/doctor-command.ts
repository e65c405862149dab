import type { Localized } from "@parley/core";
import { checkedConfiguration, lookedAtAtRest } from "../check-configuration.ts";
import { type Flags, readConfiguration } from "../configuration.ts";
import { createEgress } from "../egress.ts";
import { keeperElsewhere } from "../rows-elsewhere.ts";
import { hostVersion } from "../version.ts";
import { examineCertificates } from "./examine-certificates.ts";
import { examineElsewhere } from "./examine-elsewhere.ts";
import { examineFiles } from "./examine-files.ts";
import { examineFolder } from "./examine-folder.ts";
import { examineService } from "./examine-service.ts";
import { examineTables } from "./examine-tables.ts";
import { type Finding, ok, problem, same, warning } from "./finding.ts";

const LEAST_NODE = 24;
const MARKS = {
  en: { ok: "ok      ", warning: "warning ", problem: "PROBLEM " },
  zh: { ok: "正常    ", warning: "警告    ", problem: "故障    " },
} as const;
const FITS = { en: "everything fits together", zh: "配置与插件相符" };
const REPAIR = { en: "parley check says when it is repaired", zh: "修复后可用 parley check 确认" };

export interface DoctorCommand {
  readonly flags: Flags;
  readonly isJson: boolean;
  readonly language: keyof Localized;
  print(line: string): void;
}

/** `parley doctor`: what is wrong, and what to do. Gives the exit code: 0 nothing, 1 a problem, 2 only warnings. */
export async function runDoctor({ flags, isJson, language, print }: DoctorCommand): Promise<number> {
  const findings = (await examine(flags)).map(({ said, advice, ...one }) => ({
    ...one,
    said: said[language],
    ...(advice && { advice: advice[language] }),
  }));
  if (isJson) print(JSON.stringify({ findings }, null, 2));
  else {
    for (const { about, level, said, advice } of findings) {
      print(`${MARKS[language][level]}${about}: ${said}`);
      if (advice) print(`        → ${advice}`);
    }
  }
  const levels = new Set(findings.map(({ level }) => level));
  return levels.has("problem") ? 1 : levels.has("warning") ? 2 : 0;
}

async function examine(flags: Flags): Promise<readonly Finding[]> {
  const configuration = readConfiguration({ root: process.cwd(), flags, env: process.env });
  const { data, environment, sections } = configuration;
  const keeper = keeperElsewhere(configuration);
  const { problems, warnings } = await checkedConfiguration({ flags });
  const major = Number(process.versions.node.split(".")[0]);
  const [token, version] = [environment.PARLEY_TOKEN, hostVersion()];
  const now = Date.now();
  const service = await examineService({ data, version, token });
  // What waits and what was given up a running service says itself.
  const { checks, files } = service.isHeld ? { checks: [], files: [] } : await lookedAtAtRest({ flags });
  const [folder, elsewhere, certificates] = await Promise.all([
    examineFolder(data, now, keeper),
    examineElsewhere(checks),
    examineCertificates({ data, publicBaseUrl: sections.web?.public_base_url, egress: createEgress(), now }),
  ]);
  const tables = keeper === undefined ? examineTables(data, checks, { version, now }) : [];
  return [
    major < LEAST_NODE
      ? problem(
          "node",
          { en: `this is Node ${process.versions.node}`, zh: `当前为 Node ${process.versions.node}` },
          { en: `use Node ${LEAST_NODE} or newer`, zh: `请使用 Node ${LEAST_NODE} 或更新版本` },
        )
      : ok("node", same(process.versions.node)),
    ...problems.map((said) => problem("configuration", said, REPAIR)),
    ...warnings.map((said) => warning("configuration", said, REPAIR)),
    ...(problems.length + warnings.length === 0 ? [ok("configuration", FITS)] : []),
    ...folder,
    ...examineFiles(files),
    ...service.findings,
    ...tables,
    ...elsewhere,
    ...certificates,
  ];
}
