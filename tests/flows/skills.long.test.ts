import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { LiveEvents, writeArchive } from "@parley/core";
import { type ModelServer, type ReplayServer, startModelServer, startReplayServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Answer, Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The offline model calls a tool when it is told `/tool name {…}`.

let parley: Parley;
let api: Client;
let shop: ReplayServer;
let models: ModelServer;
let count = 0;

interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly has_storage: boolean;
  readonly scripts: readonly string[];
  readonly storage_created: boolean;
}
interface Answered {
  readonly replies: readonly {
    readonly content: string;
    readonly tool_calls: readonly { readonly name: string; readonly status: string; readonly result: string }[];
  }[];
}

beforeAll(async () => {
  shop = await startReplayServer();
  models = await startModelServer();
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const root = () => join(parley.root, "data", "skills");
const fresh = () => `skill-${++count}`;
const make = (more: object = {}) => api.post<Skill>("/api/skills", { name: fresh(), ...more });
const storage = (name: string) => `/api/skills/storage/${encodeURIComponent(name)}`;
const put = (name: string, path: string, content: string) =>
  api.send("POST", `${storage(name)}/file/${encodeURIComponent(path)}`, { body: { content } });
const session = async (more: object = {}) => (await api.post<{ id: string }>("/api/sessions", more)).id;
const call = async (tool: string, args: object, id?: string) => {
  const message = { content: `/tool ${tool} ${JSON.stringify(args)}` };
  const { replies } = await api.post<Answered>(`/api/sessions/${id ?? (await session())}/chat`, message);
  return replies[0]?.tool_calls[0];
};
const answerOf = async (tool: string, args: object) => JSON.parse((await call(tool, args))?.result ?? "null");

/** A form as browsers send it. */
function form(
  fields: Readonly<Record<string, string>>,
  files: readonly (readonly [string, string | Uint8Array])[],
  field = "files",
) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const chunks = files.flatMap(([name, bytes]) => [
    Buffer.from(
      `--part\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(bytes),
    Buffer.from("\r\n"),
  ]);
  const body = Buffer.concat([Buffer.from(parts.join("")), ...chunks, Buffer.from("--part--\r\n")]);
  return { body, headers: { "content-type": "multipart/form-data; boundary=part" } };
}
const upload = (
  fields: Readonly<Record<string, string>>,
  files: readonly (readonly [string, string | Uint8Array])[],
  field?: string,
) => api.send("POST", "/api/skills/upload-folder", form(fields, files, field));
const codeOf = ({ status, json }: Answer) => `${status} ${json?.code ?? ""}`;

const SKILL_MD = `---
name: tea
description: How tea is made here.
license: MIT
allowed-tools: search_web, http_get
metadata:
  version: "1.0"
---

Ask which tea, then read brewing.md.
`;

describe("a skill", () => {
  test("is read by the model step by step: name, instructions, files", async () => {
    const { name } = await make({ description: "How tea is made here.", skill_md: SKILL_MD });
    await put(name, "brewing.md", "Three minutes at 80 degrees.");
    const { id } = await api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: models.baseUrl,
    });
    models.script.push(
      { kind: "tool", name: "use_skill", args: { name } },
      { kind: "tool", name: "read_skill_file", args: { name, path: "brewing.md" } },
      { kind: "text", text: "Three minutes." },
    );
    const chat = await session({ model_id: id });
    const { replies } = await api.post<Answered>(`/api/sessions/${chat}/chat`, { content: "How long?" });
    expect(replies[0]?.content).toBe("Three minutes.");
    const prompts = models.requests.slice(-3).map(({ body }) => JSON.stringify(body.messages));
    expect(prompts[0]).toContain(`- ${name}: How tea is made here.`);
    expect(prompts[0]).not.toContain("Ask which tea");
    expect(prompts[1]).toContain("Ask which tea");
    expect(prompts[1]).not.toContain("license: MIT");
    expect(prompts[2]).toContain("80 degrees");
    await api.send("DELETE", `/api/ai-models/${id}`);
    expect(await answerOf("skill_get_info", { name })).toMatchObject({
      license: "MIT",
      allowed_tools: ["search_web", "http_get"],
      metadata: { version: "1.0" },
      files: [{ path: "SKILL.md" }, { path: "brewing.md" }],
    });
  });

  test("is found by its aliases, and unavailable when it is disabled or deleted", async () => {
    const { id, name } = await make({ aliases: ["kettle"], skill_md: "Boil it." });
    expect(await answerOf("use_skill", { name: "Kettle" })).toMatchObject({ instructions: "Boil it." });
    expect(await answerOf("skill_list", { query: name })).toMatchObject({ total: 1 });
    await api.post(`/api/skills/${id}/toggle`, { enabled: false });
    expect((await call("use_skill", { name }))?.status ?? "error").toBe("error");
    await api.post(`/api/skills/${id}/toggle`, { enabled: true });
    const gone = await api.send("DELETE", `/api/skills/${id}`);
    expect(gone.json?.data).toEqual({ id, deleted: true, storage_deleted: true });
    expect(existsSync(join(root(), name))).toBe(false);
  });

  test("may send a request, with validated arguments", async () => {
    await api.put("/api/settings", { tools: { allow_private_addresses: true } });
    shop.answers.push({ body: { left: 4 } });
    const { name } = await make({
      parameters: { properties: { item: { type: "string" } }, required: ["item"] },
      implementation: { type: "http", url: `${shop.address}/items/{{item}}`, response_path: "left" },
    });
    expect(await answerOf("use_skill", { name, arguments: { item: "a/b" } })).toEqual({ answer: "4" });
    expect(shop.calls.at(-1)?.path).toBe("/items/a%2Fb");
    expect(await call("use_skill", { name })).toMatchObject({
      status: "error",
      result: expect.stringContaining("item"),
    });
    const wrong = await api.send("POST", "/api/skills", {
      body: { name: fresh(), implementation: { type: "http", url: "file:///x" } },
    });
    expect(codeOf(wrong)).toBe("400 bad_request");
    const code = await api.send("POST", "/api/skills", { body: { name: fresh(), implementation: { type: "python" } } });
    expect(codeOf(code)).toBe("400 bad_request");
  });

  test("keeps its folder when only the record is deleted, and its record when only the folder is", async () => {
    const one = await make();
    await api.send("DELETE", `/api/skills/${one.id}?delete_storage=false`);
    const { items } = await api.get<{ items: readonly { name: string; skill_id: string | null }[] }>(
      "/api/skills/storage?limit=500",
    );
    expect(items.find(({ name }) => name === one.name)).toMatchObject({ skill_id: null, has_skill_md: true });
    const other = await make();
    expect((await api.send("DELETE", storage(other.name))).json?.data).toEqual({
      name: other.name,
      deleted: true,
      files: 1,
    });
    const { items: skills } = await api.get<{ items: readonly Skill[] }>("/api/skills?limit=500");
    expect(skills.find(({ id }) => id === other.id)).toMatchObject({ has_storage: false });
  });

  test("has a unique name, whatever its letters", async () => {
    const { name } = await make();
    expect(codeOf(await api.send("POST", "/api/skills", { body: { name: name.toUpperCase() } }))).toBe("409 conflict");
    mkdirSync(join(root(), "left-over"), { recursive: true });
    expect(codeOf(await api.send("POST", "/api/skills", { body: { name: "Left-Over" } }))).toBe("409 conflict");
    for (const bad of ["..", "a/b", "a..b", ".hidden", "-a", "a b", "con", "x".repeat(65), ""]) {
      expect(codeOf(await api.send("POST", "/api/skills", { body: { name: bad } }))).toBe("400 bad_request");
    }
    expect(await make({ name: "茶道" })).toMatchObject({ storage_created: true, has_storage: true });
  });
});

describe("the files of a skill", () => {
  test("are written completely, and not over a concurrent change", async () => {
    const { name } = await make();
    const at = `${storage(name)}/skill-md`;
    const { etag } = await api.get<{ etag: string }>(at);
    const first = await api.send("POST", at, { body: { content: "# One" }, headers: { "if-match": etag } });
    expect(first.status).toBe(200);
    const second = await api.send("POST", at, { body: { content: "# Two" }, headers: { "if-match": etag } });
    expect(codeOf(second)).toBe("409 conflict");
    expect(await api.get(at)).toMatchObject({ content: "# One", size: 5 });
    expect(readdirSync(join(root(), ".incoming"))).toEqual([]);
  });

  test("are text or binary, and scripts are text files that nobody may run", async () => {
    const { name, id } = await make();
    const png = Buffer.from([137, 80, 78, 71, 0, 1]).toString("base64");
    const at = `${storage(name)}/file/resources%2Fa.png`;
    expect((await api.send("POST", at, { body: { content: png, encoding: "base64" } })).status).toBe(200);
    expect(await api.get(at)).toMatchObject({ content: png, encoding: "base64", mime_type: "image/png", size: 6 });
    const raw = await api.send("GET", `${at}?download=true`);
    expect(raw.headers.get("content-disposition")).toContain("a.png");
    expect(codeOf(await api.send("POST", at, { body: { content: "no!", encoding: "base64" } }))).toBe(
      "400 bad_request",
    );
    const script = `${storage(name)}/script/run.py`;
    expect(codeOf(await api.send("POST", script, { body: { content: png, encoding: "base64" } }))).toBe(
      "400 bad_request",
    );
    await api.post(script, { content: "print(1)" });
    expect(lstatSync(join(root(), name, "scripts", "run.py")).mode & 0o111).toBe(0);
    const { items } = await api.get<{ items: readonly Skill[] }>("/api/skills?limit=500");
    expect(items.find((one) => one.id === id)?.scripts).toEqual(["run.py"]);
    const content = await api.get<{ files: readonly { path: string; type: string }[] }>(storage(name));
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
    expect((await api.send("GET", `${storage(name)}/file/${encodeURIComponent(path)}`)).status).toBe(400);
    expect(JSON.stringify(readdirSync(root(), { recursive: true }).toSorted())).toBe(before);
  });

  test("are not accessible through links, nor through another skill's name", async () => {
    const { name } = await make();
    const secret = join(parley.root, "secret.txt");
    writeFileSync(secret, "secret");
    symlinkSync(secret, join(root(), name, "link.txt"));
    symlinkSync(parley.root, join(root(), name, "out"));
    symlinkSync(parley.root, join(root(), "linked"));
    for (const path of ["link.txt", "out/secret.txt"]) {
      expect((await api.send("GET", `${storage(name)}/file/${encodeURIComponent(path)}`)).status).toBe(404);
    }
    expect(codeOf(await put(name, "out/new.txt", "x"))).toBe("400 bad_request");
    await put(name, "link.txt", "mine");
    expect(readFileSync(secret, "utf8")).toBe("secret");
    expect((await api.send("GET", storage("linked"))).status).toBe(404);
    expect((await api.send("GET", `${storage("..")}/file/config.ini`)).status).toBe(404);
    const { files } = await api.get<{ files: readonly { path: string }[] }>(storage(name));
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
    expect(codeOf(await api.send("POST", `${storage(name)}/file/big.bin`, big))).toBe("413 too_large");
    expect(
      codeOf(await api.send("POST", `${storage(name)}/skill-md`, { body: { content: "x".repeat(200_001) } })),
    ).toBe("400 bad_request");
  });
});

describe("an uploaded folder", () => {
  test("becomes a skill, by its header and its configuration", async () => {
    const folder_name = fresh();
    const answer = await upload(
      { folder_name, skill_config: JSON.stringify({ aliases: ["brew"], name: "ignored", unknown: 1 }) },
      [
        ["tea/SKILL.md", SKILL_MD],
        ["tea/scripts/run.py", "print(1)"],
        ["tea/.DS_Store", "x"],
        ["tea/.git/config", "x"],
      ],
    );
    expect(answer.json?.data).toMatchObject({
      files_count: 2,
      skipped: 2,
      skill: { name: folder_name, description: "How tea is made here.", aliases: ["brew"], scripts: ["run.py"] },
    });
    expect(codeOf(await upload({ folder_name }, [["SKILL.md", "# New"]]))).toBe("409 conflict");
    const again = await upload({ folder_name, overwrite: "true" }, [["SKILL.md", "# New"]]);
    expect(again.json?.data).toMatchObject({
      files_count: 1,
      skill: { scripts: [], description: "How tea is made here." },
    });
    expect(readdirSync(join(root(), folder_name))).toEqual(["SKILL.md"]);
  });

  test("is found in an archive at any depth, and whatever the case of SKILL.md", async () => {
    const text = "---\ndescription: Brews tea\n---\nBoil water.";
    const archives: readonly (readonly [name: string, files: readonly (readonly [string, string])[]])[] = [
      [
        "deep-tea",
        [
          ["repo-main/skills/tea/SKILL.md", text],
          ["repo-main/skills/tea/scripts/a.py", "1"],
          ["repo-main/README.md", "x"],
        ],
      ],
      ["small-tea", [["skill.md", text]]],
      [
        "tea",
        [
          ["skills/tea/Skill.md", text],
          ["skills/coffee/SKILL.md", "other"],
        ],
      ],
      [
        "outer-tea",
        [
          ["SKILL.md", text],
          ["examples/sub/SKILL.md", "other"],
        ],
      ],
    ];
    for (const [folder_name, files] of archives) {
      const archive = await writeArchive(files.map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) })));
      const answer = await upload({ folder_name }, [["tea.zip", archive]], "archive");
      expect(answer.json?.data, folder_name).toMatchObject({ skill: { description: "Brews tea" } });
      const { content } = await api.get<{ content: string }>(`/api/skills/storage/${folder_name}/skill-md`);
      expect(content).toContain("Boil water.");
    }
    const two = await writeArchive([
      { name: "a/SKILL.md", bytes: Buffer.from(text) },
      { name: "b/SKILL.md", bytes: Buffer.from(text) },
    ]);
    const both = await upload({ folder_name: "either" }, [["two.zip", two]], "archive");
    expect(both.json?.data).toMatchObject({
      skill: { name: "a" },
      skills: [
        { name: "a", description: "Brews tea" },
        { name: "b", description: "Brews tea" },
      ],
      files_count: 2,
      skipped: 0,
    });
    expect(codeOf(await upload({ folder_name: "either" }, [["two.zip", two]], "archive"))).toBe("409 conflict");
    const ambiguous = { folder_name: "either", skill_md: SKILL_MD };
    expect(codeOf(await upload(ambiguous, [["two.zip", two]], "archive"))).toBe("400 bad_request");
  });

  test("in an archive with an existing skill is not stored, nor are the others", async () => {
    const archive = await writeArchive(
      ["fresh-one", "tea"].map((name) => ({ name: `${name}/SKILL.md`, bytes: Buffer.from(SKILL_MD) })),
    );
    await upload({ folder_name: "tea", overwrite: "true" }, [["SKILL.md", SKILL_MD]]);
    expect(codeOf(await upload({ folder_name: "all" }, [["two.zip", archive]], "archive"))).toBe("409 conflict");
    expect(readdirSync(root())).not.toContain("fresh-one");
  });

  test.each([
    ["a character card", ["character.json", "portrait.png"]],
    ["a Word document", ["[Content_Types].xml", "word/document.xml"]],
    ["a Node.js package", ["package/package.json", "package/index.js"]],
    ["a folder of pictures", ["a.png", "b/c.jpg"]],
    ["a folder with notes.docx, a.bin", ["notes.docx", "a.bin"]],
  ])("is rejected as an archive that contains %s", async (what, names) => {
    const archive = await writeArchive(names.map((name) => ({ name, bytes: Buffer.from("x") })));
    const answer = await upload({ folder_name: fresh() }, [["x.zip", archive]], "archive");
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.json?.error).toBe(`archive: there is no SKILL.md in it: it looks like ${what}`);
  });

  test("may be an archive", async () => {
    const folder_name = fresh();
    const archive = await writeArchive([
      { name: "tea/SKILL.md", bytes: Buffer.from(SKILL_MD) },
      { name: "__MACOSX/tea/._SKILL.md", bytes: Buffer.from("x") },
    ]);
    const answer = await upload({ folder_name }, [["tea.zip", archive]], "archive");
    expect(answer.json?.data).toMatchObject({ files_count: 1, skipped: 1, skill: { has_storage: true } });
  });

  test.each<[string, () => Promise<Answer>, string]>([
    ["a name that climbs", () => upload({ folder_name: "../x" }, [["SKILL.md", "x"]]), "400 bad_request"],
    ["a file that climbs", () => upload({ folder_name: "climbs" }, [["../../x", "x"]]), "400 bad_request"],
    [
      "names that differ in case alone",
      () =>
        upload({ folder_name: "twins" }, [
          ["A.md", "x"],
          ["a.md", "y"],
        ]),
      "400 bad_request",
    ],
    [
      "a file below a file",
      () =>
        upload({ folder_name: "below" }, [
          ["a", "x"],
          ["a/b", "y"],
        ]),
      "400 bad_request",
    ],
    ["nothing in it", () => upload({ folder_name: "nothing" }, []), "400 bad_request"],
    [
      "a configuration that is no object",
      () => upload({ folder_name: "list", skill_config: "[]" }, [["SKILL.md", "x"]]),
      "400 bad_request",
    ],
    [
      "a head that is no YAML",
      () => upload({ folder_name: "head" }, [["SKILL.md", "---\na: [\n---\n"]]),
      "400 bad_request",
    ],
    [
      "a head of aliases",
      () => upload({ folder_name: "bomb" }, [["SKILL.md", "---\na: &a [x]\nb: [*a, *a]\n---\n"]]),
      "400 bad_request",
    ],
    [
      "too many files",
      () =>
        upload(
          { folder_name: "many" },
          Array.from({ length: 501 }, (_, at) => [`f${at}.md`, "x"] as const),
        ),
      "413 too_large",
    ],
    [
      "an archive that climbs",
      async () =>
        upload(
          { folder_name: "zip" },
          [
            [
              "a.zip",
              Buffer.from(
                Buffer.from(await writeArchive([{ name: "aa/evil.md", bytes: Buffer.from("x") }]))
                  .toString("latin1")
                  .replaceAll("aa/evil", "../evil"),
                "latin1",
              ),
            ],
          ],
          "archive",
        ),
      "400 bad_request",
    ],
    [
      "an archive that is a bomb",
      async () => upload({ folder_name: "zip" }, [["a.zip", Buffer.from("PK\u0003\u0004 nonsense")]], "archive"),
      "400 bad_request",
    ],
  ])("is rejected with %s, and nothing of it is stored", async (_, send, expected) => {
    const before = readdirSync(root()).toSorted();
    expect(codeOf(await send())).toBe(expected);
    expect(readdirSync(root()).toSorted()).toEqual(before);
  });
});

test("a skill is copied into the workspace of the calling conversation, by its id or name", async () => {
  const { id, name } = await make({ skill_md: "# Counting" });
  await put(name, "scripts/count.py", "print(1)");
  const chat = await session();
  const copied = await call("workspace_skill_copy", { skill_id: id }, chat);
  expect(JSON.parse(copied?.result ?? "null")).toMatchObject({ folder: `skills/${name}`, files_count: 2 });
  const list = `/api/sessions/${chat}/workspace/files`;
  const { items } = await api.get<{ items: readonly { path: string }[] }>(`${list}?recursive=true&path=skills`);
  const files = items.map(({ path }) => path).filter((path) => path.includes("."));
  expect(files.toSorted()).toEqual([`skills/${name}/SKILL.md`, `skills/${name}/scripts/count.py`]);
  // What was changed there is as in the skill again.
  expect(await call("workspace_skill_copy", { skill_id: name }, chat)).toMatchObject({ status: "ok" });
  expect(await call("workspace_skill_copy", { skill_id: "skill_none" }, chat)).toMatchObject({
    status: "error",
    result: expect.stringContaining("not_found"),
  });
});

/** Calls a tool that asks a person, who agrees. */
async function confirmed(tool: string, args: object, id?: string) {
  const chat = id ?? (await session());
  const asked = Promise.withResolvers<string>();
  const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
    if (type === "exec_confirm_request" && session_id === chat) asked.resolve(String(payload.request_id));
  });
  const answering = call(tool, args, chat);
  await api.post(`/api/confirmations/${await asked.promise}`, { approved: true });
  stop();
  return answering;
}

const isRoot = process.getuid?.() === 0;
const hasSandbox = existsSync("/usr/bin/bwrap") && !isRoot;
const SETTINGS = { features: { skill_scripts: true, exec_command: true } };
const OFF = { features: { skill_scripts: false, exec_command: false } };

/** A server that notes who comes, and a script that tries to come. */
async function listener() {
  const seen: string[] = [];
  const server = createServer((socket) => {
    seen.push("somebody");
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const dial = `require("node:net").connect(${port}, "127.0.0.1").on("connect", () => { console.log("reached"); process.exit(); }).on("error", (error) => console.log("refused", error.code));`;
  return {
    seen,
    port,
    dial,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

afterEach(() => api.put("/api/settings", OFF));

describe("a script", () => {
  test("is run for nobody while the setting is off", async () => {
    const { name } = await make();
    await api.post(`${storage(name)}/script/run.sh`, { content: "echo hello" });
    expect(await call("run_skill_script", { name, script: "run.sh" })).toBeUndefined();
  });

  test.skipIf(hasSandbox)("is rejected with the reason where no sandbox is available", async () => {
    await api.put("/api/settings", SETTINGS);
    const { name } = await make();
    await api.post(`${storage(name)}/script/run.sh`, { content: "echo hello" });
    const rejected = {
      status: "error",
      result: expect.stringContaining(isRoot ? "runs as root" : "bwrap is not installed"),
    };
    expect(await confirmed("run_skill_script", { name, script: "run.sh" })).toMatchObject(rejected);
  });

  test.runIf(hasSandbox)("runs after a person's confirmation, in a sandbox", async () => {
    await api.put("/api/settings", SETTINGS);
    const { name } = await make();
    const probe = `echo "args $1"; id -u; cat ${parley.root}/config.ini; echo x > /skill/new; ls /; env; echo end`;
    await api.post(`${storage(name)}/script/run.sh`, { content: probe });
    const ran = await confirmed("run_skill_script", { name, script: "run.sh", args: ["$(reboot)"] });
    const { exit_code, output } = JSON.parse(ran?.result ?? "null");
    expect(exit_code).toBe(0);
    expect(output).toContain("args $(reboot)");
    expect(output).toMatch(/config\.ini.*No such file/);
    expect(output).toMatch(/new.*Read-only/i);
    expect(output).not.toContain("SVC_");
    expect(output.trim().endsWith("end")).toBe(true);
    expect(existsSync(join(root(), name, "new"))).toBe(false);
    const gone = await confirmed("run_skill_script", { name, script: "../../x.sh" });
    expect(gone).toMatchObject({ status: "error", result: expect.stringContaining("bad_request") });
  });

  test.runIf(hasSandbox)("has no network access, not even to this machine", async () => {
    await api.put("/api/settings", SETTINGS);
    await using server = await listener();
    const { name } = await make();
    await api.post(`${storage(name)}/script/dial.cjs`, { content: server.dial });
    const ran = await confirmed("run_skill_script", { name, script: "dial.cjs" });
    expect(JSON.parse(ran?.result ?? "null").output).toMatch(/refused E/);
    expect(server.seen).toEqual([]);
  });
});

describe("a command", () => {
  test("is offered to nobody while the setting is off", async () => {
    expect(await call("exec_command", { command: "ls" })).toBeUndefined();
  });

  test("does not run without a person's confirmation", async () => {
    await api.put("/api/settings", SETTINGS);
    const chat = await session();
    const asked = Promise.withResolvers<string>();
    const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type === "exec_confirm_request" && session_id === chat) asked.resolve(String(payload.request_id));
    });
    const answering = call("exec_command", { command: "echo x > made.txt" }, chat);
    await api.post(`/api/confirmations/${await asked.promise}`, { approved: false });
    stop();
    expect(await answering).toMatchObject({ status: "denied" });
    const { total } = await api.get<{ total: number }>(`/api/sessions/${chat}/workspace/files`);
    expect(total).toBe(0);
  });

  test.runIf(hasSandbox)("works on the files of its conversation alone, and reports its changes", async () => {
    await api.put("/api/settings", SETTINGS);
    const chat = await session();
    await call("workspace_create_file", { filename: "a.txt", content: "one" }, chat);
    const cards: object[] = [];
    const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type === "change_card" && session_id === chat) cards.push(payload);
    });
    const command = `cat a.txt; echo two >> a.txt; mkdir -p out; echo new > out/b.txt; ln -s /etc/passwd link; ls ${parley.root}; env; exit 3`;
    const ran = await confirmed("exec_command", { command }, chat);
    stop();
    const { exit_code, output } = JSON.parse(ran?.result ?? "null");
    expect(exit_code).toBe(3);
    expect(output).toContain("one");
    expect(output).toContain("No such file");
    expect(output).not.toContain("SVC_");
    expect(cards.at(-1)).toMatchObject({
      changes: [
        { path: "a.txt", action: "edit" },
        { path: "out/b.txt", action: "upload" },
      ],
      is_complete: true,
    });
    const { items } = await api.get<{ items: readonly { path: string }[] }>(
      `/api/sessions/${chat}/workspace/files?recursive=true`,
    );
    expect(items.map(({ path }) => path)).toEqual(["out", "a.txt", "out/b.txt"]);
  });

  test.runIf(hasSandbox).each([
    ["bytes", "for i in $(seq 140); do truncate -s 16M many/$i; done; sleep 20"],
    ["files", 'for i in $(seq 30); do touch $(seq -f "many/$i-%g" 500); done; sleep 20'],
  ])(
    "that fills its workspace with %s is ended, and none runs there until there is space again",
    async (_, command) => {
      await api.put("/api/settings", SETTINGS);
      const chat = await session();
      const full = { status: "error", result: expect.stringMatching(/conflict.*workspace/) };
      expect(await confirmed("exec_command", { command: `mkdir many; ${command}`, timeout: 60 }, chat)).toMatchObject(
        full,
      );
      expect(await confirmed("exec_command", { command: "ls" }, chat)).toMatchObject(full);
      await api.send("DELETE", `/api/sessions/${chat}/workspace/files/many?recursive=true`);
      expect(await confirmed("exec_command", { command: "ls" }, chat)).toMatchObject({ status: "ok" });
    },
  );

  test.runIf(hasSandbox)("ends at its time limit, and has no network access", async () => {
    await api.put("/api/settings", SETTINGS);
    await using server = await listener();
    const late = await confirmed("exec_command", { command: "sleep 60", timeout: 1 });
    expect(late).toMatchObject({ status: "error", result: expect.stringContaining("timed_out") });
    const dial = `python3 -c 'import socket; socket.create_connection(("127.0.0.1", ${server.port}), 2)' 2>&1 | tail -1`;
    const ran = await confirmed("exec_command", { command: dial });
    expect(JSON.parse(ran?.result ?? "null").output).toMatch(/Error|not found/);
    expect(server.seen).toEqual([]);
  });
});
