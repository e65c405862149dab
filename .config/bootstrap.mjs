// Runs `npm start`, `npm test` and what else package.json names on a machine that has only Node ≥ 20 and npm.
// What is missing (Node 24, pnpm 12, libraries, the built console) is fetched or built once and kept.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { whenStarterIsGone } from "../host/server/bin/when-starter-is-gone.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const toolchain = join(root, ".parley", "toolchain");
// What browsers load, and a file of each build.
const PAGES = [
  { name: "console", folder: "adapters/web/console", built: "adapters/web/dist/console/index.html" },
  { name: "widget", folder: "adapters/widget/client", built: "adapters/widget/dist/client/widget.js" },
];
const packagesStamp = join(root, ".artefacts", "packages", ".stamp");
const NODE_MAJOR = 24;
const PNPM_MAJOR = 12;
const COMMANDS = ["start", "demo", "picture", "build", "test", "test:long", "test:all", "attack"];
// With this code the service asks for another start (host/cli/src/process/restart-process.ts).
const AGAIN = 75;

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"];
// Programs that this one runs: they get its signals, and nothing of them is left when it ends.
const running = new Set();
let ending;
for (const signal of SIGNALS) process.on(signal, () => end(signal));
// From the first moment on: what is gone when the service starts would not be missed.
if (process.env.npm_lifecycle_event) whenStarterIsGone(() => ending ?? end("SIGTERM"));

const [command = "start", ...args] = process.argv.slice(2);
if (!COMMANDS.includes(command)) {
  say(`there is no '${command}'; it is one of ${COMMANDS.join(", ")}`);
  process.exit(2);
}
let env = process.env;
const { node, path } = await bringToolchain();
env = { ...process.env, PATH: path, NODE_COMPILE_CACHE: join(root, ".parley", "compile-cache") };
await installLibraries();
for (const page of PAGES) await buildPage(page);
if (command === "start") await startProgram("host/cli/src/main.ts");
else if (command === "demo" || command === "picture") await startProgram(`tests/${command}.ts`);
else await runSteps(stepsOf(command));

async function bringToolchain() {
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
    await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts=false", ...packages], {
      cwd: toolchain,
    });
    writeFileSync(marker, "");
  }
  return { node: join(bin, "node"), path: `${bin}${delimiter}${own}` };
}

async function installLibraries() {
  const stamp = join(root, "node_modules", ".parley-installed");
  const wanted = hash(readFileSync(join(root, "pnpm-lock.yaml")));
  if (isStamped(stamp, wanted)) return;
  say("installing the libraries named in pnpm-lock.yaml (once per version)");
  await run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only", "--silent"]);
  writeFileSync(stamp, wanted);
}

async function buildPage({ name, folder, built }) {
  const stamp = join(root, "node_modules", `.parley-${name}`);
  const wanted = hash(fingerprint(join(root, folder)) + hash(readFileSync(join(root, "pnpm-lock.yaml"))));
  if (isStamped(stamp, wanted) && existsSync(join(root, built))) return;
  say(`building the web ${name} (once per version)`);
  const vite = join(root, dirname(folder), "node_modules/vite/bin/vite.js");
  // Whoever starts this may be a test: what people get is built.
  await run(node, [vite, "build", "--logLevel", "warn", join(root, folder)], {
    env: { ...env, NODE_ENV: "production" },
  });
  writeFileSync(stamp, wanted);
}

async function startProgram(file) {
  // The same as the first line of the published command (host/server/bin/parley.js).
  const flags = ["--max-semi-space-size=8", "--conditions=@parley/source"];
  // Through the fourth the service learns that this process is gone, also when it was killed.
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const variables = { MALLOC_ARENA_MAX: "2", ...env, PARLEY_STARTER: String(process.pid) };
  for (;;) {
    const { code, signal } = await launch(node, [...flags, join(root, file), ...args], { stdio, env: variables }).ended;
    // Who ends it while it stops for a restart wants no other start.
    if (code === AGAIN && ending) process.exit(0);
    if (code !== AGAIN) endAs(code, signal);
  }
}

// A signal to this program goes on to those that it runs; without any it ends this one.
function end(signal) {
  ending ??= signal;
  if (running.size === 0) endAs(null, signal);
  for (const child of running) child.kill(signal);
}

// As the program that it stands for has ended, so that who started it sees the same.
function endAs(code, signal) {
  if (!signal) process.exit(code);
  if (!SIGNALS.includes(signal)) process.exit(128 + constants.signals[signal]);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}

function launch(file, fileArgs, options) {
  const child = spawn(file, fileArgs, { cwd: root, env, stdio: "inherit", ...options });
  running.add(child);
  const ended = new Promise((resolve) => {
    child.once("error", ({ message }) => resolve({ code: 1, why: message }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  return { child, ended: ended.finally(() => running.delete(child)) };
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
    ...PAGES.map(({ name, folder }) => [`types of the ${name}`, bin("tsc"), ["-p", folder]]),
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
  const inTurn = async (all, isQuiet) => {
    for (const [name, file, fileArgs, done] of all) {
      const begun = performance.now();
      const { child, ended } = launch(file, fileArgs, isQuiet ? { stdio: ["ignore", "pipe", "pipe"] } : {});
      const output = [];
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", (some) => output.push(some));
      const outcome = await ended;
      process.stderr.write(Buffer.concat(output));
      if (outcome.code !== 0 || ending) fail(name, outcome);
      done?.();
      say(`${name}: passed in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    }
  };
  await Promise.all([inTurn(beside, true), inTurn(steps, false)]);
  await inTurn(alone, false);
}

async function run(file, fileArgs, options = {}) {
  const outcome = await launch(file, fileArgs, options).ended;
  if (outcome.code !== 0 || ending) fail([file.split("/").pop(), ...fileArgs].join(" "), outcome);
}

function fail(name, { code, signal, why }) {
  say(`${name}: ${why ?? (signal ? `was ended by ${signal}` : `ended with code ${code}`)}`);
  for (const other of running) other.kill();
  endAs(code, ending ?? signal);
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
