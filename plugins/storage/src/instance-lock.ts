import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "@parley/core";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/** Takes the folder for this process, or says which process has it. Returns the release. */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "parley.lock");
  const mine = `${process.pid} ${bootId()} ${startOf(process.pid)}`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(file, mine, { flag: "wx", mode: 0o600 });
      return () => {
        if (existsSync(file) && readFileSync(file, "utf8") === mine) rmSync(file);
      };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new AppError("unavailable", `the data folder ${folder} cannot be written`, { cause });
      }
    }
    const [pid = "", boot, start] = readFileSync(file, "utf8").split(" ");
    const isHeld = boot === bootId() && isAlive(Number(pid)) && startOf(Number(pid)) === start;
    if (isHeld) {
      throw new AppError(
        "conflict",
        `another Parley (process ${pid}) uses ${folder}: stop it or choose another --data-dir`,
      );
    }
    // Left by a process that was killed.
    rmSync(file);
  }
  throw new AppError("conflict", `another Parley is starting in ${folder}`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function bootId(): string {
  return existsSync(BOOT_ID) ? readFileSync(BOOT_ID, "utf8").trim() : "boot";
}

// A number that is used again by another process begins at another time.
function startOf(pid: number): string {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return "0";
  return readFileSync(file, "utf8").split(") ")[1]?.split(" ")[19] ?? "0";
}
