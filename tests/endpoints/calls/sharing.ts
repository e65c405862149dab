import type { Call, Seed } from "../calls.ts";

let count = 0;

async function createConversation({ api }: Seed): Promise<{ readonly session_id: string }> {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: `shared ${++count}` });
  await api.post(`/api/sessions/${id}/chat`, { content: "something to show" });
  return { session_id: id };
}

async function publishConversation(seed: Seed) {
  const { session_id } = await createConversation(seed);
  const { public_id } = await seed.api.post<{ public_id: string }>(`/api/sessions/${session_id}/public`, {});
  return { session_id, public_id };
}

const PAGE: Pick<Call, "isRaw" | "type" | "gives" | "except"> = {
  isRaw: true,
  type: /^text\/html; charset=utf-8$/,
  gives: ["something to show"],
  except: { unknownId: "is a page that says so", unknownStatus: 404 },
};

/** A working call of every route of sharing and of the QR codes. */
export const SHARING_CALLS: Readonly<Record<string, Call>> = {
  "POST /api/sessions/{session_id}/public": {
    params: createConversation,
    body: {},
    gives: ["is_public", "public_id", "public_url", "expires_at", "options", "password_required", "view_count"],
  },
  "DELETE /api/sessions/{session_id}/public": { params: publishConversation, gives: ["is_public"] },
  "GET /api/sessions/{session_id}/public/status": { params: publishConversation, gives: ["is_public", "public_id"] },
  "GET /api/public/{public_id}": {
    params: publishConversation,
    gives: ["name", "messages", "published_at", "expires_at"],
  },
  "GET /public/{public_id}": { params: publishConversation, ...PAGE },
  "POST /qrcode/generate": { body: { text: "hello" }, isRaw: true, type: /^image\/png$/, gives: ["PNG"] },
  "GET /qrcode/session/{session_id}": { params: createConversation, isRaw: true, type: /^image\/png$/, gives: ["PNG"] },
};

async function publishFile(seed: Seed) {
  const { session_id } = await createConversation(seed);
  const form = { "content-type": "multipart/form-data; boundary=part" };
  const body =
    '--part\r\nContent-Disposition: form-data; name="file"; filename="n.txt"\r\n\r\ngreen tea\r\n--part--\r\n';
  const uploaded = await seed.api.send("POST", "/api/upload", { body, headers: form });
  const { url = "" } = (uploaded.json?.data ?? {}) as { readonly url?: string };
  const attachments = [{ type: "file", url, name: "n.txt" }];
  await seed.api.post(`/api/sessions/${session_id}/chat`, { content: "look", attachments });
  const { public_id } = await seed.api.post<{ public_id: string }>(`/api/sessions/${session_id}/public`, {});
  return { public_id, filename: url.slice(url.lastIndexOf("/") + 1) };
}

/** The rows that only this service has: the form of a page with a password, and what would be published. */
export const OUR_SHARING_CALLS: Readonly<Record<string, Call>> = {
  "POST /public/{public_id}": { params: publishConversation, ...PAGE },
  "GET /public/{public_id}/files/{filename}": {
    params: publishFile,
    isRaw: true,
    type: /^text\/plain/,
    gives: ["green tea"],
  },
  "POST /api/sessions/{session_id}/public/preview": {
    params: createConversation,
    body: {},
    gives: ["name", "messages", "message_count"],
  },
};
