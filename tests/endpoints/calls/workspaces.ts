import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Paths, Workspaces } from "@parley/core";
import { writeArchive } from "@parley/core/archive";
import type { Call, Seed } from "../calls.ts";

const LIST = ["items", "total", "limit", "offset"];
const ITEM = ["name", "path", "type", "size", "mime_type", "modified_at", "scope", "session_id", "etag"];
const FORM = { "content-type": "multipart/form-data; boundary=part" };
let count = 0;

const buildForm = (name: string): string =>
  ["--part", `Content-Disposition: form-data; name="file"; filename="${name}"`, "", "some notes", "--part--", ""].join(
    "\r\n",
  );

const createSession = async ({ api }: Seed) => ({
  session_id: (await api.post<{ id: string }>("/api/sessions", {})).id,
});

/** Creates a file in a new session. */
async function createOwnFile(seed: Seed): Promise<{ readonly session_id: string; readonly filename: string }> {
  const { session_id } = await createSession(seed);
  await seed.api.post(`/api/sessions/${session_id}/workspace/folders`, { name: "drafts" });
  const filename = `notes-${++count}.txt`;
  const at = `/api/sessions/${session_id}/workspace/upload`;
  await seed.api.send("POST", at, { body: buildForm(filename), headers: FORM });
  return { session_id, filename };
}

async function createSharedFile(seed: Seed): Promise<{ readonly session_id: string; readonly filename: string }> {
  const made = await createOwnFile(seed);
  const at = `/api/sessions/${made.session_id}/workspace/files/${made.filename}/move-to-shared`;
  await seed.api.post(at, {});
  return made;
}

/** Creates a file in the trash. */
async function createDeletedFile(seed: Seed): Promise<{ readonly trash_id: string }> {
  const { session_id, filename } = await createOwnFile(seed);
  await seed.api.send("DELETE", `/api/sessions/${session_id}/workspace/files/${filename}`);
  const { items } = await seed.api.get<{ items: readonly { id: string }[] }>("/api/workspace/trash");
  return { trash_id: items[0]?.id ?? "" };
}

/** Creates a presentation with an existing PDF, so that no converter has to be installed. */
async function createPresentation({ host }: Seed): Promise<{ readonly filename: string }> {
  const bytes = await writeArchive([{ name: "ppt/presentation.xml", bytes: Buffer.from("<p/>") }]);
  const { path } = await host.get(Workspaces).write({ scope: "shared" }, "slides.pptx", bytes);
  const folder = join(host.get(Paths).data, "files", "_meta", "pdf");
  writeFileSync(join(folder, `${hash("sha256", bytes, "hex")}.pdf`), "%PDF-1.7");
  return { filename: path };
}

const text = { isRaw: true, type: /^text\/plain; charset=utf-8$/, gives: ["some notes"] };
const moved = { target: "" };

/** A working call of every route of workspaces. */
export const WORKSPACE_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/sessions/{session_id}/workspace/files": { params: createOwnFile, gives: [...LIST, "path"] },
  "POST /api/sessions/{session_id}/workspace/upload": {
    params: createSession,
    body: buildForm("notes.txt"),
    headers: FORM,
    gives: ["items", "failed"],
    except: { unknownKey: "it is a form" },
  },
  "GET /api/sessions/{session_id}/workspace/files/{filename}": { params: createOwnFile, ...text },
  "DELETE /api/sessions/{session_id}/workspace/files/{filename}": {
    params: createOwnFile,
    gives: ["path", "deleted", "removed"],
  },
  "POST /api/sessions/{session_id}/workspace/folders": {
    params: createSession,
    body: () => ({ name: `folder ${++count}` }),
    gives: ITEM,
  },
  "POST /api/sessions/{session_id}/workspace/files/{filename}/move": {
    params: createOwnFile,
    body: moved,
    gives: ITEM,
  },
  "POST /api/sessions/{session_id}/workspace/files/{filename}/move-to-shared": {
    params: createOwnFile,
    body: {},
    gives: ITEM,
  },
  "GET /api/sessions/{session_id}/workspace/files/{filename}/preview": {
    params: createOwnFile,
    gives: ["type", "filename", "mime_type", "size", "url", "download_url", "content", "truncated"],
  },
  "GET /api/workspace/shared/files": { params: createSharedFile, gives: [...LIST, "path"] },
  "GET /api/workspace/shared/files/{filename}": {
    params: createSharedFile,
    ...text,
  },
  "DELETE /api/workspace/shared/files/{filename}": { params: createSharedFile, gives: ["path", "deleted", "removed"] },
  "POST /api/workspace/shared/folders": { body: () => ({ name: `folder ${++count}` }), gives: ITEM },
  "POST /api/workspace/shared/files/{filename}/move": { params: createSharedFile, body: moved, gives: ITEM },
  "POST /api/workspace/shared/files/{filename}/move-to-private": {
    params: createSharedFile,
    body: ({ session_id }) => ({ session_id }),
    gives: ITEM,
  },
  "POST /api/workspace/convert/pptx-to-pdf": {
    params: createPresentation,
    body: ({ filename }) => ({ scope: "shared", filename }),
    isRaw: true,
    type: /^application\/pdf$/,
    gives: ["%PDF-"],
    except: { unknownKey: "it is a form too" },
  },
  "GET /api/workspace/download": {
    params: createSharedFile,
    query: ({ filename }) => ({ path: `shared/${filename}` }),
    ...text,
  },
};

/** The same for routes that are not in the contract. */
export const OUR_WORKSPACE_CALLS: Readonly<Record<string, Call>> = {
  "POST /api/workspace/shared/upload": {
    body: buildForm("shared.txt"),
    headers: FORM,
    gives: ["items", "failed"],
    except: { unknownKey: "it is a form" },
  },
  "GET /api/workspace/trash": { params: createDeletedFile, gives: LIST },
  "POST /api/workspace/trash/{trash_id}/restore": { params: createDeletedFile, gives: ITEM },
  "DELETE /api/workspace/trash/{trash_id}": { params: createDeletedFile, gives: ["id", "deleted"] },
};
