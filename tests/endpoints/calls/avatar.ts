import type { Call, Seed } from "../calls.ts";

/** Configures a model, without which the avatar does not speak. */
async function createTalker({ api, models }: Seed): Promise<Readonly<Record<string, string>>> {
  const fields = { name: "avatar", model: "m", base_url: models.baseUrl, retry_count: 0 };
  const { items } = await api.get<{ items: readonly { id: string; name: string }[] }>("/api/ai-models?limit=500");
  const known = items.find(({ name }) => name === fields.name);
  const { id } = known ?? (await api.post<{ id: string }>("/api/ai-models", fields));
  await api.post(`/api/ai-models/${id}/apply`, {});
  const session = await api.post<{ id: string }>("/api/sessions", { name: "looked at" });
  return { session_id: session.id };
}

/** A working call of every route of the avatar. */
export const AVATAR_CALLS: Readonly<Record<string, Call>> = {
  "POST /api/avatar/random-talk": { params: createTalker, body: {}, gives: ["message", "status", "pending"] },
  "POST /api/avatar/menu-options": { body: {}, gives: ["greeting", "options"] },
  "POST /api/avatar/reset": { gives: ["deleted"] },
  "GET /api/avatar/history": { gives: ["items", "total", "limit", "offset"] },
  "POST /api/avatar/comment": {
    params: createTalker,
    body: { recent_messages: [{ role: "user", content: "hello" }] },
    gives: ["message"],
  },
};
