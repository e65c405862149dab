import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const MODULE = join(dirname(dirname(import.meta.dirname)), "host", "server", "bin", "when-starter-is-gone.js");
/** A script of package.json that prints its start and its notification. */
const SERVICE = `import(${JSON.stringify(MODULE)}).then(({ whenStarterIsGone }) => {
  setTimeout(() => {}, 60_000);
  whenStarterIsGone(() => { console.log("told"); process.exit(); });
  console.log("works");
})`;
/** Starts a script like npm: through a shell, which only notices that its child ended. */
const NPM = `require("node:child_process").spawn("sh", ["-c", '"$NODE" -e "$SERVICE"; exit $?'], { stdio: "inherit" })`;

test.runIf(process.platform === "linux").each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
  "a service started by npm ends when npm is killed by %s",
  { timeout: 20_000 },
  async (signal) => {
    const npm = spawn(process.execPath, ["-e", NPM], {
      env: { ...process.env, NODE: process.execPath, SERVICE },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    npm.stdout.on("data", (text) => {
      output += text;
      if (String(text).includes("works")) npm.kill(signal);
    });
    await once(npm.stdout, "close");
    expect(output).toBe("works\ntold\n");
  },
);

test.runIf(process.platform === "linux")("a service that begins after npm has gone ends at once", async () => {
  // The shell continues alone until its input is read, like a machine that is slow to start the service.
  const slow = `require("node:child_process").spawn("sh", ["-c", 'read go; "$NODE" -e "$SERVICE"; exit $?'], { stdio: "inherit" })`;
  const npm = spawn(process.execPath, ["-e", `${slow}.on("spawn", () => console.log("spawned"))`], {
    env: { ...process.env, NODE: process.execPath, SERVICE },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  npm.stdout.on("data", (text) => {
    output += text;
  });
  await once(npm.stdout, "data");
  npm.kill("SIGKILL");
  await once(npm, "exit");
  npm.stdin.end("go\n");
  await once(npm.stdout, "close");
  expect(output).toBe("spawned\ntold\n");
});
