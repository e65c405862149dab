import type { SkillFile } from "./skill-folders.ts";

export const SKILL_MD = "SKILL.md";
export const REFERENCE_MD = "reference.md";
export const SCRIPTS = "scripts/";

export type FileType = "core" | "reference" | "license" | "script" | "resource" | "other";

export interface ShownFile extends SkillFile {
  readonly name: string;
  readonly type: FileType;
}

export function shownFile(file: SkillFile): ShownFile {
  return { ...file, name: file.path.split("/").at(-1) ?? file.path, type: typeOf(file.path) };
}

function typeOf(path: string): FileType {
  if ([SKILL_MD, "config.json", "data.json"].includes(path)) return "core";
  if (path === REFERENCE_MD) return "reference";
  if (/^licen[cs]e(\.\w+)?$/i.test(path)) return "license";
  if (path.startsWith(SCRIPTS)) return "script";
  return path.startsWith("resources/") ? "resource" : "other";
}

const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  txt: "text/plain",
  json: "application/json",
  csv: "text/csv",
  html: "text/html",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  py: "text/x-python",
  js: "text/javascript",
  mjs: "text/javascript",
  sh: "text/x-shellscript",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
};

export function mimeTypeOf(path: string, isText: boolean): string {
  const known = TYPES[path.split(".").at(-1)?.toLowerCase() ?? ""];
  return known ?? (isText ? "text/plain" : "application/octet-stream");
}
