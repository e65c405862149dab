// Measures the time from the command to "ready", and the cost of an idle service.
// node --conditions=@parley/source tests/bench/start.ts   (the published form is measured too after `npm run build`)
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startProcess } from "../harness/process.ts";

const IDLE_S = 5;
await measure("from its sources", false);
if (existsSync(join(dirname(dirname(import.meta.dirname)), "host", "dist", "index.js"))) await measure("built", true);

async function measure(form: string, isBuilt: boolean): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "parley-start-"));
  try {
    for (const which of ["first", "second", "third"]) {
      const at = performance.now();
      const service = await startProcess({ root, isBuilt, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
      const ready = performance.now() - at;
      const before = readCpuMs(service.child.pid);
      await new Promise((resolve) => setTimeout(resolve, IDLE_S * 1000));
      const cpu = (readCpuMs(service.child.pid) - before) / (IDLE_S * 10);
      console.log(
        `${form}, ${which} start: ready in ${(ready / 1000).toFixed(2)} s (budget 1.5), idle ${readRssMb(service.child.pid)} MB (budget 150), ${cpu.toFixed(1)} % CPU (budget 1)`,
      );
      await service.stop();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function readRssMb(pid: number | undefined): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
}

function readCpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
