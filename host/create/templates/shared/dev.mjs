// Builds at every change, and has a running Parley load it anew: PARLEY_URL says which (default http://127.0.0.1:5000),
// PARLEY_API_KEY is one of its keys with the scope "admin" (console → Access). Without a key it only builds.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const { PARLEY_URL = "http://127.0.0.1:5000", PARLEY_API_KEY = "" } = process.env;
const args = ["--no", "tsc", "-p", "tsconfig.build.json", "--watch", "--preserveWatchOutput"];
const tsc = spawn("npx", args, { stdio: ["ignore", "pipe", "inherit"], shell: process.platform === "win32" });
tsc.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => tsc.kill(signal));

for await (const line of createInterface({ input: tsc.stdout })) {
  process.stdout.write(`${line}\n`);
  if (PARLEY_API_KEY !== "" && /Found 0 errors/.test(line)) process.stdout.write(`${await reload()}\n`);
}

async function reload() {
  const headers = { authorization: `Bearer ${PARLEY_API_KEY}`, "content-type": "application/json" };
  try {
    const response = await fetch(`${PARLEY_URL}/api/system/reload-core`, { method: "POST", headers, body: "{}" });
    const { data, error } = await response.json();
    if (!response.ok) return `Parley does not reload: ${error}`;
    const failed = data.failed.map(({ name, error: reason }) => `${name}: ${reason}`);
    return failed.length === 0 ? "Parley runs it" : failed.join("\n");
  } catch (error) {
    return `Parley cannot be reached at ${PARLEY_URL}: ${error.cause?.message ?? error.message}`;
  }
}
