import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Command and limits of a sandboxed program. */
export interface SandboxRun {
  /** Absolute. Beside the programs of the machine all that it sees. */
  readonly folder: string;
  /** Path of the folder inside the sandbox, and the working directory. */
  readonly at: string;
  /** Default false. */
  readonly isWritable?: boolean;
  /** A program and its arguments. */
  readonly command: readonly string[];
  /** `timed_out` after it. */
  readonly limitMs: number;
  /** Maximum address space. Default 1 GiB. */
  readonly addressBytes?: number;
  /** Memory that all its processes may use together; `too_large` above it. Default 1 GiB. */
  readonly memoryBytes?: number;
  /** Bytes that one file may have. Default 16 MiB. */
  readonly fileBytes?: number;
  /** Absolute paths of programs that it sees beside those of the machine. */
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
  /** `unavailable`, with the reason, where this machine cannot do it. */
  run(run: SandboxRun): Promise<SandboxResult>;
}
export const Sandbox: ServiceKey<Sandbox> = serviceKey("sandbox");
