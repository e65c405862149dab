import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillDetail, Gateway, LiveEvents, type Message, type Tool, ToolTables, type WorkspaceItem } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOfficeFile } from "../harness/files/office-files.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const SHARED = "/api/workspace/shared";

const desk = createFakeChannel("desk");
let parley: Parley;
let api: Client;
let session: string;
let own: string;
let programs: string;

beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), "parley-programs-"));
  const soffice = join(programs, "soffice");
  // A substitute for LibreOffice: the last arguments are `--outdir <folder> <file>`.
  const script = `#!/bin/sh
for last; do :; done
out="$(dirname "$last")/out"
mkdir -p "$out"
case "$(cat "$HOME/../converter-does" 2>/dev/null)" in
  fail) exit 1 ;;
  nothing) exit 0 ;;
esac
echo run >> "$HOME/../converter-runs"
printf '%%PDF-1.7 made' > "$out/in.pdf"
`;
  writeFileSync(soffice, script);
  chmodSync(soffice, 0o755);
  parley = await startParley({
    plugins: [desk.plugin],
    config: `[plugin.files]\nsoffice = ${soffice}\nconvert_with_network = on\n`,
  });
  api = await parley.signIn();
  await api.post("/api/channels", {
    id: "desk",
    name: "Desk",
    type: "desk",
    capabilities: { supports_file_send: true },
  });
  session = (await api.post<{ id: string }>("/api/sessions", { name: "work" })).id;
  own = `/api/sessions/${session}/workspace`;
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(programs, { recursive: true });
});

const send = (path: string, form: FormData, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${parley.address}${path}`, {
    method: "POST",
    body: form,
    headers: { authorization: `Bearer ${api.token}`, ...headers },
  });

interface Uploads {
  readonly code?: string;
  readonly data?: {
    readonly items: readonly WorkspaceItem[];
    readonly failed: readonly { readonly filename: string }[];
  };
}

async function upload(
  files: readonly File[],
  folder?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Uploads & { readonly status: number }> {
  const form = new FormData();
  for (const file of files) form.append("file", file);
  if (folder !== undefined) form.append("path", folder);
  const answer = await send(`${own}/upload`, form, headers);
  return { status: answer.status, ...((await answer.json()) as Uploads) };
}

const file = (name: string, content = "words") => new File([content], name);
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${parley.address}${path}`, { headers: { authorization: `Bearer ${api.token}`, ...headers } });

test("files are uploaded into the named folder, and announced", async () => {
  const events: unknown[] = [];
  const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
    if (type.startsWith("workspace_")) events.push([type, session_id, payload.path]);
  });
  const { status, data } = await upload([file("a.txt"), file("../b .txt")], "drafts/old");
  stop();
  expect(status).toBe(200);
  expect(data?.items.map(({ path }) => path)).toEqual(["drafts/old/a.txt", "drafts/old/_b .txt"]);
  expect(events).toHaveLength(4);
  expect(events[0]).toEqual(["workspace_file_uploaded", session, "drafts/old/a.txt"]);
  expect(events[1]).toEqual(["workspace_file_changed", session, "drafts/old/a.txt"]);
});

test("of several files the valid ones are stored", async () => {
  await api.put("/api/settings", { files: { max_upload_mb: 1 } });
  const large = new File([Buffer.alloc(2 * 1024 * 1024)], "large.bin");
  const several = await upload([file("small-1.txt"), large, file("small-2.txt")]);
  expect(several.data?.items.map(({ name }) => name)).toEqual(["small-1.txt", "small-2.txt"]);
  expect(several.data?.failed).toMatchObject([{ filename: "large.bin" }]);
  expect(await upload([large])).toMatchObject({ status: 413, code: "too_large" });
  await api.put("/api/settings", { files: { max_upload_mb: 50 } });
  expect(readdirSync(join(parley.root, "data", "workspaces", "_meta", "parts"))).toEqual([]);
});

test("an upload with nothing, too many files, other fields or no folder is rejected", async () => {
  expect(await upload([])).toMatchObject({ status: 400 });
  expect(await upload(Array.from({ length: 21 }, (_, at) => file(`${at}.txt`)))).toMatchObject({ status: 400 });
  for (const folder of ["..", "/etc", "a/../..", "_meta", "C:\\x"]) {
    expect(await upload([file("a.txt")], folder)).toMatchObject({ status: 400, code: "bad_request" });
  }
  const form = new FormData();
  form.append("other", file("a.txt"));
  expect((await send(`${own}/upload`, form)).status).toBe(400);
  expect((await send("/api/sessions/sess_none/workspace/upload", form)).status).toBe(404);
});

test("a file is replaced only at its known revision", async () => {
  const [item] = (await upload([file("seen.txt", "one")])).data?.items ?? [];
  const etag = item?.etag ?? "";
  expect((await get(`${own}/files/seen.txt`)).headers.get("etag")).toBe(etag);
  const [second] = (await upload([file("seen.txt", "two")], "", { "if-match": etag })).data?.items ?? [];
  expect(second?.path).toBe("seen.txt");
  expect(await upload([file("seen.txt", "three")], "", { "if-match": etag })).toMatchObject({ status: 409 });
  const stale = { headers: { "if-match": etag } };
  expect(await api.send("DELETE", `${own}/files/seen.txt`, stale)).toMatchObject({ status: 409 });
  expect(await (await get(`${own}/files/seen.txt`)).text()).toBe("two");
});

test("a file is served whole, in parts, or as not modified", async () => {
  await upload([file("ten.txt", "0123456789")], "parts");
  const path = `${own}/files/parts%2Ften.txt`;
  const whole = await get(path);
  expect(await whole.text()).toBe("0123456789");
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": "inline; filename=\"ten.txt\"; filename*=UTF-8''ten.txt",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
  });
  const part = await get(path, { range: "bytes=4-6" });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 4-6/10", "456"]);
  expect((await get(path, { range: "bytes=10-" })).status).toBe(416);
  expect((await get(path, { "if-none-match": whole.headers.get("etag") ?? "" })).status).toBe(304);
  expect(
    (await fetch(`${parley.address}${path}`, { method: "HEAD", headers: { authorization: `Bearer ${api.token}` } }))
      .status,
  ).toBe(200);
  const forced = await get(`${own}/files/ten.txt?path=parts&download=true`);
  expect(forced.headers.get("content-disposition")).toMatch(/^attachment/);
  const byPath = await get(`/api/workspace/download?path=sessions/${session}/parts/ten.txt`);
  expect([await byPath.text(), byPath.headers.get("content-disposition")?.slice(0, 10)]).toEqual([
    "0123456789",
    "attachment",
  ]);
});

test.each(["<html><script>", "<svg onload=x()>", '<?xml version="1.0"?><x/>'])(
  "%s is only downloaded",
  async (content) => {
    const [item] = (await upload([file("active.txt", content)])).data?.items ?? [];
    const answer = await get(`${own}/files/${item?.name}`);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
  },
);

const LEADING_OUT = [
  "..%2f..%2fparley.db",
  "%2e%2e%2f%2e%2e%2fconfig.ini",
  "..%5c..%5cparley.db",
  "%2fetc%2fpasswd",
  "C:%5cx",
  "a%2f..%2f..%2fb",
  "%252e%252e%252fx",
  "%c0%ae%c0%ae%2fx",
  "_meta",
  "_meta%2ftrash",
  "x.",
  "x%20",
  "CON",
  "%00",
  "a".repeat(300),
];

test.each(LEADING_OUT)("%s is not a file, anywhere in a request", async (name) => {
  await upload([file("kept.txt")]);
  const asked: readonly (readonly [string, string, object?])[] = [
    ...["GET", "DELETE"].flatMap((method) => [
      [method, `${own}/files/${name}`] as const,
      [method, `${SHARED}/files/${name}`] as const,
    ]),
    ["GET", `${own}/files/${name}/preview`],
    ["GET", `${own}/files?path=${name}`],
    ["GET", `${own}/files/kept.txt?path=${name}`],
    ["GET", `/api/workspace/download?path=shared/${name}`],
    ["GET", `/api/workspace/download?path=sessions/${session}/${name}`],
    ["GET", `/api/workspace/download?path=files/${name}`],
    ["GET", `/api/workspace/download?path=${name}`],
    ["POST", `${own}/files/${name}/move`, { target: "" }],
    ["POST", `${own}/files/${name}/move-to-shared`, {}],
    ["POST", `${SHARED}/files/${name}/move-to-private`, { session_id: session }],
  ];
  for (const [method, path, body] of asked) {
    const { status, text } = await api.send(method, path, body && { body });
    expect([400, 404], `${method} ${path}: ${text}`).toContain(status);
  }
});

test("a link in the workspace is not found, by any route", async () => {
  const { path: folder } = await api.post<WorkspaceItem>(`${own}/folders`, { name: "links" });
  const onDisk = join(parley.root, "data", "workspaces", "sessions", session, folder);
  symlinkSync(join(parley.root, "config.ini"), join(onDisk, "config.ini"));
  symlinkSync(parley.root, join(onDisk, "root"));
  for (const name of ["config.ini", "root", "root%2Fconfig.ini"]) {
    for (const [method, path] of [
      ["GET", `${own}/files/links%2F${name}`],
      ["GET", `${own}/files/links%2F${name}/preview`],
      ["DELETE", `${own}/files/links%2F${name}?recursive=true`],
      ["GET", `/api/workspace/download?path=sessions/${session}/links/${name}`],
    ] as const) {
      expect((await api.send(method, path)).status, `${method} ${path}`).toBe(404);
    }
  }
  expect(await api.get(`${own}/files?path=links`)).toMatchObject({ total: 0, path: "links" });
  expect(existsSync(join(parley.root, "config.ini"))).toBe(true);
});

test("a file in a message remains as it is when the original is moved and deleted", async () => {
  await upload([file("sent.txt", "as it was")]);
  const attachment = { type: "file", url: `${own}/files/sent.txt` };
  const other = (await api.post<{ id: string }>("/api/sessions", {})).id;
  const say = (id: string, url: string) =>
    api.send("POST", `/api/sessions/${id}/chat`, { body: { content: "look", attachments: [{ ...attachment, url }] } });
  expect(await say(other, attachment.url)).toMatchObject({ status: 400 });
  expect(await say(session, `${own}/files/none.txt`)).toMatchObject({ status: 400 });
  expect(await say(session, attachment.url)).toMatchObject({ status: 200 });
  await api.post(`${own}/files/sent.txt/move-to-shared`, {});
  await api.send("DELETE", `${SHARED}/files/sent.txt`);
  const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${session}/messages`);
  const sent = items.flatMap(({ attachments }) => attachments)[0];
  expect(sent).toMatchObject({ name: "sent.txt", size: 9, mime_type: "text/plain" });
  expect(await (await get(sent?.url ?? "")).text()).toBe("as it was");
});

test("an upload for a session is in its workspace too", async () => {
  const form = new FormData();
  form.append("session_id", session);
  form.append("file", file("both.txt"));
  const { data } = (await (await send("/api/upload", form)).json()) as { data: { workspace: WorkspaceItem } };
  expect(data.workspace).toMatchObject({ path: "both.txt", scope: "private", session_id: session });
});

test("a workspace is deleted with its session", async () => {
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  await api.post(`/api/sessions/${id}/workspace/folders`, { name: "x" });
  const folder = join(parley.root, "data", "workspaces", "sessions", id);
  expect(existsSync(folder)).toBe(true);
  await api.send("DELETE", `/api/sessions/${id}`);
  await expect.poll(() => existsSync(folder)).toBe(false);
});

describe("a preview", () => {
  test.each(["docx", "pptx", "odt"] as const)("of a %s is its text", async (kind) => {
    await upload([new File([await createOfficeFile(kind, "Quarterly plan")], `plan.${kind}`)], "office");
    const preview = await api.get(`${own}/files/plan.${kind}/preview?path=office`);
    expect(preview).toMatchObject({ type: "document", content: expect.stringContaining("Quarterly plan") });
  });

  test("of a damaged document says that there is none", async () => {
    await upload([new File(["PK\u0003\u0004 broken"], "broken.docx")], "office");
    expect(await api.get(`${own}/files/broken.docx/preview?path=office`)).toMatchObject({ type: "unsupported" });
  });
});

describe("a presentation", () => {
  const folder = () => join(parley.root, "data", "files", "_meta", "pdf");
  const setConverterMode = (what: string) => writeFileSync(join(folder(), "converter-does"), what);
  const convert = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.append("file", new File([content], name));
    return send("/api/workspace/convert/pptx-to-pdf", form);
  };

  test("becomes a PDF, once for the same content", async () => {
    const slides = await createOfficeFile("pptx", "first");
    const answers = await Promise.all([convert("a.pptx", slides), convert("b.pptx", slides)]);
    for (const answer of answers) expect(await answer.text()).toBe("%PDF-1.7 made");
    expect(answers[0]?.headers.get("content-type")).toBe("application/pdf");
    expect(answers[0]?.headers.get("content-disposition")).toBe("inline; filename=\"a.pdf\"; filename*=UTF-8''a.pdf");
    await upload([new File([slides], "c.pptx")]);
    const body = { scope: "private", session_id: session, filename: "c.pptx" };
    expect((await api.send("POST", "/api/workspace/convert/pptx-to-pdf", { body })).status).toBe(200);
    expect(readdirSync(folder()).filter((name) => name.startsWith("work-"))).toEqual([]);
  });

  test("that is none, or that the converter cannot read, is rejected", async () => {
    const words = await convert("a.pptx", "words");
    expect(words.status).toBe(400);
    expect(fillDetail(JSON.parse(words.headers.get("x-parley-error") ?? "{}"), "zh")).toBe("不是 PPTX 演示文稿");
    expect((await convert("a.pptx", await createOfficeFile("docx", "x"))).status).toBe(400);
    setConverterMode("fail");
    const failed = await convert("a.pptx", await createOfficeFile("pptx", "second"));
    expect(failed.status).toBe(502);
    expect(fillDetail(JSON.parse(failed.headers.get("x-parley-error") ?? "{}"), "zh")).toBe("转换失败");
    setConverterMode("nothing");
    expect((await convert("a.pptx", await createOfficeFile("pptx", "third"))).status).toBe(502);
    setConverterMode("");
  });
});

describe("a model's file tools", () => {
  const context = (sessionId: string | undefined) => ({
    signal: AbortSignal.timeout(30_000),
    traceId: "gw_1",
    callerId: "test",
    progress: () => {},
    ...(sessionId !== undefined && { sessionId }),
  });
  const call = async (
    name: string,
    args: object,
    sessionId: string | undefined = session,
    more: { readonly isOperatorOnly?: true } = {},
  ): Promise<unknown> => {
    const tools: readonly Tool[] = parley.host.all(ToolTables).flat();
    const found = tools.find((one) => one.name === name);
    return found?.run(found.args.validate(args).value, { ...context(sessionId), ...more });
  };

  test("write, read, change, list, show and delete files of the calling conversation", async () => {
    await call("workspace_create_file", { filename: "model/plan.md", content: "# Plan\nbuy milk" });
    await expect(call("workspace_create_file", { filename: "model/plan.md", content: "" })).rejects.toThrow("exists");
    await call("workspace_edit_file", { filename: "model/plan.md", old_text: "milk", new_text: "bread" });
    await expect(
      call("workspace_edit_file", { filename: "model/plan.md", old_text: "milk", new_text: "x" }),
    ).rejects.toThrow("occurs 0 times");
    expect(await call("workspace_read_file", { filename: "model/plan.md" })).toMatchObject({
      content: "# Plan\nbuy bread",
    });
    expect(await call("workspace_list_files", { path: "model" })).toMatchObject({ total: 1 });
    expect(await call("workspace_file_info", { filename: "model/plan.md" })).toMatchObject({ size: 16 });
    await call("workspace_send_file", { filename: "model/plan.md" });
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${session}/messages?limit=500`);
    expect(items.at(-1)?.attachments).toMatchObject([{ name: "plan.md", source: "workspace" }]);
    expect(await call("workspace_delete_file", { filename: "model", recursive: true })).toEqual({ removed: 2 });
  });

  test("send a file to the people of the calling platform, and keep it here in an operator's own turn", async () => {
    await desk.say("g1", "where is the plan?");
    await parley.host.get(Gateway).idle();
    const group = "desk:group:g1";
    const { length } = desk.sent;
    const asked = { filename: "plan.md", content: "# Plan" };
    await call("workspace_create_file", asked, group);
    await call("workspace_send_file", asked, group, { isOperatorOnly: true });
    await parley.host.get(Gateway).idle();
    expect(desk.sent).toHaveLength(length);
    await call("workspace_send_file", asked, group);
    await parley.host.get(Gateway).idle();
    expect(desk.sent.slice(length)).toMatchObject([{ conversation: { id: "g1" }, attachments: [{ name: "plan.md" }] }]);
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${group}/messages?limit=500`);
    expect(items.slice(-2).map(({ attachments }) => attachments[0]?.name)).toEqual(["plan.md", "plan.md"]);
  });

  test("cannot access files of other conversations", async () => {
    await call("workspace_create_file", { filename: "mine.txt", content: "x" });
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    await expect(call("workspace_read_file", { filename: "mine.txt" }, id)).rejects.toThrow("does not exist");
    await expect(call("workspace_read_file", { filename: `../${session}/mine.txt` }, id)).rejects.toThrow("path:");
  });
});

test("deleted files are listed, restored, and deleted for good", async () => {
  await upload([file("gone.txt")]);
  await api.send("DELETE", `${own}/files/gone.txt`);
  const { items } = await api.get<{ items: readonly { id: string; name: string }[] }>("/api/workspace/trash");
  expect(items[0]?.name).toBe("gone.txt");
  await api.post(`/api/workspace/trash/${items[0]?.id}/restore`, {});
  expect(await (await get(`${own}/files/gone.txt`)).text()).toBe("words");
  mkdirSync(join(parley.root, "data", "workspaces", "sessions", session, "empty"));
  expect(await api.send("DELETE", `${own}/files/empty`)).toMatchObject({ status: 200 });
});
