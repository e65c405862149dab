import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fileFailure } from "../said-failures.ts";

const LIMIT_MS = 120_000;
const MEBIBYTE = 1024 * 1024;
const LIMITS = [`--as=${3_072 * MEBIBYTE}`, "--cpu=120", `--fsize=${512 * MEBIBYTE}`, "--core=0"];

/** Converts `name` in the folder `work` to `out/*.pdf` in it. */
export type RunSoffice = (work: string, name: string) => Promise<void>;

export interface SofficeParts {
  /** A path of the operator's; "": looked for where programs are. */
  readonly command: string;
  /** True: it may run where the system cannot take the network from it. */
  readonly mayHaveNetwork: boolean;
  /** The folders where programs are, as in `PATH`. */
  readonly path: string;
  readonly limitMs?: number;
}

/** LibreOffice in a process of its own: no network, limits of memory and time, a profile and an environment of its own. */
export function createSoffice({ command, mayHaveNetwork, path, limitMs = LIMIT_MS }: SofficeParts): RunSoffice {
  const programs = path.split(delimiter);
  const found = (...names: readonly string[]) =>
    names.flatMap((name) => programs.map((folder) => join(folder, name))).find(isRunnable);
  let wrapper: Promise<readonly string[]> | undefined;
  const wrapping = async (): Promise<readonly string[]> => {
    const prlimit = found("prlimit");
    const unshare = found("unshare");
    const limits = prlimit ? [prlimit, ...LIMITS] : [];
    const forms = unshare
      ? [
          [unshare, "--net"],
          [unshare, "--map-root-user", "--net"],
        ]
      : [];
    for (const form of forms) {
      if ((await exitOf([...form, "true"], { path, limitMs: 5_000 })).code === 0) return [...limits, ...form];
    }
    if (mayHaveNetwork) return limits;
    throw fileFailure("unavailable", "converter_online");
  };
  return async (work, name) => {
    const soffice = command === "" ? found("soffice", "libreoffice") : isRunnable(command) ? command : undefined;
    if (!soffice) throw fileFailure("unavailable", "no_converter");
    wrapper ??= wrapping();
    wrapper.catch(() => {
      wrapper = undefined;
    });
    const profile = pathToFileURL(join(work, "profile")).href;
    const { code, isLate } = await exitOf(
      [
        ...(await wrapper),
        soffice,
        `-env:UserInstallation=${profile}`,
        ...["--headless", "--norestore", "--nolockcheck", "--nodefault", "--convert-to", "pdf"],
        ...["--outdir", join(work, "out"), join(work, name)],
      ],
      { path, limitMs, home: work },
    );
    if (isLate) throw fileFailure("timed_out", "converter_late", { seconds: limitMs / 1_000 });
    if (code !== 0) throw fileFailure("upstream_failed", "converter_failed");
  };
}

interface RunOptions {
  readonly path: string;
  readonly limitMs: number;
  readonly home?: string;
}

function exitOf([program = "", ...args]: readonly string[], { path, limitMs, home = "/" }: RunOptions) {
  return new Promise<{ readonly code: number | null; readonly isLate: boolean }>((resolve) => {
    let isLate = false;
    // A group of its own: what it starts ends with it.
    const child = spawn(program, args, {
      cwd: home,
      detached: true,
      stdio: "ignore",
      env: { PATH: path, HOME: home, TMPDIR: home, LANG: "C.UTF-8" },
    });
    const endAll = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch (error) {
        // All of it has ended.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      endAll();
    }, limitMs);
    const ended = (code: number | null) => {
      clearTimeout(timer);
      endAll();
      resolve({ code, isLate });
    };
    child.once("error", () => ended(null));
    child.once("exit", ended);
  });
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (["ENOENT", "EACCES", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
}
