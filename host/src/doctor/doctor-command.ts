import { checkConfiguration } from "../check-configuration.ts";
import { type Flags, readConfiguration } from "../configuration.ts";
import { hostVersion } from "../host-options.ts";
import { keeperElsewhere } from "../rows-elsewhere.ts";
import { examineFolder } from "./examine-folder.ts";
import { examineService } from "./examine-service.ts";
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
  const { data, environment } = configuration;
  const { problems, warnings } = await checkConfiguration({ flags });
  const major = Number(process.versions.node.split(".")[0]);
  const [token, version] = [environment.PARLEY_TOKEN, hostVersion()];
  return [
    major < LEAST_NODE
      ? problem("node", `this is Node ${process.versions.node}`, `use Node ${LEAST_NODE} or newer`)
      : ok("node", process.versions.node),
    ...problems.map((said) => problem("configuration", said, "parley check says when it is repaired")),
    ...warnings.map((said) => warning("configuration", said, "parley check says when it is repaired")),
    ...(problems.length + warnings.length === 0 ? [ok("configuration", "everything fits together")] : []),
    ...(await examineFolder(data, Date.now(), keeperElsewhere(configuration))),
    ...(await examineService({ data, version, token })),
  ];
}
