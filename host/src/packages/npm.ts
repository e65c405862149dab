import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { AppError } from "@parley/core";
import { toErrorMessage } from "../config/configuration.ts";

/** Runs npm in a folder and saves to its package.json. Returns its output as `text`, unless it is passed through. */
export async function runNpm(
  folder: string,
  [command = "", ...args]: readonly string[],
  output: "inherit" | "pipe",
): Promise<{ readonly code: number | null; readonly text: string }> {
  const own = process.env.npm_execpath ?? "";
  // When npm started this process, the variable names its program; on Windows the command cannot be started without a shell.
  const [program, ...before] = /npm-cli\.c?js$/.test(own) ? [process.execPath, own] : ["npm"];
  const all = [...before, command, "--save", "--no-audit", "--no-fund", ...args];
  const child = spawn(program ?? "npm", all, { cwd: folder, stdio: ["ignore", output, output] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (some: Buffer) => chunks.push(some));
  const [code] = await once(child, "close").catch((cause) => {
    throw new AppError("unavailable", `npm cannot be started: ${toErrorMessage(cause)}`, { cause });
  });
  return { code: code as number | null, text: Buffer.concat(chunks).toString() };
}

export function readDependencies(manifest: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(manifest, "utf8")).dependencies ?? {};
}
