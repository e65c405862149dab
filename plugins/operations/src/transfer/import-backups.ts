import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const PACKAGE_NAME = /^config-\d{8}T\d{9}Z\.zip$/;

/** Backups made before imports; only the newest are retained. */
export interface ImportBackups {
  /** Resolves to the name of the backup when it is durably stored. */
  store(bytes: Uint8Array): Promise<string>;
}

export function createImportBackups(folder: string, now: () => number, most = 20): ImportBackups {
  return {
    async store(bytes) {
      const name = `config-${new Date(now()).toISOString().replaceAll(/[-:.]/g, "")}.zip`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(join(folder, name), "wx", 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      const old = (await readdir(folder)).filter((one) => PACKAGE_NAME.test(one)).toSorted();
      for (const one of old.slice(0, -most)) await rm(join(folder, one), { force: true });
      return name;
    },
  };
}
