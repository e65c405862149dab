import type { Call, Seed } from "../calls.ts";

const FIELDS = ["id", "name", "description", "avatar", "is_default", "account_id", "revision"];

const createPersona = async ({ api }: Seed): Promise<{ readonly persona_id: string }> => {
  const { id } = await api.post<{ id: string }>("/api/personas", { name: "Captain Ann" });
  return { persona_id: id };
};

/** A working call of every route of personas. */
export const PERSONA_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/personas": { gives: ["items", "total", "limit", "offset"] },
  "POST /api/personas": { body: { name: "Ann", description: "A sailor." }, gives: FIELDS },
  "GET /api/personas/{persona_id}": { params: createPersona, gives: FIELDS },
  "PUT /api/personas/{persona_id}": { params: createPersona, body: { name: "Ben" }, gives: FIELDS },
  "DELETE /api/personas/{persona_id}": { params: createPersona, gives: ["id", "deleted"] },
};
