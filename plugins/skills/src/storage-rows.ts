import {
  AppError,
  attachmentNamed,
  bytes as bytesData,
  decodeText,
  entityTag,
  envelopeOf,
  jsonRefusal,
  type List,
  listOf,
  listQuery,
  type Part,
  type RouteRequest,
  type RouteTable,
  rawReply,
  route,
  schemaRefusal,
} from "@parley/core";
import { mimeTypeOf, REFERENCE_MD, SCRIPTS, SKILL_MD, shownFile } from "./file-types.ts";
import { readFrontMatter } from "./front-matter.ts";
import { pathParts } from "./names.ts";
import { skillFailure } from "./said-failures.ts";
import {
  downloadQuery,
  fileBody,
  fileData,
  MAX_TEXT,
  type MarkdownBody,
  markdownBody,
  markdownData,
  removedStorage,
  storageData,
  storages,
  writtenData,
  writtenFile,
} from "./schema.ts";
import { MAX_FILE, type SkillFile, type SkillFolders } from "./skill-folders.ts";
import type { Skills } from "./skills.ts";

const base = "/api/skills/storage";
const one = `${base}/{skill_name}` as const;
const MAX_PREVIEW = 200;
/** Ten mebibytes in base64, and the JSON around them. */
const MAX_BODY = Math.ceil((MAX_FILE * 4) / 3) + 65_536;

export interface StorageParts {
  readonly skills: Skills;
  readonly folders: SkillFolders;
  /** Told after a folder changed. */
  readonly changed: (name: string) => void;
}

/** The folders of skills and what is in them. */
export function storageRoutes(parts: StorageParts): RouteTable {
  return [
    route({
      method: "GET",
      path: base,
      summary: "list the folders of skills",
      query: listQuery(),
      data: storages,
      run: ({ query }) => listStorages(query, parts),
    }),
    route({
      method: "GET",
      path: one,
      summary: "what is in the folder of a skill",
      data: storageData,
      run: ({ params }) => contentOf(params.skill_name, parts),
    }),
    route({
      method: "DELETE",
      path: one,
      summary: "delete the folder of a skill",
      scope: "admin",
      data: removedStorage,
      async run({ params: { skill_name: name } }) {
        const files = await parts.skills.inTurn(name, () => parts.folders.remove(name));
        parts.changed(name);
        return { name, deleted: true, files };
      },
    }),
    ...textRows("skill-md", SKILL_MD, "skill.md", parts),
    ...textRows("reference-md", REFERENCE_MD, "reference.md", parts),
    ...fileRows("file", "file_name", "", parts),
    ...fileRows("script", "script_name", SCRIPTS, parts),
  ];
}

function textRows(word: "skill-md" | "reference-md", file: string, title: string, parts: StorageParts): RouteTable {
  const { folders } = parts;
  return [
    route({
      method: "GET",
      path: `${one}/${word}`,
      summary: `read ${title}`,
      data: markdownData,
      async run({ params }) {
        const { bytes, size, revision } = await folders.read(params.skill_name, file);
        return { content: bytes.toString("utf8"), size, etag: entityTag(revision) };
      },
    }),
    route<`/api/skills/storage/{skill_name}/${typeof word}`, MarkdownBody>({
      method: "POST",
      path: `${one}/${word}`,
      summary: `write ${title}`,
      scope: "admin",
      body: markdownBody,
      data: writtenData,
      maxBytes: 2 * 1024 * 1024,
      async run({ params: { skill_name: name }, body, ifMatch }) {
        const bytes = Buffer.from(body.content);
        if (file === SKILL_MD) await readFrontMatter(body.content);
        const { size, etag } = await written(name, file, bytes, ifMatch, parts);
        return { size, etag };
      },
    }),
  ];
}

function fileRows(
  word: "file" | "script",
  param: "file_name" | "script_name",
  inside: "" | typeof SCRIPTS,
  parts: StorageParts,
): RouteTable {
  const path = `${one}/${word}/{${param}}`;
  const places = ({ params }: { readonly params: Readonly<Record<string, string>> }) => {
    const { skill_name: name = "", [param]: file = "" } = params;
    // Judged by itself: `scripts/../x` begins in scripts.
    return { name, file: `${inside}${pathParts(file).join("/")}` };
  };
  const noun = word === "file" ? "a file of a skill" : "a script of a skill";
  type Asked = RouteRequest<string, unknown, { readonly download: boolean }>;
  return [
    route({
      method: "GET",
      path,
      summary: `get ${noun}`,
      reply: "raw",
      query: downloadQuery,
      data: { "application/json": envelopeOf(fileData), "application/octet-stream": bytesData },
      async run(request) {
        const { name, file } = places(request as never);
        const { bytes, size, revision } = await parts.folders.read(name, file);
        const text = decodeText(bytes);
        const mime_type = mimeTypeOf(file, text !== undefined);
        if ((request as unknown as Asked).query.download) {
          const headers = { ...attachmentHeaders(file), etag: entityTag(revision) };
          return rawReply({ body: bytes, type: "application/octet-stream", headers });
        }
        const data = {
          file_name: file,
          content: text ?? bytes.toString("base64"),
          encoding: text === undefined ? "base64" : "utf8",
          size,
          mime_type,
          etag: entityTag(revision),
        };
        const body = JSON.stringify({ success: true, data, message: "" });
        return rawReply({ body, type: "application/json; charset=utf-8" });
      },
    }),
    route({
      method: "POST",
      path,
      summary: `write ${noun}`,
      scope: "admin",
      payload: "document",
      body: fileBody,
      data: writtenFile,
      maxBytes: MAX_BODY,
      async run(request) {
        const { name, file } = places(request as never);
        const bytes = bytesOf(request.parts);
        if (word === "script" && decodeText(bytes) === undefined)
          throw skillFailure("bad_request", "script_text", {}, { field: "content" });
        const { size, etag } = await written(name, file, bytes, request.ifMatch, parts);
        return { file_name: file, size, etag };
      },
    }),
  ];
}

function attachmentHeaders(file: string) {
  return { "content-disposition": attachmentNamed(file.split("/").at(-1) ?? file) };
}

async function written(
  name: string,
  path: string,
  bytes: Uint8Array,
  ifMatch: number | undefined,
  parts: StorageParts,
) {
  const { skills, folders, changed } = parts;
  const { size, revision } = await skills.inTurn(name, () => folders.write(name, { path, bytes }, ifMatch));
  changed(name);
  return { size, etag: entityTag(revision) };
}

/** A file of a form, or what JSON says. */
function bytesOf(parts: readonly Part[]): Uint8Array {
  const file = parts.find(({ name }) => name === "file");
  if (!file) throw skillFailure("bad_request", "missing", {}, { field: "file" });
  if (file.filename !== undefined || !/^application\/json\b/i.test(file.type)) return file.bytes;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(file.bytes).toString("utf8"));
  } catch {
    throw jsonRefusal(file.bytes, "body");
  }
  const { value, error } = fileBody.validate(read, { convert: false });
  if (error) throw schemaRefusal(error, error.message.replaceAll('"', "'"));
  const { content, encoding } = value as { readonly content?: string; readonly encoding: string };
  if (content === undefined) throw skillFailure("bad_request", "required", {}, { field: "content" });
  if (encoding === "utf8") return Buffer.from(content);
  const bytes = Buffer.from(content, "base64");
  // A pattern runs out of stack on a few megabytes.
  if (bytes.toString("base64") !== content) throw skillFailure("bad_request", "no_base64", {}, { field: "content" });
  return bytes;
}

async function listStorages(
  query: { readonly limit: number; readonly offset: number },
  { skills, folders }: StorageParts,
): Promise<List<object>> {
  const page = listOf(await folders.names(), query);
  const items = await Promise.all(
    page.items.map(async (name) => {
      const files = await folders.files(name);
      const has = (path: string) => files.some((file) => file.path === path);
      const skillMd = has(SKILL_MD) ? (await folders.read(name, SKILL_MD)).bytes.toString("utf8") : "";
      return {
        name,
        skill_id: skills.idOf(name),
        has_skill_md: has(SKILL_MD),
        has_reference: has(REFERENCE_MD),
        has_license: licenseOf(files) !== undefined,
        ...listed(files),
        files_count: files.length,
        size: files.reduce((sum, file) => sum + file.size, 0),
        preview: [...skillMd].slice(0, MAX_PREVIEW).join(""),
      };
    }),
  );
  return { ...page, items };
}

function listed(files: readonly SkillFile[]) {
  const under = (prefix: string) =>
    files.filter(({ path }) => path.startsWith(prefix)).map(({ path }) => path.slice(prefix.length));
  return { scripts: under(SCRIPTS), resources: under("resources/") };
}

function licenseOf(files: readonly SkillFile[]): string | undefined {
  return files.map(shownFile).find(({ type }) => type === "license")?.path;
}

async function contentOf(name: string, { folders }: StorageParts) {
  const files = await folders.files(name);
  const textOf = async (path: string | undefined) => {
    if (path === undefined || !files.some((file) => file.path === path)) return "";
    return decodeText((await folders.read(name, path)).bytes) ?? "";
  };
  const texts = [await textOf(SKILL_MD), await textOf(REFERENCE_MD), await textOf(licenseOf(files))] as const;
  const [skill_md, reference_md, license] = texts.map((text) => text.slice(0, MAX_TEXT));
  return {
    name,
    skill_md,
    reference_md,
    license,
    truncated: texts.some((text) => text.length > MAX_TEXT),
    files: files.map(shownFile),
    ...listed(files),
    front_matter: await readFrontMatter(texts[0]).catch((error: unknown) => {
      if (!AppError.is(error)) throw error;
      return null;
    }),
  };
}
