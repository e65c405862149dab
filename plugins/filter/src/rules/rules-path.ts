import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Logger, Paths } from "@parley/core";

const DEFAULT_FILE = "resources/config/message_filter.json";

/**
 * Returns the path of the rules file: the configured one, relative to the folder of config.ini, else
 * `resources/config/message_filter.json` there. If the data folder is elsewhere, the file is in the data folder, so
 * that two services do not share rules; an existing file is copied there once.
 */
export function resolveRulesPath(file: string | undefined, { root, data }: Paths, log: Pick<Logger, "info">): string {
  if (file !== undefined) return isAbsolute(file) ? file : join(root, file);
  const shared = join(root, DEFAULT_FILE);
  if (relative(root, data) === "data") return shared;
  const own = join(data, DEFAULT_FILE);
  if (existsSync(shared) && !existsSync(own)) {
    mkdirSync(dirname(own), { recursive: true });
    copyFileSync(shared, own);
    log.info("the filter rules were copied to the data folder, where they are read from now on", {
      from: shared,
      to: own,
    });
  }
  return own;
}

/** Returns the path of the file that has the rules now; copies nothing. */
export function findRulesPath(file: string | undefined, { root, data }: Paths): string {
  if (file !== undefined) return isAbsolute(file) ? file : join(root, file);
  const [shared, own] = [join(root, DEFAULT_FILE), join(data, DEFAULT_FILE)];
  return relative(root, data) === "data" || (existsSync(shared) && !existsSync(own)) ? shared : own;
}
