import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";

interface Minutes {
  readonly items: readonly { readonly turns: number; readonly messages_in: number }[];
}

test("the last hour of the gateway is still there after a restart", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-hour-"));
  const countAfter = async (questions: number) => {
    await using parley = await startParley({ root });
    const api = await parley.signIn();
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    for (let at = 0; at < questions; at += 1) await api.post(`/api/sessions/${id}/chat`, { content: `hello ${at}` });
    const { items } = await api.get<Minutes>("/api/gateway/minutes");
    return items.reduce((sum, { turns }) => sum + turns, 0);
  };
  try {
    expect(await countAfter(3)).toBe(3);
    expect(await countAfter(2)).toBe(5);
    // Restarts count nothing twice.
    expect(await countAfter(0)).toBe(5);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
