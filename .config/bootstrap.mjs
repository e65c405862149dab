// Runs `npm start`, `npm test` and what else package.json names on a machine that has only Node ≥ 20 and npm.
// What is missing (Node 24, pnpm 12, libraries, the built console) is fetched or built once and kept.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { whenStarterIsGone } from "../host/server/bin/when-starter-is-gone.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const toolchain = join(root, ".parley", "toolchain");
const consoleFolder = join(root, "adapters", "web", "console");
const packagesStamp = join(root, ".artefacts", "packages", ".stamp");
const NODE_MAJOR = 24;
const PNPM_MAJOR = 12;
const COMMANDS = ["start", "demo", "picture", "build", "test", "test:long", "test:all", "attack"];
// With this code the service asks for another start (host/src/process/restart-process.ts).
const AGAIN = 75;

const [command = "start", ...args] = process.argv.slice(2);
if (!COMMANDS.includes(command)) {
  say(`there is no '${command}'; it is one of ${COMMANDS.join(", ")}`);
  process.exit(2);
}
let env = process.env;
const { node, path } = bringToolchain();
env = { ...process.env, PATH: path, NODE_COMPILE_CACHE: join(root, ".parley", "compile-cache") };
installLibraries();
buildConsole();
if (command === "start") startProgram("host/src/main.ts");
else if (command === "demo" || command === "picture") startProgram(`tests/${command}.ts`);
else await runSteps(stepsOf(command));

function bringToolchain() {
  const own = process.env.PATH ?? "";
  if (major(process.versions.node) >= NODE_MAJOR && major(versionOf("pnpm", own)) >= PNPM_MAJOR) {
    return { node: process.execPath, path: own };
  }
  const bin = join(toolchain, "node_modules", ".bin");
  const marker = join(toolchain, "complete");
  if (!existsSync(marker)) {
    say(`fetching Node ${NODE_MAJOR} and pnpm ${PNPM_MAJOR} from npm into .parley/toolchain (once)`);
    mkdirSync(toolchain, { recursive: true });
    writeFileSync(join(toolchain, "package.json"), '{ "private": true }\n');
    const packages = [`node@${NODE_MAJOR}`, `pnpm@${PNPM_MAJOR}`];
    run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts=false", ...packages], {
      cwd: toolchain,
    });
    writeFileSync(marker, "");
  }
  return { node: join(bin, "node"), path: `${bin}${delimiter}${own}` };
}

function installLibraries() {
  const stamp = join(root, "node_modules", ".parley-installed");
  const wanted = hash(readFileSync(join(root, "pnpm-lock.yaml")));
  if (isStamped(stamp, wanted)) return;
  say("installing the libraries named in pnpm-lock.yaml (once per version)");
  run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only", "--silent"]);
  writeFileSync(stamp, wanted);
}

function buildConsole() {
  const stamp = join(root, "node_modules", ".parley-console");
  const page = join(root, "adapters", "web", "dist", "console", "index.html");
  const wanted = hash(fingerprint(consoleFolder) + hash(readFileSync(join(root, "pnpm-lock.yaml"))));
  if (isStamped(stamp, wanted) && existsSync(page)) return;
  say("building the web console (once per version)");
  const vite = join(root, "adapters/web/node_modules/vite/bin/vite.js");
  // Whoever starts this may be a test: what people get is built.
  run(node, [vite, "build", "--logLevel", "warn", consoleFolder], { env: { ...env, NODE_ENV: "production" } });
  writeFileSync(stamp, wanted);
}

function startProgram(file) {
  // The same as the first line of the published command (host/server/bin/parley.js).
  const flags = ["--max-semi-space-size=8", "--conditions=@parley/source"];
  // Through the fourth the service learns that this process is gone, also when it was killed.
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const variables = { MALLOC_ARENA_MAX: "2", ...env, PARLEY_STARTER: String(process.pid) };
  let child;
  const begin = () => {
    child = spawn(node, [...flags, join(root, file), ...args], { stdio, env: variables });
    child.on("exit", (code, signal) =>
      code === AGAIN ? begin() : process.exit(code ?? (signal === "SIGKILL" ? 137 : 1)),
    );
  };
  begin();
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) whenStarterIsGone(() => child.kill("SIGTERM"));
}

function stepsOf(which) {
  const bin = (name) => join(root, "node_modules", ".bin", name);
  const tests = (config, ...more) => [bin("vitest"), ["run", "--config", `.config/${config}.config.ts`, ...more]];
  const floods = ["floods", ...tests("floods")];
  if (which === "build") return { steps: [packing(args)] };
  if (which === "attack") return { steps: [["attacks", ...tests("vitest", "tests/attack", ...args)]], alone: [floods] };
  // Services that are killed again and again start sooner from what was built.
  if (which === "test:long") env = { ...env, PARLEY_TESTS: "long", PARLEY_BUILT: "1" };
  // A file that is named is run, also a long one.
  if (which === "test" && args.length === 0) env = { ...env, PARLEY_TESTS: "short" };
  const beside = [
    ["types", bin("tsc"), ["-p", ".config/tsconfig.check.json"]],
    ["types of the console", bin("tsc"), ["-p", "adapters/web/console"]],
    ["lint", bin("biome"), ["check", "--error-on-warnings", "."]],
    ["unused code and dependencies", bin("knip"), ["--config", ".config/knip.json"]],
    ["the contract's report", node, [".config/api-report.mjs", "--check"]],
    ["core's reference", node, [".config/reference.mjs", "--check"]],
    ["the client's types", node, [".config/client-types.mjs", "--check"]],
  ];
  // Some tests are of what was built.
  const steps = [...buildOfPackages(), ["tests", ...tests("vitest", ...args)]];
  if (which === "test:long") return { steps };
  if (which === "test") return { beside, steps };
  // The long forms of tests that have one.
  env = { ...env, PARLEY_LONG: "1" };
  return { beside, steps, alone: [["flows on PostgreSQL", ...tests("postgres")], floods] };
}

// Packages are packed again only where something has changed since that goes into them.
function buildOfPackages() {
  const isDone = isStamped(packagesStamp, packagesWanted()) && existsSync(join(root, "core", "dist", "index.js"));
  return isDone ? [] : [packing([])];
}

function packing(more) {
  const wanted = packagesWanted();
  const done = () => more.length === 0 && writeFileSync(packagesStamp, wanted);
  return ["packages", node, [".config/build.mjs", ...more], done];
}

function packagesWanted() {
  const parts = [".config", "adapters", "core", "host", "plugins", "tests/simulators", "tests/testing"];
  const files = ["config.ini", "package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "LICENSE"];
  return hash(`${parts.map((part) => fingerprint(join(root, part)))}${files.map((file) => stateOf(join(root, file)))}`);
}

// What only reads sources is done beside what runs them, what measures afterwards; the first failure ends all.
async function runSteps({ beside = [], steps, alone = [] }) {
  const running = new Set();
  const inTurn = async (all, isQuiet) => {
    for (const [name, file, fileArgs, done] of all) {
      const begun = performance.now();
      const child = spawn(file, fileArgs, { cwd: root, env, stdio: isQuiet ? ["ignore", "pipe", "pipe"] : "inherit" });
      running.add(child);
      const said = [];
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", (some) => said.push(some));
      const [code, signal] = await once(child, "close");
      running.delete(child);
      process.stderr.write(Buffer.concat(said));
      if (code !== 0) {
        say(`${name}: ${signal ? `was ended by ${signal}` : `ended with code ${code}`}`);
        for (const other of running) other.kill();
        process.exit(code || 1);
      }
      done?.();
      say(`${name}: passed in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    }
  };
  await Promise.all([inTurn(beside, true), inTurn(steps, false)]);
  await inTurn(alone, false);
}

function run(file, fileArgs, options = {}) {
  const { status, error, signal } = spawnSync(file, fileArgs, { cwd: root, env, stdio: "inherit", ...options });
  if (status === 0) return;
  const why = error?.message ?? (signal ? `was ended by ${signal}` : `ended with code ${status}`);
  say(`${[file.split("/").pop(), ...fileArgs].join(" ")}: ${why}`);
  process.exit(status || 1);
}

// Names, sizes and times of all source files: cheaper than reading them, and a touched file only costs a build.
function fingerprint(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "dist")
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const file = join(folder, entry.name);
      return entry.isDirectory() ? fingerprint(file) : stateOf(file);
    })
    .join("\n");
}

function stateOf(file) {
  const { size, mtimeMs } = statSync(file);
  return `${file}:${size}:${mtimeMs}`;
}

function isStamped(stamp, wanted) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
}

function hash(content) {
  return createHash("sha256").update(content).digest("hex");
}

function versionOf(program, path) {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8", env: { ...process.env, PATH: path } });
  return stdout?.trim() ?? "";
}

function major(version) {
  return Number.parseInt(version, 10) || 0;
}

function say(line) {
  process.stderr.write(`parley: ${line}\n`);
}
