import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkStart, type StartRules, toProcessArgs } from "./command-rules.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-rules-"));
const dataFolder = mkdtempSync(join(tmpdir(), "mcp-rules-data-"));
const script = join(folder, "server.js");
const uploaded = join(dataFolder, "uploaded.js");
const link = join(folder, "link.js");
for (const file of [script, uploaded]) writeFileSync(file, "");
symlinkSync(uploaded, link);
afterAll(() => {
  for (const one of [folder, dataFolder]) rmSync(one, { recursive: true });
});

const line = (...words: readonly string[]) => ({ name: "one", words });
const rules: StartRules = {
  dataFolder,
  allowed_commands: ["npx", "uvx", "/opt/bin/npx"],
  command_lines: [
    line("node", script, "--port", "1"),
    line("python3", "-m", "weather"),
    line("npx", "server@latest"),
    line("node", uploaded),
    line("node", link),
  ],
};
const start = (command: string, args: readonly string[] = [], env = {}, env_names: readonly string[] = []) =>
  checkStart({ command, args, env, env_names }, rules);

describe("a command line of an MCP server", () => {
  it.each<[string, readonly string[]]>([
    ["npx", ["@modelcontextprotocol/server-everything@2026.8.31", "stdio"]],
    ["npx", ["-y", "some-server@1.2.3-beta.1", "-e", "mine"]],
    ["npx", ["some-server@1.2.3+build.5"]],
    ["/opt/bin/npx", ["some-server@1.2.3"]],
    ["uvx", ["mcp-server-time==2025.1.0"]],
    ["uvx", ["mcp_server.time@1.2.3rc1"]],
    ["node", [script, "--port", "1"]],
    ["python3", ["-m", "weather"]],
    ["npx", ["server@latest"]],
  ])("is accepted: %s %j", (command, args) => {
    expect(() => start(command, args)).not.toThrow();
  });

  it.each<[string, readonly string[]]>([
    ["node", [script]],
    ["node", [script, "--port", "2"]],
    ["node", [script, "--port", "1", "more"]],
    ["./node", [script, "--port", "1"]],
    ["node", ["-e", "1"]],
    ["node", ["/usr/lib/node_modules/npm/bin/npm-cli.js", "exec", "-c", "true"]],
    ["node", [uploaded]],
    ["node", [link]],
    ["python3", ["/usr/lib/python3/timeit.py", "-n1", "-r1", "import os"]],
    ["/bin/sh", ["-c", "true"]],
    ["bunx", ["server@1.2.3"]],
    ["/tmp/npx", ["server@1.2.3"]],
    ["npx", ["server"]],
    ["npx", ["server@1"]],
    ["npx", ["server@1.2"]],
    ["npx", ["server@1.x"]],
    ["npx", ["server@1.2.x"]],
    ["npx", ["server@^1.0.0"]],
    ["npx", ["server@>=1.0.0"]],
    ["npx", ["server@next"]],
    ["npx", ["-c", "true"]],
    ["npx", ["--call=true", "server@1.2.3"]],
    ["npx", ["-y", "--registry=https://evil.example", "server@1.2.3"]],
    ["npx", ["-p", "other@1.0.0", "server@1.0.0"]],
    ["npx", ["alias@npm:other@1.0.0"]],
    ["npx", ["github:some/repo#1.0.0"]],
    ["npx", ["some/repo@1.0.0"]],
    ["npx", ["https://example.org/x.tgz"]],
    ["npx", ["./local@1.0.0"]],
    ["npx", []],
    ["uvx", ["server@latest"]],
    ["uvx", ["server==1.*"]],
    ["uvx", ["server>=1.2.3"]],
    ["uvx", ["--from", "git+https://example.org/x", "server==1.2.3"]],
    ["uvx", ["--index-url=https://evil.example", "server==1.2.3"]],
    ["uvx", ["server[extra]==1.2.3"]],
  ])("is rejected: %s %j", (command, args) => {
    expect(() => start(command, args)).toThrow(expect.objectContaining({ code: "permission_denied" }));
  });

  it.each([
    "NODE_OPTIONS",
    "NODE_EXTRA_CA_CERTS",
    "LD_PRELOAD",
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "UV_INDEX_URL",
    "PIP_INDEX_URL",
    "HTTPS_PROXY",
    "SVC_SECRET_KEY",
    "SVC_WEBHOOK_KEY",
    "npm_config_registry",
    "NPM_CONFIG_REGISTRY",
    "PYTHONPATH",
    "BASH_ENV",
    "GIT_SSH",
    "a b",
  ])("cannot set the variable %s", (name) => {
    const rejected = expect.objectContaining({ code: "bad_request" });
    expect(() => start("npx", ["a@1.2.3"], { [name]: "1" })).toThrow(rejected);
    expect(() => start("npx", ["a@1.2.3"], {}, [name])).toThrow(rejected);
    expect(() => start("node", [script, "--port", "1"], { [name]: "1" })).toThrow(rejected);
  });

  it("cannot contain a secret as a value, or line breaks", () => {
    const rejected = expect.objectContaining({ code: "bad_request" });
    expect(() => start("npx", ["a@1.2.3"], { GITHUB_TOKEN: "x" })).toThrow(rejected);
    expect(() => start("npx", ["a@1.2.3", "a\nb"])).toThrow(rejected);
    expect(() => start("npx", ["a@1.2.3"], { MODE: "fast" }, ["GITHUB_TOKEN"])).not.toThrow();
  });

  it("uses a non-interactive runner, or the operator's command line unchanged", () => {
    const args = (given: readonly string[]) =>
      toProcessArgs({ command: "npx", args: given, env: {}, env_names: [] }, rules);
    expect(args(["a@1.0.0", "-y"])).toEqual(["--yes", "a@1.0.0", "-y"]);
    expect(args(["-y", "a@1.0.0"])).toEqual(["--yes", "a@1.0.0"]);
    expect(args(["server@latest"])).toEqual(["server@latest"]);
  });
});
