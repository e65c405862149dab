import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { prepareStorage } from "../harness/chosen-storage.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { findStablePort } from "../harness/http/free-port.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import type { TorturedPlatform } from "./platforms.ts";

const PASSWORD = "correct horse";
/** Time until the service must have died, since a fail point that is never reached tests nothing. */
const DEATH_TIMEOUT_MS = 60_000;

/** The service, which is killed and restarted in the same folder and at the same address. */
export interface KillableService extends AsyncDisposable {
  readonly root: string;
  readonly address: string;
  /** File with one line for every run of the tool. */
  readonly notes: string;
  start(): Promise<void>;
  signIn(): Promise<Client>;
  /** Makes the service die at `<place>@<n>`. */
  setFailPoint(place: string): void;
  /** Resolves when the service died; throws when it continues, or ends otherwise. */
  waitForDeath(): Promise<void>;
  /** Leaves the folder of the service in place. */
  keepFolder(): void;
}

export async function createKillableService(platforms: readonly TorturedPlatform[]): Promise<KillableService> {
  const root = mkdtempSync(join(tmpdir(), "parley-torture-"));
  const failPoint = join(root, "failpoint");
  const notes = join(root, "notes");
  const port = await findStablePort();
  const address = `http://127.0.0.1:${port}`;
  const storage = await prepareStorage(root);
  const env = {
    ...storage.env,
    SVC_ADMIN_PASSWORD: PASSWORD,
    SVC_TEST: "1",
    SVC_FAILPOINT: `file:${failPoint}`,
    ...Object.assign({}, ...platforms.map((one) => one.env)),
  };
  writeFileSync(join(root, "config.ini"), `${storage.config}${createConfig(platforms, notes)}`);
  for (const one of platforms) one.prepare?.(root);
  writeFileSync(notes, "");
  let service: ParleyProcess | undefined;
  let isAccepted = false;
  return {
    root,
    address,
    notes,
    async start() {
      service = await startProcess({ root, env, args: ["--port", String(port)] });
    },
    async signIn() {
      const open = createClient(address, "");
      const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
      return open.as(token);
    },
    setFailPoint: (place) => writeFileSync(failPoint, place),
    async waitForDeath() {
      const end = await Promise.race([service?.ended, wait(DEATH_TIMEOUT_MS, "nothing", { ref: false })]);
      writeFileSync(failPoint, "");
      if (end !== "SIGKILL") throw new Error(`it should have died and did not: ${end}\n${service?.output()}`);
    },
    keepFolder() {
      isAccepted = true;
    },
    async [Symbol.asyncDispose]() {
      service?.child.kill("SIGKILL");
      await service?.ended;
      if (!isAccepted) rmSync(root, { recursive: true, force: true });
    },
  };
}

function createConfig(platforms: readonly TorturedPlatform[], notes: string): string {
  const plugins = { note: join(import.meta.dirname, "noting-tool.ts") };
  const all = Object.entries<string>(Object.assign(plugins, ...platforms.map((one) => one.plugins)));
  return `
[plugins]
${all.map(([id, path]) => `${id} = ${path}`).join("\n")}
[plugin.note]
file = ${notes}
${platforms.map(({ configuration = "" }) => configuration).join("")}[plugin.gateway]
slow_reply =
limit_user_per_minute = 0
limit_conversation_per_minute = 0
[log]
level = error
file = off
`;
}
