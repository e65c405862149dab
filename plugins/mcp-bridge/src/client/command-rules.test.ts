import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { argumentsOf, checkStart } from "./command-rules.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-rules-"));
const script = join(folder, "server.js");
writeFileSync(script, "");
symlinkSync(process.execPath, join(folder, "node"));
afterAll(() => rmSync(folder, { recursive: true }));

const allowed = ["node", "npx", "uvx", "python3", "bash"];
const start = (command: string, args: readonly string[] = [], env = {}, env_names: readonly string[] = []) =>
  checkStart({ command, args, env, env_names }, allowed);

describe("what may be started", () => {
  it.each<[string, readonly string[]]>([
    ["node", [script, "--port", "1"]],
    ["node", ["--no-warnings", script, "-e", "mine"]],
    ["npx", ["@modelcontextprotocol/server-everything@2026.8.31", "stdio"]],
    ["npx", ["-y", "some-server@1.2.3-beta.1"]],
    ["uvx", ["mcp-server-time==2025.1.0"]],
    ["python3", ["-u", script]],
  ])("%s %j", (command, args) => {
    expect(() => start(command, args)).not.toThrow();
  });

  it.each<[string, readonly string[]]>([
    ["./node", [script]],
    ["node ", [script]],
    [join(folder, "node"), [script]],
    ["/bin/sh", ["-c", "true"]],
    ["bash", ["-c", "true"]],
    ["node", []],
    ["node", ["-e", "1"]],
    ["node", ["-pe", "1"]],
    ["node", ["--eval=1"]],
    ["node", ["--require=./x.js", script]],
    ["node", ["--import", "data:text/javascript,1", script]],
    ["node", ["--env-file=/etc/passwd", script]],
    ["node", ["--inspect", script]],
    ["node", ["-"]],
    ["node", ["server.js"]],
    ["node", ["/no/such/file.js"]],
    ["node", [folder]],
    ["python3", ["-c", "1"]],
    ["python3", ["-m", "http.server"]],
    ["npx", ["server"]],
    ["npx", ["server@latest"]],
    ["npx", ["server@^1.0.0"]],
    ["npx", ["-c", "true"]],
    ["npx", ["-p", "other@1.0.0", "server@1.0.0"]],
    ["npx", ["github:some/repo"]],
    ["npx", ["https://example.org/x.tgz"]],
    ["npx", ["./local@1.0.0"]],
    ["npx", []],
  ])("is not %s %j", (command, args) => {
    expect(() => start(command, args)).toThrow(expect.objectContaining({ code: "permission_denied" }));
  });

  it.each([
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "PATH",
    "SVC_SECRET_KEY",
    "npm_config_registry",
    "BASH_ENV",
    "GIT_SSH",
    "a b",
  ])("gets no variable %s", (name) => {
    const refused = expect.objectContaining({ code: "bad_request" });
    expect(() => start("node", [script], { [name]: "1" })).toThrow(refused);
    expect(() => start("node", [script], {}, [name])).toThrow(refused);
  });

  it("gets no secret as a value, and no line breaks", () => {
    const refused = expect.objectContaining({ code: "bad_request" });
    expect(() => start("node", [script], { GITHUB_TOKEN: "x" })).toThrow(refused);
    expect(() => start("node", [script, "a\nb"])).toThrow(refused);
    expect(() => start("node", [script], { MODE: "fast" }, ["GITHUB_TOKEN"])).not.toThrow();
  });

  it("is a runner that does not ask", () => {
    const args = (given: readonly string[]) => argumentsOf({ command: "npx", args: given, env: {}, env_names: [] });
    expect(args(["a@1.0.0"])).toEqual(["--yes", "a@1.0.0"]);
    expect(args(["-y", "a@1.0.0"])).toEqual(["-y", "a@1.0.0"]);
  });
});
