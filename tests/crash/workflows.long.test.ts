import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const PASSWORD = "correct horse";
interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly error: string | null;
  readonly trigger: string;
}
interface Detail {
  readonly run: Run;
  readonly steps: readonly { readonly key: string; readonly state: string; readonly attempts: number }[];
}

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-workflows-"));
  const killing = join(dirname(import.meta.filename), "killing-plugin.ts");
  writeFileSync(
    join(root, "config.ini"),
    `[plugins]\nkilling-tool = ${killing}\n\n[mcp]\nadmin = true\n\n[log]\nlevel = warn\n`,
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const aim = (at: string) => writeFileSync(join(root, "aim"), at);
const world = () =>
  existsSync(join(root, "world")) ? readFileSync(join(root, "world"), "utf8").trim().split("\n") : [];
const line = (text: string) => ({ id: text, action: "tool", input: { name: "leave_line", arguments: { text } } });

async function signIn({ address }: ParleyProcess): Promise<Client> {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}

test("a killed run continues after its completed steps, and ends at a step with an unknown outcome", async () => {
  const start = () => startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD } });
  let running = await start();
  let api = await signIn(running);
  const steps = (name: string) => [
    line(`${name}-1`),
    { id: "ask", action: "ai", input: { prompt: "hello" } },
    line(`${name}-2`),
    line(`${name}-3`),
  ];
  const made = async (name: string, more: object = {}) =>
    (await api.post<{ id: string }>("/api/workflows", { name, description: "d", steps: steps(name), ...more })).id;

  // Killed during a tool call, before and after its effect.
  const killed: string[] = [];
  for (const [name, when] of [
    ["early", "before"],
    ["late", "after"],
  ] as const) {
    const id = await made(name);
    aim(`${name}-2 ${when}`);
    const { run_id } = await api.post<Run>(`/api/workflows/${id}/execute`, {});
    expect(await running.ended).toBe("SIGKILL");
    killed.push(run_id);
    aim("");
    running = await start();
    api = await signIn(running);
    await eventually(async () => {
      const { run, steps: did } = await api.get<Detail>(`/api/runs/${run_id}`);
      expect(run).toMatchObject({ status: "failed", error_code: "interrupted" });
      expect(did.map(({ key, state }) => `${key} ${state}`)).toEqual([
        `${name}-1 done`,
        "ask done",
        "ask.1 done",
        `${name}-2 unknown`,
      ]);
    });
    // A new run of the same workflow completes.
    const again = await api.post<Run>(`/api/workflows/${id}/execute`, { wait: true });
    expect(again).toMatchObject({ status: "success" });
  }
  const lines = (name: string) => world().filter((text) => text.startsWith(name));
  expect(lines("early")).toEqual(["early-1", "early-1", "early-2", "early-3"]);
  expect(lines("late")).toEqual(["late-1", "late-2", "late-1", "late-2", "late-3"]);

  // Killed while waiting: earlier steps are not repeated, and the wait does not start again.
  const steady = [line("steady-1"), { id: "wait", action: "delay", input: { seconds: 3 } }, line("steady-2")];
  const id = await made("steady", { steps: steady });
  const { run_id } = await api.post<Run>(`/api/workflows/${id}/execute`, {});
  await eventually(async () =>
    expect((await api.get<Detail>(`/api/runs/${run_id}`)).steps.map(({ key }) => key)).toEqual(["steady-1", "wait"]),
  );
  running.child.kill("SIGKILL");
  await running.ended;
  running = await start();
  api = await signIn(running);
  await eventually(async () => expect((await api.get<Detail>(`/api/runs/${run_id}`)).run.status).toBe("success"));
  expect(lines("steady")).toEqual(["steady-1", "steady-2"]);

  // A run that was due while the service was down is caught up, once.
  const at = Date.now() + 1_000;
  const task = { name: "once", prompt: "hello", trigger: "date", config: { run_at: new Date(at).toISOString() } };
  const made2 = await api.post<{ id: string }>("/api/task-center", task);
  running.child.kill("SIGKILL");
  await running.ended;
  await eventually(() => expect(Date.now()).toBeGreaterThan(at));
  running = await start();
  api = await signIn(running);
  await eventually(async () => {
    const { items } = await api.get<{ items: readonly Run[] }>(`/api/runs?owner_id=${made2.id}`);
    expect(items).toMatchObject([{ status: "success", trigger: "date" }]);
  });
  expect(await running.stop()).toBe(0);
}, 180_000);
