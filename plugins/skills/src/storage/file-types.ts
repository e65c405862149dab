import type { SkillFile } from "./skill-folders.ts";

export const SKILL_MD = "SKILL.md";
export const REFERENCE_MD = "reference.md";
export const SCRIPTS_FOLDER = "scripts/";

export type FileType = "core" | "reference" | "license" | "script" | "resource" | "other";

export interface FileView extends SkillFile {
  readonly name: string;
  readonly type: FileType;
}

export function toFileView(file: SkillFile): FileView {
  return { ...file, name: file.path.split("/").at(-1) ?? file.path, type: getFileType(file.path) };
}

function getFileType(path: string): FileType {
  if ([SKILL_MD, "config.json", "data.json"].includes(path)) return "core";
  if (path === REFERENCE_MD) return "reference";
  if (/^licen[cs]e(\.\w+)?$/i.test(path)) return "license";
  if (path.startsWith(SCRIPTS_FOLDER)) return "script";
  return path.startsWith("resources/") ? "resource" : "other";
}

const MIME_TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
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

export function getMimeType(path: string, isText: boolean): string {
  const known = MIME_TYPE_BY_EXTENSION[path.split(".").at(-1)?.toLowerCase() ?? ""];
  return known ?? (isText ? "text/plain" : "application/octet-stream");
}
