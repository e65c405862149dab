import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { PersonData, RecordPart } from "@parley/core";

const LOG_FILE = /^parley-\d{4}-\d{2}-\d{2}\.log$/;

/** Erases log lines that name a person from the files of this machine, as the rows are erased. */
export function createPersonLogFilesPart(folder: string, flush: () => Promise<void>): RecordPart {
  return {
    id: "operations.of-person",
    of: "person",
    async erase(person) {
      await flush();
      return listLogFiles(folder).reduce((sum, file) => sum + eraseLines(file, person), 0);
    },
  };
}

function listLogFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => LOG_FILE.test(name))
      .map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Erases lines in place and in one step, because the service appends to today's file. */
function eraseLines(file: string, person: PersonData): number {
  const lines = readFileSync(file, "utf8").split("\n");
  const left = lines.filter((line) => !person.isNamedIn(line));
  if (left.length === lines.length) return 0;
  const handle = openSync(file, "r+");
  try {
    ftruncateSync(handle, 0);
    writeSync(handle, left.join("\n"), 0);
  } finally {
    closeSync(handle);
  }
  return lines.length - left.length;
}
