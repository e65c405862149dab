import type { Call, Seed } from "../calls.ts";

let count = 0;

/** Creates a person who wrote to a channel. */
async function createPerson({ fake, idle }: Seed): Promise<{ readonly person_id: string }> {
  const id = `person-${++count}`;
  const conversation = { id, isGroup: false };
  await fake.say(id, "hello", {
    sessionId: `${fake.id}:private:${id}`,
    conversation,
    sender: { id, name: "Eve", isAdmin: false },
  });
  await idle();
  return { person_id: `${fake.id}:user:${id}` };
}

/** A working call of every route of people. */
export const PEOPLE_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/people": { params: createPerson, gives: ["items", "total", "limit", "offset"] },
  "GET /api/people/{person_id}/export": { params: createPerson, isRaw: true, type: /^application\/zip/, gives: ["PK"] },
  "DELETE /api/people/{person_id}": {
    params: createPerson,
    body: { confirm: true },
    gives: ["job_id", "status", "counts"],
  },
};
