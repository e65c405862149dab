import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Command and limits of a sandboxed program. */
export interface SandboxRun {
  /** Absolute path of the folder that the program sees besides the machine's programs. */
  readonly folder: string;
  /** Path of the folder inside the sandbox, and the working directory. */
  readonly at: string;
  /** True when the program may write to the folder. Default false. */
  readonly isWritable?: boolean;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Time limit in milliseconds; beyond it the run rejects with `timed_out`. */
  readonly limitMs: number;
  /** Maximum address space. Default 1 GiB. */
  readonly addressBytes?: number;
  /** Memory that all its processes may use together; `too_large` above it. Default 1 GiB. */
  readonly memoryBytes?: number;
  /** Maximum bytes of one file. Default 16 MiB. */
  readonly fileBytes?: number;
  /** Absolute paths of further programs that it may see. */
  readonly visible?: readonly string[];
  readonly signal: AbortSignal;
}

/** Exit code and output of a program. */
export interface SandboxResult {
  readonly exit_code: number | null;
  /** Combined stdout and stderr in order; at most 10,000 characters. */
  readonly output: string;
  readonly truncated: boolean;
}

/** Runs untrusted code in isolation: no network, no environment, only the machine's programs, bounded resources. All its processes end with it. */
export interface Sandbox {
  /** Runs a program. Rejects with `unavailable` and the reason when this machine cannot isolate programs. */
  run(run: SandboxRun): Promise<SandboxResult>;
}
export const Sandbox: ServiceKey<Sandbox> = serviceKey("sandbox");
