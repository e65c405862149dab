import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DefinedPlugin } from "@parley/core";
import { type Host, startHost } from "@parley/host";
import { answerProblem } from "@parley/testing";
import dice from "../../examples/plugin-dice/src/index.ts";
import { prepareFiles } from "./chosen-files.ts";
import { prepareStorage } from "./chosen-storage.ts";
import { type Client, createClient } from "./http/client.ts";

/**
 * The service in this process: the real host, every first-party plugin, its own folder and a free port. Disposal throws when an answer
 * deviated from its declaration.
 */
export interface Parley extends AsyncDisposable {
  readonly host: Host;
  readonly address: string;
  /** The operator's folder. */
  readonly root: string;
  readonly credentials: { readonly username: string; readonly password: string };
  signIn(): Promise<Client>;
}

export interface ParleyOptions {
  /** Plugins besides the first-party ones and the dice example. */
  readonly plugins?: readonly DefinedPlugin[];
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Minimum log level. Default: `error`. */
  readonly logLevel?: "error" | "warn";
  /** True to apply the rate limits. Default: off, since tests send more than people do. */
  readonly isLimited?: boolean;
  /** Maximum wait of a request during a reload; longer than in production. */
  readonly waitWithinMs?: number;
  /** Languages besides English and Chinese: the content of their files, by language code. */
  readonly languages?: Readonly<Record<string, object>>;
  /** Service folder to continue with; it is not removed at the end. */
  readonly root?: string;
  /** Folder of the PostgreSQL server for its rows. Default: that of the test run, if any. */
  readonly server?: string | undefined;
}

export async function startParley({
  plugins = [],
  config = "",
  env = {},
  logLevel = "error",
  isLimited = false,
  waitWithinMs,
  languages = {},
  root: given,
  server,
}: ParleyOptions = {}): Promise<Parley> {
  const root = given ?? mkdtempSync(join(tmpdir(), "parley-test-"));
  const storage = await prepareStorage(root, server);
  const files = await prepareFiles(root);
  const limits = isLimited ? "" : "[plugin.gateway]\nlimit_user_per_minute = 0\nlimit_conversation_per_minute = 0\n";
  writeFileSync(
    join(root, "config.ini"),
    `[log]\nlevel = ${logLevel}\nfile = off\n${limits}${storage.config}${files.config}${config}`,
  );
  if (Object.keys(languages).length > 0) mkdirSync(join(root, "languages"), { recursive: true });
  for (const [code, language] of Object.entries(languages))
    writeFileSync(join(root, "languages", `${code}.json`), JSON.stringify(language));
  const credentials = { username: "admin", password: "correct horse" };
  const wrong: string[] = [];
  const host = await startHost({
    root,
    onAnswer(row, answer) {
      const problem = answerProblem(row, answer);
      if (problem) wrong.push(problem);
    },
    ...(waitWithinMs !== undefined && { waitWithinMs }),
    flags: { port: 0 },
    env: { SVC_ADMIN_PASSWORD: credentials.password, ...storage.env, ...files.env, ...env },
    // Evaluated again at each reload.
    get plugins() {
      return [dice, ...plugins];
    },
  });
  return {
    host,
    root,
    credentials,
    address: host.address,
    async signIn() {
      const open = createClient(host.address, "");
      const { token } = await open.post<{ token: string }>("/api/login", credentials);
      return open.as(token);
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      if (given === undefined) rmSync(root, { recursive: true, force: true });
      if (wrong.length > 0) throw new Error(`answers that are not what their rows declare:\n${wrong.join("\n")}`);
    },
  };
}
