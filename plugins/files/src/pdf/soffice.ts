import { spawn } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { AppError, type Sandbox } from "@parley/core";
import { filesTexts } from "../texts.ts";

const TIMEOUT_MS = 120_000;
const MEBIBYTE = 1024 * 1024;
const BYTE_LIMITS = { addressBytes: 3_072 * MEBIBYTE, memoryBytes: 2_048 * MEBIBYTE, fileBytes: 512 * MEBIBYTE };
const PRLIMIT_FLAGS = [`--as=${BYTE_LIMITS.addressBytes}`, "--cpu=120", `--fsize=${BYTE_LIMITS.fileBytes}`, "--core=0"];
/** Path of the conversion's folder inside the sandbox. */
const SANDBOX_FOLDER = "/work";

/** Converts the file `name` in the folder `work` to a PDF in its subfolder `out`. */
export type RunSoffice = (work: string, name: string) => Promise<void>;

export interface SofficeOptions {
  /** Path that the operator configured; when empty, the program is searched in `path`. */
  readonly command: string;
  /** True when the converter may run even if its network access cannot be blocked. */
  readonly canUseNetwork: boolean;
  /** Folders in which programs are searched, as in `PATH`. */
  readonly path: string;
  readonly limitMs?: number;
  readonly sandbox: () => Sandbox | undefined;
  /** Id of the user as whom the service runs. */
  readonly uid?: number | undefined;
}

/**
 * Creates the runner of LibreOffice, which runs in a separate process. In the sandbox it has access only to the folder
 * of its conversion; without a sandbox it runs without network, with limits of memory and time, and with its own
 * profile and environment. It runs as root only if the operator has configured the program in config.ini.
 */
export function createSoffice({
  command,
  canUseNetwork,
  path,
  limitMs = TIMEOUT_MS,
  sandbox,
  uid = process.getuid?.(),
}: SofficeOptions): RunSoffice {
  const programs = path.split(delimiter);
  const findProgram = (...names: readonly string[]) =>
    names.flatMap((name) => programs.map((folder) => join(folder, name))).find(isExecutable);
  let wrapper: Promise<readonly string[]> | undefined;
  const findWrapper = async (): Promise<readonly string[]> => {
    const prlimit = findProgram("prlimit");
    const unshare = findProgram("unshare");
    const limits = prlimit ? [prlimit, ...PRLIMIT_FLAGS] : [];
    const forms = unshare
      ? [
          [unshare, "--net"],
          [unshare, "--map-root-user", "--net"],
        ]
      : [];
    for (const form of forms) {
      if ((await runProcess([...form, "true"], { path, limitMs: 5_000 })).code === 0) return [...limits, ...form];
    }
    if (canUseNetwork) return limits;
    throw filesTexts.error("unavailable", "converter_online");
  };
  /** Runs the converter in the sandbox; returns undefined if this machine has none. */
  const runInSandbox = async (soffice: string, work: string, name: string) => {
    const apart = sandbox();
    const options = {
      folder: work,
      at: SANDBOX_FOLDER,
      isWritable: true,
      limitMs,
      ...BYTE_LIMITS,
      visible: listProgramFolders(soffice),
    };
    const run = (words: readonly string[]) =>
      apart?.run({ ...options, command: words, signal: new AbortController().signal });
    const tried = await run(["true"])?.catch(ignoreUnavailable);
    if (tried?.exit_code !== 0) return undefined;
    const ran = await run(["env", `TMPDIR=${SANDBOX_FOLDER}`, ...toCommand(soffice, SANDBOX_FOLDER, name)]);
    return { code: ran?.exit_code, isLate: false };
  };
  const runWithLimits = async (soffice: string, work: string, name: string) => {
    wrapper ??= findWrapper();
    wrapper.catch(() => {
      wrapper = undefined;
    });
    return runProcess([...(await wrapper), ...toCommand(soffice, work, name)], { path, limitMs, workFolder: work });
  };
  return async (work, name) => {
    const soffice =
      command === "" ? findProgram("soffice", "libreoffice") : isExecutable(command) ? command : undefined;
    if (!soffice) throw filesTexts.error("unavailable", "no_converter");
    if (uid === 0 && command === "") throw filesTexts.error("unavailable", "converter_root");
    const { code, isLate } = (await runInSandbox(soffice, work, name)) ?? (await runWithLimits(soffice, work, name));
    if (isLate) throw filesTexts.error("timed_out", "converter_late", { seconds: limitMs / 1_000 });
    if (code !== 0) throw filesTexts.error("upstream_failed", "converter_failed");
  };
}

function toCommand(soffice: string, work: string, name: string): readonly string[] {
  const profile = pathToFileURL(join(work, "profile")).href;
  return [
    soffice,
    `-env:UserInstallation=${profile}`,
    ...["--headless", "--norestore", "--nolockcheck", "--nodefault", "--convert-to", "pdf"],
    ...["--outdir", join(work, "out"), join(work, name)],
  ];
}

/** Returns the folders of an installation outside `/usr`, so that the sandbox shows only these. */
function listProgramFolders(soffice: string): readonly string[] {
  const program = dirname(realpathSync(soffice));
  const installation = dirname(program);
  const isOwn = installation.split(sep).length > 2;
  return ["/etc/fonts", soffice, isOwn ? installation : program];
}

function ignoreUnavailable(error: unknown): undefined {
  if (AppError.is(error) && error.code === "unavailable") return undefined;
  throw error;
}

interface RunOptions {
  readonly path: string;
  readonly limitMs: number;
  readonly workFolder?: string;
}

function runProcess([program = "", ...args]: readonly string[], { path, limitMs, workFolder = "/" }: RunOptions) {
  return new Promise<{ readonly code: number | null; readonly isLate: boolean }>((resolve) => {
    let isLate = false;
    // The process has its own group, so that its child processes end with it.
    const child = spawn(program, args, {
      cwd: workFolder,
      detached: true,
      stdio: "ignore",
      env: { PATH: path, HOME: workFolder, TMPDIR: workFolder, LANG: "C.UTF-8" },
    });
    const endAll = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch (error) {
        // All processes of the group have ended.
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (["ENOENT", "EACCES", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
}
