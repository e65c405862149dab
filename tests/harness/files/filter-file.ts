import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Filter file without rules. */
export const NO_RULES = { enabled: true, global: [], channels: {} };

/** The rules file in a service folder. */
export interface FilterFile {
  read(): string;
  /** Writes the file as an editor does. */
  edit(content: object | string): void;
}

export function openFilterFile(root: string): FilterFile {
  const file = join(root, "resources/config/message_filter.json");
  mkdirSync(dirname(file), { recursive: true });
  return {
    read: () => readFileSync(file, "utf8"),
    edit(content) {
      writeFileSync(`${file}.edit`, typeof content === "string" ? content : JSON.stringify(content));
      renameSync(`${file}.edit`, file);
    },
  };
}
