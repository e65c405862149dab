import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { RECORD_KINDS } from "../harness/record-kinds.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

test.each(RECORD_KINDS)(
  "of several concurrent deletions of one record of $path one succeeds",
  async ({ path, draft, id = "id" }) => {
    const made = await api.post<Readonly<Record<string, string>>>(path, draft("one"));
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.send("DELETE", `${path}/${made[id]}`)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([404, 409]).toEqual(expect.arrayContaining(statuses.filter((status) => status !== 200)));
  },
);

test.each(RECORD_KINDS.filter(({ field }) => field !== undefined))(
  "of several concurrent changes of one record of $path on the same revision one succeeds",
  async ({ path, draft, field = "" }) => {
    const { id } = await api.post<{ id: string }>(path, draft("another"));
    const change = (to: string, headers = {}) => api.send("PUT", `${path}/${id}`, { body: { [field]: to }, headers });
    const tag = (await change("first")).headers.get("etag") ?? "";
    expect(tag).toMatch(/\d/);
    const answers = await Promise.all([1, 2, 3, 4].map((at) => change(`second ${at}`, { "if-match": tag })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    await api.send("DELETE", `${path}/${id}`);
  },
);

test.each(RECORD_KINDS.filter(({ field }) => field !== undefined))(
  "of a concurrent change and deletion of one record of $path on the same revision one succeeds",
  async ({ path, draft, field = "" }) => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = await api.post<{ id: string }>(path, draft(`round_${round}`));
      const put = (to: string, headers = {}) => api.send("PUT", `${path}/${id}`, { body: { [field]: to }, headers });
      const headers = { "if-match": (await put("first")).headers.get("etag") ?? "" };
      expect(headers["if-match"]).toMatch(/\d/);
      const change = () => put("second", headers);
      const remove = () => api.send("DELETE", `${path}/${id}`, { headers });
      const answers = await Promise.all(round % 2 === 0 ? [change(), remove()] : [remove(), change()]);
      const statuses = answers.map(({ status }) => status);
      const [winner, loser] = statuses.sort();
      expect({ path, round, winner }).toEqual({ path, round, winner: 200 });
      expect([404, 409]).toContain(loser);
      await api.send("DELETE", `${path}/${id}`);
    }
  },
);
