import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const PASSWORD = "correct horse";
const READY_TIMEOUT_MS = 60_000;
/** Time until the process must have died, since a fail point that is never reached tests nothing. */
const DEATH_TIMEOUT_MS = 60_000;

export interface ServiceOptions {
  /** Enabled plugins in config.ini: plugin id → a package or a file. */
  readonly plugins: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** Program and its first arguments. Absent: the installed service. */
  readonly command: readonly string[] | undefined;
}

/** Calls a route and returns its `data`. Throws the service's error. */
export type Ask = <Data>(method: "GET" | "POST", path: string, body?: object) => Promise<Data>;

/** The service as a separate process that is killed and restarted in the same folder and at the same address. */
export interface TorturedService extends AsyncDisposable {
  readonly address: string;
  /** Starts the service; resolves when it accepts requests. */
  start(): Promise<void>;
  /** Signs in as its administrator. */
  signIn(): Promise<Ask>;
  /** Makes the service die at a fail point when it is reached for the n-th time. */
  aim(place: string, nth: number): void;
  /** Kills the service now. */
  kill(): void;
  /** Resolves when the service was killed; throws when it continues, or ends otherwise. */
  died(): Promise<void>;
}

/** Creates a service and its folder without starting it. */
export async function createService({
  plugins,
  env,
  command = resolveInstalledCommand(),
}: ServiceOptions): Promise<TorturedService> {
  const root = mkdtempSync(join(tmpdir(), "parley-tortured-"));
  const failPoint = join(root, "failpoint");
  const port = await findStablePort();
  const address = `http://127.0.0.1:${port}`;
  writeFileSync(join(root, "config.ini"), createConfig(plugins));
  const [program = "", ...first] = command;
  const { NODE_COMPILE_CACHE: compiled } = process.env;
  const given = {
    PATH: process.env.PATH ?? "",
    HOME: root,
    // A killed process stores nothing in Node's compile cache; an existing cache makes its starts shorter.
    ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
    SVC_ADMIN_PASSWORD: PASSWORD,
    SVC_TEST: "1",
    SVC_FAILPOINT: `file:${failPoint}`,
    ...env,
  };
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let output = "";
  return {
    address,
    async start() {
      output = "";
      const started = spawn(program, [...first, "--port", String(port)], {
        cwd: root,
        env: given,
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      const isReady = Promise.withResolvers<void>();
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          if (/^ready /m.test(output)) isReady.resolve();
        });
      }
      ended = Promise.race([
        once(started, "exit").then(([code, signal]) => signal ?? code),
        once(started, "error").then(([error]) => error),
      ]);
      const late = wait(READY_TIMEOUT_MS, "is not ready in time", { ref: false });
      const instead = await Promise.race([isReady.promise, ended, late]);
      if (instead !== undefined) throw new Error(`${command.join(" ")} does not start: ${instead}\n${output}`);
    },
    async signIn() {
      const open = createAsk(address, undefined);
      const { token } = await open<{ token: string }>("POST", "/api/login", { username: "admin", password: PASSWORD });
      return createAsk(address, token);
    },
    aim: (place, nth) => writeFileSync(failPoint, `${place}@${nth}`),
    kill: () => void child?.kill("SIGKILL"),
    async died() {
      const end = await Promise.race([ended, wait(DEATH_TIMEOUT_MS, "nothing happens", { ref: false })]);
      writeFileSync(failPoint, "");
      if (end !== "SIGKILL") throw new Error(`it should have been killed, and was not: ${end}\n${output}`);
    },
    async [Symbol.asyncDispose]() {
      child?.kill("SIGKILL");
      await ended;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Command of `@parley/server` as installed for the tested package. */
function resolveInstalledCommand(): readonly string[] {
  const from = createRequire(resolve("package.json"));
  try {
    return [process.execPath, join(dirname(from.resolve("@parley/server/package.json")), "bin", "parley.js")];
  } catch (cause) {
    throw new Error("there is no service to kill: npm install --save-dev @parley/server", { cause });
  }
}

function createConfig(plugins: ServiceOptions["plugins"]): string {
  return `[plugins]
${Object.entries(plugins)
  .map(([id, path]) => `${id} = ${path}`)
  .join("\n")}
[plugin.gateway]
limit_user_per_minute = 0
limit_conversation_per_minute = 0
[log]
level = error
file = off
`;
}

function createAsk(address: string, token: string | undefined): Ask {
  return async (method, path, body) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text).data;
  };
}

/** Returns a port outside the range of outgoing connections, so that it is free at each restart. */
async function findStablePort(): Promise<number> {
  const server = createServer().listen(randomInt(10_000, 30_000), "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return findStablePort();
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
