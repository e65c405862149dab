import type { Call, Seed } from "../calls.ts";

let count = 0;
const SHOWN = ["id", "text", "audience", "per_minute", "state", "counts", "retriable"];

/** Creates two groups of a channel with one answer each. */
async function createGroups({ fake, idle }: Seed) {
  const groups = [`crowd-${++count}`, `crowd-${++count}`] as const;
  for (const group of groups) await fake.say(group, "hello");
  await idle();
  const [first, second] = groups.map((group) => `${fake.id}:group:${group}`);
  return { first: first ?? "", second: second ?? "" };
}

const toAudience = ({ first, second }: Readonly<Record<string, string>>) => ({ session_ids: [first, second] });

/** Returns a broadcast that sends one message a minute, so that it does not end during a test. */
const toDraft = (ids: Readonly<Record<string, string>>) => ({
  text: "The shop is closed.",
  audience: toAudience(ids),
  expected: 2,
  per_minute: 1,
});

const startBroadcast = async (seed: Seed) => {
  const { id } = await seed.api.post<{ id: string }>("/api/broadcasts", toDraft(await createGroups(seed)));
  return { broadcast_id: id };
};

const startAndPause = async (seed: Seed) => {
  const made = await startBroadcast(seed);
  await seed.api.post(`/api/broadcasts/${made.broadcast_id}/stop`, {});
  return made;
};

/** A working call of every route of broadcasts. */
export const BROADCAST_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/broadcasts": { gives: ["items", "total", "limit", "offset"] },
  "POST /api/broadcasts": { params: createGroups, body: toDraft, gives: SHOWN },
  "POST /api/broadcasts/preview": {
    params: createGroups,
    body: (ids) => ({ audience: toAudience(ids) }),
    gives: ["total", "channels", "items"],
  },
  "GET /api/broadcasts/{broadcast_id}": { params: startBroadcast, gives: SHOWN },
  "GET /api/broadcasts/{broadcast_id}/recipients": {
    params: startBroadcast,
    gives: ["items", "total", "limit", "offset"],
  },
  "POST /api/broadcasts/{broadcast_id}/stop": { params: startBroadcast, gives: SHOWN },
  "POST /api/broadcasts/{broadcast_id}/continue": { params: startAndPause, body: {}, gives: SHOWN },
  "DELETE /api/broadcasts/{broadcast_id}": { params: startAndPause, gives: ["id", "deleted"] },
};
