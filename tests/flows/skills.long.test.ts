import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Answered,
  call,
  codeOf,
  form,
  fresh,
  make,
  root,
  SKILL_MD,
  type Skill,
  scene,
  session,
  storage,
  useSkills,
} from "./skills-setup.ts";

useSkills();

const put = (name: string, path: string, content: string) =>
  scene.api.send("POST", `${storage(name)}/file/${encodeURIComponent(path)}`, { body: { content } });
const getAnswer = async (tool: string, args: object) => JSON.parse((await call(tool, args))?.result ?? "null");

describe("a skill", () => {
  test("is read by the model step by step: name, instructions, files", async () => {
    const { name } = await make({ description: "How tea is made here.", skill_md: SKILL_MD });
    await put(name, "brewing.md", "Three minutes at 80 degrees.");
    const { id } = await scene.api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: scene.models.baseUrl,
    });
    scene.models.script.push(
      { kind: "tool", name: "use_skill", args: { name } },
      { kind: "tool", name: "read_skill_file", args: { name, path: "brewing.md" } },
      { kind: "text", text: "Three minutes." },
    );
    const chat = await session({ model_id: id });
    const { replies } = await scene.api.post<Answered>(`/api/sessions/${chat}/chat`, { content: "How long?" });
    expect(replies[0]?.content).toBe("Three minutes.");
    const prompts = scene.models.requests.slice(-3).map(({ body }) => JSON.stringify(body.messages));
    expect(prompts[0]).toContain(`- ${name}: How tea is made here.`);
    expect(prompts[0]).not.toContain("Ask which tea");
    expect(prompts[1]).toContain("Ask which tea");
    expect(prompts[1]).not.toContain("license: MIT");
    expect(prompts[2]).toContain("80 degrees");
    await scene.api.send("DELETE", `/api/ai-models/${id}`);
    expect(await getAnswer("skill_get_info", { name })).toMatchObject({
      license: "MIT",
      allowed_tools: ["search_web", "http_get"],
      metadata: { version: "1.0" },
      files: [{ path: "SKILL.md" }, { path: "brewing.md" }],
    });
  });

  test("is found by its aliases, and unavailable when it is disabled or deleted", async () => {
    const { id, name } = await make({ aliases: ["kettle"], skill_md: "Boil it." });
    expect(await getAnswer("use_skill", { name: "Kettle" })).toMatchObject({ instructions: "Boil it." });
    expect(await getAnswer("skill_list", { query: name })).toMatchObject({ total: 1 });
    await scene.api.post(`/api/skills/${id}/toggle`, { enabled: false });
    expect((await call("use_skill", { name }))?.status ?? "error").toBe("error");
    await scene.api.post(`/api/skills/${id}/toggle`, { enabled: true });
    const gone = await scene.api.send("DELETE", `/api/skills/${id}`);
    expect(gone.json?.data).toEqual({ id, deleted: true, storage_deleted: true });
    expect(existsSync(join(root(), name))).toBe(false);
  });

  test("may send a request, with validated arguments", async () => {
    await scene.api.put("/api/settings", { tools: { allow_private_addresses: true } });
    scene.shop.answers.push({ body: { left: 4 } });
    const { name } = await make({
      parameters: { properties: { item: { type: "string" } }, required: ["item"] },
      implementation: { type: "http", url: `${scene.shop.address}/items/{{item}}`, response_path: "left" },
    });
    expect(await getAnswer("use_skill", { name, arguments: { item: "a/b" } })).toEqual({ answer: "4" });
    expect(scene.shop.calls.at(-1)?.path).toBe("/items/a%2Fb");
    expect(await call("use_skill", { name })).toMatchObject({
      status: "error",
      result: expect.stringContaining("item"),
    });
    const wrong = await scene.api.send("POST", "/api/skills", {
      body: { name: fresh(), implementation: { type: "http", url: "file:///x" } },
    });
    expect(codeOf(wrong)).toBe("400 bad_request");
    const code = await scene.api.send("POST", "/api/skills", {
      body: { name: fresh(), implementation: { type: "python" } },
    });
    expect(codeOf(code)).toBe("400 bad_request");
  });

  test("keeps its folder when only the record is deleted, and its record when only the folder is", async () => {
    const one = await make();
    await scene.api.send("DELETE", `/api/skills/${one.id}?delete_storage=false`);
    const { items } = await scene.api.get<{ items: readonly { name: string; skill_id: string | null }[] }>(
      "/api/skills/storage?limit=500",
    );
    expect(items.find(({ name }) => name === one.name)).toMatchObject({ skill_id: null, has_skill_md: true });
    const other = await make();
    expect((await scene.api.send("DELETE", storage(other.name))).json?.data).toEqual({
      name: other.name,
      deleted: true,
      files: 1,
    });
    const { items: skills } = await scene.api.get<{ items: readonly Skill[] }>("/api/skills?limit=500");
    expect(skills.find(({ id }) => id === other.id)).toMatchObject({ has_storage: false });
  });

  test("has a unique name, whatever its letters", async () => {
    const { name } = await make();
    expect(codeOf(await scene.api.send("POST", "/api/skills", { body: { name: name.toUpperCase() } }))).toBe(
      "409 conflict",
    );
    mkdirSync(join(root(), "left-over"), { recursive: true });
    expect(codeOf(await scene.api.send("POST", "/api/skills", { body: { name: "Left-Over" } }))).toBe("409 conflict");
    for (const bad of ["..", "a/b", "a..b", ".hidden", "-a", "a b", "con", "x".repeat(65), ""]) {
      expect(codeOf(await scene.api.send("POST", "/api/skills", { body: { name: bad } }))).toBe("400 bad_request");
    }
    expect(await make({ name: "茶道" })).toMatchObject({ storage_created: true, has_storage: true });
  });
});

describe("the files of a skill", () => {
  test("are written completely, and not over a concurrent change", async () => {
    const { name } = await make();
    const at = `${storage(name)}/skill-md`;
    const { etag } = await scene.api.get<{ etag: string }>(at);
    const first = await scene.api.send("POST", at, { body: { content: "# One" }, headers: { "if-match": etag } });
    expect(first.status).toBe(200);
    const second = await scene.api.send("POST", at, { body: { content: "# Two" }, headers: { "if-match": etag } });
    expect(codeOf(second)).toBe("409 conflict");
    expect(await scene.api.get(at)).toMatchObject({ content: "# One", size: 5 });
    expect(readdirSync(join(root(), ".incoming"))).toEqual([]);
  });

  test("are text or binary, and scripts are text files that nobody may run", async () => {
    const { name, id } = await make();
    const png = Buffer.from([137, 80, 78, 71, 0, 1]).toString("base64");
    const at = `${storage(name)}/file/resources%2Fa.png`;
    expect((await scene.api.send("POST", at, { body: { content: png, encoding: "base64" } })).status).toBe(200);
    expect(await scene.api.get(at)).toMatchObject({
      content: png,
      encoding: "base64",
      mime_type: "image/png",
      size: 6,
    });
    const raw = await scene.api.send("GET", `${at}?download=true`);
    expect(raw.headers.get("content-disposition")).toContain("a.png");
    expect(codeOf(await scene.api.send("POST", at, { body: { content: "no!", encoding: "base64" } }))).toBe(
      "400 bad_request",
    );
    const script = `${storage(name)}/script/run.py`;
    expect(codeOf(await scene.api.send("POST", script, { body: { content: png, encoding: "base64" } }))).toBe(
      "400 bad_request",
    );
    await scene.api.post(script, { content: "print(1)" });
    expect(lstatSync(join(root(), name, "scripts", "run.py")).mode & 0o111).toBe(0);
    const { items } = await scene.api.get<{ items: readonly Skill[] }>("/api/skills?limit=500");
    expect(items.find((one) => one.id === id)?.scripts).toEqual(["run.py"]);
    const content = await scene.api.get<{ files: readonly { path: string; type: string }[] }>(storage(name));
    expect(content.files.map(({ path, type }) => `${path} ${type}`)).toEqual([
      "SKILL.md core",
      "resources/a.png resource",
      "scripts/run.py script",
    ]);
  });

  test.each([
    ["../other/SKILL.md"],
    ["a/../../b"],
    ["/etc/passwd"],
    ["C:/x"],
    ["a\\b"],
    [".env"],
    ["a/.git/config"],
    ["a/b/c/d/e/f/g/h"],
    ["x".repeat(201)],
    ["nul"],
    ["a\u0001b"],
  ])("are never stored at %j", async (path) => {
    const { name } = await make();
    const before = JSON.stringify(readdirSync(root(), { recursive: true }).toSorted());
    expect(codeOf(await put(name, path, "x"))).toBe("400 bad_request");
    expect((await scene.api.send("GET", `${storage(name)}/file/${encodeURIComponent(path)}`)).status).toBe(400);
    expect(JSON.stringify(readdirSync(root(), { recursive: true }).toSorted())).toBe(before);
  });

  test("are not accessible through links, nor through another skill's name", async () => {
    const { name } = await make();
    const secret = join(scene.parley.root, "secret.txt");
    writeFileSync(secret, "secret");
    symlinkSync(secret, join(root(), name, "link.txt"));
    symlinkSync(scene.parley.root, join(root(), name, "out"));
    symlinkSync(scene.parley.root, join(root(), "linked"));
    for (const path of ["link.txt", "out/secret.txt"]) {
      expect((await scene.api.send("GET", `${storage(name)}/file/${encodeURIComponent(path)}`)).status).toBe(404);
    }
    expect(codeOf(await put(name, "out/new.txt", "x"))).toBe("400 bad_request");
    await put(name, "link.txt", "mine");
    expect(readFileSync(secret, "utf8")).toBe("secret");
    expect((await scene.api.send("GET", storage("linked"))).status).toBe(404);
    expect((await scene.api.send("GET", `${storage("..")}/file/config.ini`)).status).toBe(404);
    const { files } = await scene.api.get<{ files: readonly { path: string }[] }>(storage(name));
    expect(files.map(({ path }) => path)).toEqual(["SKILL.md", "link.txt"]);
  });

  test("have names that differ by more than case", async () => {
    const { name } = await make();
    await put(name, "docs/Guide.md", "a");
    expect(codeOf(await put(name, "docs/guide.md", "b"))).toBe("409 conflict");
    expect(codeOf(await put(name, "Docs/other.md", "b"))).toBe("409 conflict");
    expect(codeOf(await put(name, "docs", "b"))).toBe("409 conflict");
    expect(codeOf(await put(name, "docs/Guide.md/x", "b"))).toBe("409 conflict");
  });

  test("have a size limit", async () => {
    const { name } = await make();
    const big = form({}, [["big.bin", Buffer.alloc(10 * 1024 * 1024 + 1)]], "file");
    expect(codeOf(await scene.api.send("POST", `${storage(name)}/file/big.bin`, big))).toBe("413 too_large");
    expect(
      codeOf(await scene.api.send("POST", `${storage(name)}/skill-md`, { body: { content: "x".repeat(200_001) } })),
    ).toBe("400 bad_request");
  });
});

test("a skill is copied into the workspace of the calling conversation, by its id or name", async () => {
  const { id, name } = await make({ skill_md: "# Counting" });
  await put(name, "scripts/count.py", "print(1)");
  const chat = await session();
  const copied = await call("workspace_skill_copy", { skill_id: id }, chat);
  expect(JSON.parse(copied?.result ?? "null")).toMatchObject({ folder: `skills/${name}`, files_count: 2 });
  const list = `/api/sessions/${chat}/workspace/files`;
  const { items } = await scene.api.get<{ items: readonly { path: string }[] }>(`${list}?recursive=true&path=skills`);
  const files = items.map(({ path }) => path).filter((path) => path.includes("."));
  expect(files.toSorted()).toEqual([`skills/${name}/SKILL.md`, `skills/${name}/scripts/count.py`]);
  // Copying again overwrites changes made in the workspace.
  expect(await call("workspace_skill_copy", { skill_id: name }, chat)).toMatchObject({ status: "ok" });
  expect(await call("workspace_skill_copy", { skill_id: "skill_none" }, chat)).toMatchObject({
    status: "error",
    result: expect.stringContaining("not_found"),
  });
});
