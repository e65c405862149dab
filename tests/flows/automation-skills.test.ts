import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The API of skills and their folders as programs rely on it: fields and their limits, sizes, rejections.

const MEBIBYTE = 1024 * 1024;
let parley: Parley;
let api: Client;
let models: ModelServer;
let count = 0;

interface Skill {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}
interface Folder {
  readonly skill_md: string;
  readonly reference_md: string;
  readonly truncated: unknown;
}
interface Answered {
  readonly replies: readonly { readonly tool_calls: readonly { readonly status: string; readonly result: string }[] }[];
}

beforeAll(async () => {
  [models, parley] = await Promise.all([startModelServer(), startParley()]);
  api = await parley.signIn();
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});

const createName = () => `skill-${++count}`;
const createSkill = (more: object = {}) => api.post<Skill>("/api/skills", { name: createName(), ...more });
const getFolder = (name: string) => join(parley.root, "data", "skills", name);
const storage = (name: string) => `/api/skills/storage/${encodeURIComponent(name)}`;
const fileAt = (name: string, path: string) => `${storage(name)}/file/${encodeURIComponent(path)}`;
const getCode = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const { status, json } = await api.send(method, path, { ...(body && { body }), headers });
  return `${status} ${json?.code ?? ""}`;
};
const names = async (query: string) =>
  (await api.get<{ items: readonly Skill[] }>(`/api/skills?limit=500&${query}`)).items.map(({ name }) => name);

describe("a skill", () => {
  test("is enabled as a prompt at first, and its files are never executed as answers", async () => {
    const made = await createSkill({ skill_md: "Only for the AI." });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^skill_/),
      description: "",
      aliases: [],
      enabled: true,
      parameters: {},
      implementation: { type: "prompt" },
      has_storage: true,
      scripts: [],
      storage_created: true,
      revision: 1,
    });
    const changed = await api.put<object>(`/api/skills/${made.id}`, { skill_md: "Other words." });
    const listed = await api.get<object>("/api/skills?limit=500");
    for (const answer of [made, changed, listed]) expect(JSON.stringify(answer)).not.toContain("skill_md");
    expect(await api.get(`${storage(made.name)}/skill-md`)).toMatchObject({ content: "Other words." });
  });

  test("has a stable name, and is changed on the current revision only", async () => {
    const { id, name } = await createSkill();
    expect(await getCode("PUT", `/api/skills/${id}`, { name: createName() })).toBe("400 bad_request");
    expect(await getCode("PUT", `/api/skills/${id}`, { description: "a" }, { "if-match": '"1"' })).toBe("200 ");
    expect(await getCode("PUT", `/api/skills/${id}`, { description: "b" }, { "if-match": '"1"' })).toBe("409 conflict");
    expect(existsSync(getFolder(name))).toBe(true);
  });

  test.each<[string, object]>([
    ["a description of 4,000 characters", { description: "茶".repeat(4_000) }],
    ["20 other names", { aliases: Array.from({ length: 20 }, (_, at) => `n${at}`) }],
    ["a SKILL.md of 200,000 characters", { skill_md: "x".repeat(200_000) }],
  ])("may have %s", async (_, more) => {
    expect(await createSkill(more)).toMatchObject({ storage_created: true });
  });

  test.each<[string, object]>([
    ["a description of 4,001 characters", { description: "茶".repeat(4_001) }],
    ["21 other names", { aliases: Array.from({ length: 21 }, (_, at) => `n${at}`) }],
    ["a SKILL.md of 200,001 characters", { skill_md: "x".repeat(200_001) }],
    ["arguments of no object", { parameters: { type: "array" }, implementation: { type: "static", result: "x" } }],
    ["code", { implementation: { type: "javascript", code: "1" } }],
  ])("cannot have %s, and leaves no folder", async (_, more) => {
    const name = createName();
    expect(await getCode("POST", "/api/skills", { name, ...more })).toBe("400 bad_request");
    expect(existsSync(getFolder(name))).toBe(false);
    expect(await names(`q=${name}`)).toEqual([]);
  });

  test("that cannot be stored leaves no folder either", async () => {
    const { id } = await createSkill();
    const name = createName();
    expect(await getCode("POST", "/api/skills", { id, name })).toBe("409 conflict");
    expect(existsSync(getFolder(name))).toBe(false);
  });

  test("is listed by name, and filtered by words and state", async () => {
    const { id } = await createSkill({ name: "zz-owls" });
    await createSkill({ name: "aa-owls" });
    expect(await names("q=OWLS")).toEqual(["aa-owls", "zz-owls"]);
    expect(await api.post(`/api/skills/${id}/toggle`, { enabled: false })).toEqual({ id, enabled: false });
    expect(await names("q=owls&enabled=false")).toEqual(["zz-owls"]);
    expect(await names("q=owls&enabled=true")).toEqual(["aa-owls"]);
  });

  test("that is disabled is not offered from the next turn on", async () => {
    const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
    const { id: chat } = await api.post<{ id: string }>("/api/sessions", { model_id: model.id });
    const { id, name } = await createSkill({ description: "How tea is made." });
    const listEvents = async () => {
      models.script.push({ kind: "text", text: "Yes." });
      await api.post(`/api/sessions/${chat}/chat`, { content: "Hello?" });
      return JSON.stringify(models.requests.at(-1)?.body.messages);
    };
    expect(await listEvents()).toContain(`- ${name}: How tea is made.`);
    await api.post(`/api/skills/${id}/toggle`, { enabled: false });
    expect(await listEvents()).not.toContain(name);
    await api.send("DELETE", `/api/ai-models/${model.id}`);
  });

  test("may have a fixed answer with parameters", async () => {
    const { name } = await createSkill({
      parameters: { type: "object", properties: { item: { type: "string" } } },
      implementation: { type: "static", result: "Closed on {{item}}." },
    });
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const message = { content: `/tool use_skill ${JSON.stringify({ name, arguments: { item: "Monday" } })}` };
    const { replies } = await api.post<Answered>(`/api/sessions/${id}/chat`, message);
    expect(JSON.parse(replies[0]?.tool_calls[0]?.result ?? "null")).toEqual({ answer: "Closed on Monday." });
  });

  test("is inaccessible after its deletion", async () => {
    const { id } = await createSkill();
    await api.send("DELETE", `/api/skills/${id}`);
    expect(await getCode("DELETE", `/api/skills/${id}`)).toBe("404 not_found");
    expect(await getCode("PUT", `/api/skills/${id}`, { description: "x" })).toBe("404 not_found");
    expect(await getCode("POST", `/api/skills/${id}/toggle`, { enabled: true })).toBe("404 not_found");
  });
});

describe("the folder of a skill", () => {
  test("is listed with its files and the beginning of its instructions", async () => {
    const { id, name } = await createSkill({ skill_md: `${"word ".repeat(100)}end` });
    await api.post(`${storage(name)}/script/run.py`, { content: "print(1)" });
    await api.post(fileAt(name, "resources/a.txt"), { content: "a" });
    writeFileSync(join(getFolder(name), "LICENSE.txt"), "MIT");
    const { items } = await api.get<{ items: readonly Readonly<Record<string, unknown>>[] }>(
      "/api/skills/storage?limit=500",
    );
    const found = items.find((one) => one.name === name);
    expect(found).toMatchObject({
      ...{ skill_id: id, has_skill_md: true, has_reference: false, has_license: true },
      ...{ scripts: ["run.py"], resources: ["a.txt"], files_count: 4, size: 503 + 8 + 1 + 3 },
    });
    expect(String(found?.preview).length).toBeLessThanOrEqual(200);
    expect(String(found?.preview)).toMatch(/^word word/);
  });

  test("shows long texts truncated, with a mark", async () => {
    const { name } = await createSkill();
    expect(await api.get<Folder>(storage(name))).toMatchObject({ truncated: false });
    writeFileSync(join(getFolder(name), "reference.md"), "r".repeat(200_001));
    const { reference_md, truncated } = await api.get<Folder>(storage(name));
    expect([reference_md.length, truncated]).toEqual([200_000, true]);
  });

  test("is not found when it does not exist, nor is an unknown file", async () => {
    const { name } = await createSkill();
    await api.send("DELETE", storage(name));
    for (const one of [name, "nowhere", "..", "a b"]) {
      for (const row of ["", "/skill-md", "/reference-md", "/file/a.txt", "/script/a.py"]) {
        expect([one, row, await getCode("GET", `${storage(one)}${row}`)]).toEqual([one, row, "404 not_found"]);
      }
      for (const row of ["/skill-md", "/reference-md", "/file/a.txt", "/script/a.py"]) {
        const code = await getCode("POST", `${storage(one)}${row}`, { content: "x" });
        expect([one, row, code]).toEqual([one, row, "404 not_found"]);
      }
    }
    const { name: other } = await createSkill();
    expect(await getCode("GET", `${storage(other)}/reference-md`)).toBe("404 not_found");
    expect(await getCode("GET", fileAt(other, "none.txt"))).toBe("404 not_found");
  });

  test("contains at most 500 files, and existing ones are replaced", async () => {
    const { name } = await createSkill();
    mkdirSync(join(getFolder(name), "resources"));
    for (let at = 1; at < 500; at += 1) writeFileSync(join(getFolder(name), "resources", `${at}.txt`), "x");
    expect(await getCode("POST", fileAt(name, "one-more.txt"), { content: "x" })).toBe("409 conflict");
    expect(await getCode("POST", fileAt(name, "resources/1.txt"), { content: "y" })).toBe("200 ");
  });

  test("contains at most 50 MiB, and a file 10", async () => {
    const { name } = await createSkill();
    for (const at of [1, 2, 3, 4]) {
      writeFileSync(join(getFolder(name), `${at}.bin`), "");
      truncateSync(join(getFolder(name), `${at}.bin`), 9 * MEBIBYTE);
    }
    const content = (bytes: number) => ({ content: Buffer.alloc(bytes).toString("base64"), encoding: "base64" });
    expect(await getCode("POST", fileAt(name, "a.bin"), content(10 * MEBIBYTE))).toBe("200 ");
    expect(await getCode("POST", fileAt(name, "b.bin"), content(4 * MEBIBYTE))).toBe("413 too_large");
    expect(await getCode("POST", fileAt(name, "c.bin"), content(10 * MEBIBYTE + 1))).toBe("413 too_large");
    expect(readdirSync(getFolder(name)).toSorted()).toEqual(["1.bin", "2.bin", "3.bin", "4.bin", "SKILL.md", "a.bin"]);
  });

  test("has one name for a file, whatever its Unicode normalization", async () => {
    const { name } = await createSkill();
    await api.post(fileAt(name, "cafe\u0301.txt"), { content: "taken apart" });
    expect(await api.get(fileAt(name, "caf\u00e9.txt"))).toMatchObject({
      file_name: "caf\u00e9.txt",
      content: "taken apart",
    });
    expect(readdirSync(getFolder(name)).toSorted()).toEqual(["SKILL.md", "caf\u00e9.txt"]);
  });

  test("does not overwrite a file that changed meanwhile", async () => {
    const { name } = await createSkill();
    const { etag } = await api.post<{ etag: string }>(fileAt(name, "a.txt"), { content: "one" });
    const ifMatch = { "if-match": etag };
    expect(await getCode("POST", fileAt(name, "a.txt"), { content: "two" }, ifMatch)).toBe("200 ");
    expect(await getCode("POST", fileAt(name, "a.txt"), { content: "three" }, ifMatch)).toBe("409 conflict");
    expect(await api.get(fileAt(name, "a.txt"))).toMatchObject({ content: "two", encoding: "utf8" });
  });
});
