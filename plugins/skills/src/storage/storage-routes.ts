import {
  AppError,
  createJsonSyntaxError,
  decodeText,
  entityTag,
  type Part,
  type RouteRequest,
  type RouteTable,
  rawReply,
  route,
  toSchemaError,
} from "@parley/core";
import {
  attachmentNamed,
  bytes as bytesData,
  envelopeOf,
  type List,
  listQuery,
  parseJsonBytes,
  toPage,
} from "@parley/core/http";
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
} from "../schema.ts";
import type { Skills } from "../skills.ts";
import { skillsTexts } from "../texts.ts";
import { getMimeType, REFERENCE_MD, SCRIPTS_FOLDER, SKILL_MD, toFileView } from "./file-types.ts";
import { readFrontMatter } from "./front-matter.ts";
import { parsePath } from "./names.ts";
import { MAX_FILE_BYTES, type SkillFile, type SkillFolders } from "./skill-folders.ts";

const basePath = "/api/skills/storage";
const storagePath = `${basePath}/{skill_name}` as const;
const MAX_PREVIEW_CHARS = 200;
/** Ten mebibytes in base64, and the JSON around them. */
const MAX_BODY_BYTES = Math.ceil((MAX_FILE_BYTES * 4) / 3) + 65_536;

export interface StorageRoutesDeps {
  readonly skills: Skills;
  readonly folders: SkillFolders;
  /** Called after a folder changed. */
  readonly onChanged: (name: string) => void;
}

/** Routes of skill folders and their files. */
export function createStorageRoutes(deps: StorageRoutesDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: basePath,
      summary: "list the folders of skills",
      query: listQuery(),
      data: storages,
      run: ({ query }) => listStorages(query, deps),
    }),
    route({
      method: "GET",
      path: storagePath,
      summary: "list the folder of a skill",
      data: storageData,
      run: ({ params }) => readContent(params.skill_name, deps),
    }),
    route({
      method: "DELETE",
      path: storagePath,
      summary: "delete the folder of a skill",
      scope: "admin",
      data: removedStorage,
      async run({ params: { skill_name: name } }) {
        const files = await deps.skills.runInOrder(name, () => deps.folders.remove(name));
        deps.onChanged(name);
        return { name, deleted: true, files };
      },
    }),
    ...createTextRoutes("skill-md", SKILL_MD, "skill.md", deps),
    ...createTextRoutes("reference-md", REFERENCE_MD, "reference.md", deps),
    ...createFileRoutes("file", "file_name", "", deps),
    ...createFileRoutes("script", "script_name", SCRIPTS_FOLDER, deps),
  ];
}

function createTextRoutes(
  word: "skill-md" | "reference-md",
  file: string,
  title: string,
  deps: StorageRoutesDeps,
): RouteTable {
  const { folders } = deps;
  return [
    route({
      method: "GET",
      path: `${storagePath}/${word}`,
      summary: `read ${title}`,
      data: markdownData,
      async run({ params }) {
        const { bytes, size, revision } = await folders.read(params.skill_name, file);
        return { content: bytes.toString("utf8"), size, etag: entityTag(revision) };
      },
    }),
    route<`/api/skills/storage/{skill_name}/${typeof word}`, MarkdownBody>({
      method: "POST",
      path: `${storagePath}/${word}`,
      summary: `write ${title}`,
      scope: "admin",
      body: markdownBody,
      data: writtenData,
      maxBytes: 2 * 1024 * 1024,
      async run({ params: { skill_name: name }, body, ifMatch }) {
        const bytes = Buffer.from(body.content);
        if (file === SKILL_MD) await readFrontMatter(body.content);
        const { size, etag } = await writeAndNotify(name, file, bytes, ifMatch, deps);
        return { size, etag };
      },
    }),
  ];
}

function createFileRoutes(
  word: "file" | "script",
  param: "file_name" | "script_name",
  inside: "" | typeof SCRIPTS_FOLDER,
  deps: StorageRoutesDeps,
): RouteTable {
  const path = `${storagePath}/${word}/{${param}}`;
  const parsePlace = ({ params }: { readonly params: Readonly<Record<string, string>> }) => {
    const { skill_name: name = "", [param]: file = "" } = params;
    // The path below `scripts/` is validated separately, because `scripts/../x` begins with `scripts`.
    return { name, file: `${inside}${parsePath(file).join("/")}` };
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
        const { name, file } = parsePlace(request as never);
        const { bytes, size, revision } = await deps.folders.read(name, file);
        const text = decodeText(bytes);
        const mime_type = getMimeType(file, text !== undefined);
        if ((request as unknown as Asked).query.download) {
          const headers = { ...toAttachmentHeaders(file), etag: entityTag(revision) };
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
      maxBytes: MAX_BODY_BYTES,
      async run(request) {
        const { name, file } = parsePlace(request as never);
        const bytes = readBody(request.parts);
        if (word === "script" && decodeText(bytes) === undefined)
          throw skillsTexts.error("bad_request", "script_text", {}, { field: "content" });
        const { size, etag } = await writeAndNotify(name, file, bytes, request.ifMatch, deps);
        return { file_name: file, size, etag };
      },
    }),
  ];
}

function toAttachmentHeaders(file: string) {
  return { "content-disposition": attachmentNamed(file.split("/").at(-1) ?? file) };
}

async function writeAndNotify(
  name: string,
  path: string,
  bytes: Uint8Array,
  ifMatch: number | undefined,
  deps: StorageRoutesDeps,
) {
  const { skills, folders, onChanged } = deps;
  const { size, revision } = await skills.runInOrder(name, () => folders.write(name, { path, bytes }, ifMatch));
  onChanged(name);
  return { size, etag: entityTag(revision) };
}

/** Returns the file of a form, or the content given as JSON. */
function readBody(parts: readonly Part[]): Uint8Array {
  const file = parts.find(({ name }) => name === "file");
  if (!file) throw skillsTexts.error("bad_request", "missing", {}, { field: "file" });
  if (file.filename !== undefined || !/^application\/json\b/i.test(file.type)) return file.bytes;
  let read: unknown;
  try {
    read = parseJsonBytes(file.bytes);
  } catch {
    throw createJsonSyntaxError(file.bytes, "body");
  }
  const { value, error } = fileBody.validate(read, { convert: false });
  if (error) throw toSchemaError(error, error.message.replaceAll('"', "'"));
  const { content, encoding } = value as { readonly content?: string; readonly encoding: string };
  if (content === undefined) throw skillsTexts.error("bad_request", "required", {}, { field: "content" });
  if (encoding === "utf8") return Buffer.from(content);
  const bytes = Buffer.from(content, "base64");
  // Not validated by a regular expression, which overflows the stack on a few megabytes.
  if (bytes.toString("base64") !== content)
    throw skillsTexts.error("bad_request", "no_base64", {}, { field: "content" });
  return bytes;
}

async function listStorages(
  query: { readonly limit: number; readonly offset: number },
  { skills, folders }: StorageRoutesDeps,
): Promise<List<object>> {
  const page = toPage(await folders.listNames(), query);
  const items = await Promise.all(
    page.items.map(async (name) => {
      const files = await folders.list(name);
      const has = (path: string) => files.some((file) => file.path === path);
      const skillMd = has(SKILL_MD) ? (await folders.read(name, SKILL_MD)).bytes.toString("utf8") : "";
      return {
        name,
        skill_id: skills.findId(name),
        has_skill_md: has(SKILL_MD),
        has_reference: has(REFERENCE_MD),
        has_license: findLicense(files) !== undefined,
        ...groupFiles(files),
        files_count: files.length,
        size: files.reduce((sum, file) => sum + file.size, 0),
        preview: [...skillMd].slice(0, MAX_PREVIEW_CHARS).join(""),
      };
    }),
  );
  return { ...page, items };
}

function groupFiles(files: readonly SkillFile[]) {
  const listBelow = (prefix: string) =>
    files.filter(({ path }) => path.startsWith(prefix)).map(({ path }) => path.slice(prefix.length));
  return { scripts: listBelow(SCRIPTS_FOLDER), resources: listBelow("resources/") };
}

function findLicense(files: readonly SkillFile[]): string | undefined {
  return files.map(toFileView).find(({ type }) => type === "license")?.path;
}

async function readContent(name: string, { folders }: StorageRoutesDeps) {
  const files = await folders.list(name);
  const textOf = async (path: string | undefined) => {
    if (path === undefined || !files.some((file) => file.path === path)) return "";
    return decodeText((await folders.read(name, path)).bytes) ?? "";
  };
  const texts = [await textOf(SKILL_MD), await textOf(REFERENCE_MD), await textOf(findLicense(files))] as const;
  const [skill_md, reference_md, license] = texts.map((text) => text.slice(0, MAX_TEXT));
  return {
    name,
    skill_md,
    reference_md,
    license,
    truncated: texts.some((text) => text.length > MAX_TEXT),
    files: files.map(toFileView),
    ...groupFiles(files),
    front_matter: await readFrontMatter(texts[0]).catch((error: unknown) => {
      if (!AppError.is(error)) throw error;
      return null;
    }),
  };
}
