import type { Call, Seed } from "../calls.ts";

const LIST = ["items", "total", "limit", "offset"];
const TOOL = ["id", "name", "enabled", "builtin", "source", "parameters", "implementation", "revision"];
let count = 0;

const buildDraft = () => ({
  name: `tool_${++count}`,
  description: "says something",
  implementation: { type: "static", result: "something" },
});
const createTool = async ({ api }: Seed): Promise<{ readonly tool_id: string }> => {
  const { id } = await api.post<{ id: string }>("/api/tools", buildDraft());
  return { tool_id: id };
};

/** A working call of every route of tools. */
export const TOOL_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/tools": { gives: LIST },
  "POST /api/tools": { body: buildDraft, gives: TOOL },
  "PUT /api/tools/{tool_id}": { params: createTool, body: { description: "other" }, gives: TOOL },
  "DELETE /api/tools/{tool_id}": { params: createTool, gives: ["id", "deleted"] },
  "POST /api/tools/{tool_id}/toggle": { params: createTool, body: { enabled: false }, gives: ["id", "enabled"] },
};

/** Calls of the tool trial and the todos. */
export const OUR_TOOL_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/sessions/{session_id}/todos": {
    params: async ({ api }) => ({ session_id: (await api.post<{ id: string }>("/api/sessions", {})).id }),
    gives: ["todos"],
  },
  "POST /api/tools/try": {
    body: { implementation: { type: "static", result: "something" } },
    gives: ["request", "status", "result", "error", "duration_ms"],
  },
};

const TEXT = ["size", "etag"];
const FORM = { "content-type": "multipart/form-data; boundary=part" };
const createSkill = async ({ api }: Seed) => {
  const skill_name = `skill-${++count}`;
  const { id } = await api.post<{ id: string }>("/api/skills", { name: skill_name });
  return { skill_id: id, skill_name };
};
const createSkillName = async (seed: Seed) => {
  const { skill_name } = await createSkill(seed);
  const base = `/api/skills/storage/${skill_name}`;
  await seed.api.post(`${base}/reference-md`, { content: "more" });
  await seed.api.post(`${base}/file/notes.txt`, { content: "kept" });
  await seed.api.post(`${base}/script/run.py`, { content: "print(1)" });
  return { skill_name };
};
const createFile = async (seed: Seed) => ({ ...(await createSkillName(seed)), file_name: "notes.txt" });
const createScript = async (seed: Seed) => ({ ...(await createSkillName(seed)), script_name: "run.py" });

/** A form with a folder of one file. */
function buildFolderForm(): Uint8Array {
  const field = `Content-Disposition: form-data; name="folder_name"\r\n\r\nfolder-${++count}`;
  const part = `Content-Disposition: form-data; name="files"; filename="SKILL.md"\r\nContent-Type: text/markdown\r\n\r\n# Folder`;
  return Buffer.from(`--part\r\n${field}\r\n--part\r\n${part}\r\n--part--\r\n`);
}

const STORAGE = "/api/skills/storage/{skill_name}";
const SKILL = [
  "id",
  "name",
  "description",
  "aliases",
  "enabled",
  "implementation",
  "has_storage",
  "scripts",
  "revision",
];
const NO_SKILL = { unknownKey: "the row reads the body itself" };

/** A working call of every route of skills. */
export const SKILL_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/skills": { gives: LIST },
  "POST /api/skills": { body: () => ({ name: `new-${++count}` }), gives: [...SKILL, "storage_created"] },
  "PUT /api/skills/{skill_id}": { params: createSkill, body: { description: "other" }, gives: SKILL },
  "DELETE /api/skills/{skill_id}": { params: createSkill, gives: ["id", "deleted", "storage_deleted"] },
  "POST /api/skills/{skill_id}/toggle": { params: createSkill, body: { enabled: false }, gives: ["id", "enabled"] },
  "GET /api/skills/storage": { gives: LIST },
  [`GET ${STORAGE}`]: {
    params: createSkill,
    gives: ["name", "skill_md", "files", "scripts", "resources", "truncated"],
  },
  [`DELETE ${STORAGE}`]: { params: createSkill, gives: ["name", "deleted", "files"] },
  [`GET ${STORAGE}/skill-md`]: { params: createSkill, gives: ["content", ...TEXT] },
  [`POST ${STORAGE}/skill-md`]: { params: createSkill, body: { content: "# Other" }, gives: TEXT },
  [`GET ${STORAGE}/reference-md`]: { params: createSkillName, gives: ["content", ...TEXT] },
  [`POST ${STORAGE}/reference-md`]: { params: createSkill, body: { content: "more" }, gives: TEXT },
  [`GET ${STORAGE}/file/{file_name}`]: {
    params: createFile,
    isRaw: true,
    gives: ["file_name", "content", "encoding", ...TEXT],
  },
  [`POST ${STORAGE}/file/{file_name}`]: {
    params: createFile,
    body: { content: "other" },
    gives: ["file_name", ...TEXT],
    except: { unknownId: "a new file is made", unknownStatus: 200 },
  },
  [`GET ${STORAGE}/script/{script_name}`]: {
    params: createScript,
    isRaw: true,
    gives: ["file_name", "content", "encoding", ...TEXT],
  },
  [`POST ${STORAGE}/script/{script_name}`]: {
    params: createScript,
    body: { content: "print(2)" },
    gives: ["file_name", ...TEXT],
    except: { unknownId: "a new script is made", unknownStatus: 200 },
  },
  "POST /api/skills/upload-folder": {
    body: buildFolderForm(),
    headers: FORM,
    gives: ["skill", "files_count", "skipped"],
    except: NO_SKILL,
  },
};
