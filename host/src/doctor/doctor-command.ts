import { checkConfiguration, folderChecks } from "../check-configuration.ts";
import { type Flags, readConfiguration } from "../configuration.ts";
import { declaredMetrics } from "../dashboards/declared-metrics.ts";
import { createEgress } from "../egress.ts";
import { hostVersion } from "../host-options.ts";
import { keeperElsewhere } from "../rows-elsewhere.ts";
import { examineAlerts } from "./examine-alerts.ts";
import { examineCertificates } from "./examine-certificates.ts";
import { examineFolder } from "./examine-folder.ts";
import { examineService } from "./examine-service.ts";
import { examineTables } from "./examine-tables.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const LEAST_NODE = 24;
const MARKS = { ok: "ok      ", warning: "warning ", problem: "PROBLEM " } as const;

export interface DoctorCommand {
  readonly flags: Flags;
  readonly isJson: boolean;
  print(line: string): void;
}

/** `parley doctor`: what is wrong, and what to do. Gives the exit code: 0 nothing, 1 a problem, 2 only warnings. */
export async function runDoctor({ flags, isJson, print }: DoctorCommand): Promise<number> {
  const findings = await examine(flags);
  if (isJson) print(JSON.stringify({ findings }, null, 2));
  else {
    for (const { about, level, said, advice } of findings) {
      print(`${MARKS[level]}${about}: ${said}`);
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
  const { problems, warnings } = await checkConfiguration({ flags });
  const major = Number(process.versions.node.split(".")[0]);
  const [token, version] = [environment.PARLEY_TOKEN, hostVersion()];
  const now = Date.now();
  const service = await examineService({ data, version, token });
  const [folder, queues, certificates] = await Promise.all([
    examineFolder(data, now, keeper),
    examineQueues({
      flags,
      data,
      token,
      address: service.address,
      isHeld: service.isHeld || keeper !== undefined,
      version,
      now,
    }),
    examineCertificates({ data, publicBaseUrl: sections.web?.public_base_url, egress: createEgress(), now }),
  ]);
  return [
    major < LEAST_NODE
      ? problem("node", `this is Node ${process.versions.node}`, `use Node ${LEAST_NODE} or newer`)
      : ok("node", process.versions.node),
    ...problems.map((said) => problem("configuration", said, "parley check says when it is repaired")),
    ...warnings.map((said) => warning("configuration", said, "parley check says when it is repaired")),
    ...(problems.length + warnings.length === 0 ? [ok("configuration", "everything fits together")] : []),
    ...folder,
    ...service.findings,
    ...queues,
    ...certificates,
  ];
}

interface Queues {
  readonly flags: Flags;
  readonly data: string;
  readonly token: string | undefined;
  /** Of the service that works in the folder, when one does and listens. */
  readonly address: string | undefined;
  readonly isHeld: boolean;
  readonly version: string;
  readonly now: number;
}

/** What waits and what was given up: by what a running service measures, else by what lies in the folder. */
async function examineQueues({
  flags,
  data,
  token,
  address,
  isHeld,
  version,
  now,
}: Queues): Promise<readonly Finding[]> {
  if (address !== undefined) {
    const declared = await declaredMetrics({ flags }).catch(() => undefined);
    // What is wrong with the configuration was told already.
    return declared ? examineAlerts(address, token, declared.groups) : [];
  }
  return isHeld ? [] : examineTables(data, await folderChecks({ flags }), { version, now });
}
