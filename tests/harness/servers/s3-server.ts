import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { AwsV4Signer } from "aws4fetch";

const PYTHON = "/usr/bin/python3";
const INSTALLED = ["/usr/bin/swift-proxy-server", "/usr/bin/swift-object-server"];
const CREDENTIALS = { accessKey: "parley:tests", secretKey: "not-to-be-guessed" };

/** Environment variables with the key, for a service. */
export const S3_ENV = { PARLEY_S3_ACCESS_KEY: CREDENTIALS.accessKey, PARLEY_S3_SECRET_KEY: CREDENTIALS.secretKey };

/** An S3 server: OpenStack Swift with its S3 API, which verifies signatures and checksums. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  /** Creates a bucket and returns its name. */
  makeBucket(): Promise<string>;
  /** Sends a request as a client with the right key, signed. */
  ask(method: string, path: string, body?: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Ends the server at once, as a crash does. */
  interrupt(): Promise<void>;
  /** Restarts the server with its data, at the same address. */
  resume(): Promise<void>;
}

/** False where it is not installed: apt-get install swift-proxy swift-account swift-container swift-object. */
export const hasS3Server = INSTALLED.every((file) => existsSync(file));

export async function startS3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "parley-s3-"));
  let server: ChildProcess | undefined;
  let port = 0;
  const start = async () => {
    const given = JSON.stringify({ folder, port, ...CREDENTIALS });
    const script = join(import.meta.dirname, "s3-server.py");
    const child = spawn(PYTHON, ["-B", script, given], { stdio: ["ignore", "pipe", "pipe"] });
    const [lines, output] = [createInterface({ input: child.stdout }), text(child.stderr)];
    const first = once(lines, "line").then(([line]) => Number(line));
    const failed = once(child, "exit").then(async () =>
      Promise.reject(new Error(`the S3 server ended: ${await output}`)),
    );
    failed.catch(() => {});
    server = child;
    port = await Promise.race([first, failed]);
  };
  const interrupt = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  const endpoint = () => `http://127.0.0.1:${port}`;
  try {
    await start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    endpoint: endpoint(),
    ask: (...asked) => ask(endpoint(), ...asked),
    makeBucket: () => makeBucket(endpoint()),
    interrupt,
    resume: start,
    async [Symbol.asyncDispose]() {
      await interrupt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a bucket on the server and returns its name. */
export async function makeBucket(endpoint: string): Promise<string> {
  const name = `bucket-${crypto.randomUUID()}`;
  const answer = await ask(endpoint, "PUT", name);
  if (!answer.ok) throw new Error(`no bucket: ${answer.status} ${await answer.text()}`);
  return name;
}

async function ask(endpoint: string, ...[method, path, body, headers = {}]: Parameters<S3Server["ask"]>) {
  const { accessKey, secretKey: secretAccessKey } = CREDENTIALS;
  const who = { accessKeyId: accessKey, secretAccessKey, region: "us-east-1", service: "s3" };
  const signed = await new AwsV4Signer({ method, url: `${endpoint}/${path}`, headers, ...who }).sign();
  return fetch(signed.url, { method, headers: signed.headers, body: body ?? null });
}
