import type { Message } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import {
  type EmbeddingServer,
  startEmbeddingServer,
  toEmbeddingResponse,
} from "../harness/servers/embedding-server.ts";

interface Document {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly index_status: string;
  readonly index_error: string | null;
}
interface Job {
  readonly status: string;
  readonly error: { readonly error: string } | null;
}

const DIMENSIONS = 3;
const utf8 = (text: string) => new TextEncoder().encode(text);

let parley: Parley;
let api: Client;
let models: ModelServer;
let vectors: EmbeddingServer;

beforeAll(async () => {
  models = await startModelServer();
  vectors = await startEmbeddingServer((text) => (/heron/i.test(text) ? [1, 0.1, 0] : [0, 0.1, 1]));
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  await vectors[Symbol.asyncDispose]();
});

const search = (query: string, more: object = {}) =>
  api.send("POST", "/api/knowledge/search", { body: { query, ...more } });

async function upload(name: string, bytes: Uint8Array): Promise<Job> {
  const form = new FormData();
  form.set("base_id", "bad");
  form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  const headers = { authorization: `Bearer ${api.token}` };
  const response = await fetch(new URL("/api/knowledge/files", api.address), { method: "POST", headers, body: form });
  const { data } = (await response.json()) as { readonly data: { readonly items: readonly { job_id: string }[] } };
  let job: Job | undefined;
  await eventually(async () => {
    job = await api.get<Job>(`/api/jobs/${data.items[0]?.job_id}`);
    expect(job.status === "done" || job.error !== null).toBe(true);
  });
  return job as Job;
}

async function getContent(title: string): Promise<string> {
  const { items } = await api.get<{ items: readonly Document[] }>(`/api/knowledge?q=${encodeURIComponent(title)}`);
  return (await api.get<Document>(`/api/knowledge/${items[0]?.id}`)).content;
}

/** Builds a PDF that requires an unknown password. */
function lockedPdf(): Uint8Array {
  const stream = "BT (secret) Tj ET";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    `<< /Filter /Standard /V 1 /R 2 /P -44 /O <${"3a".repeat(32)}> /U <${"7b".repeat(32)}> >>`,
  ];
  let text = "%PDF-1.4\n";
  const starts = objects.map((object, at) => {
    const start = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  const id = `<${"0f".repeat(16)}>`;
  text += `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R /Encrypt 5 0 R /ID [${id} ${id}] >>\nstartxref\n${text.length - table.length - 27}\n%%EOF`;
  return utf8(text);
}

describe("a file", () => {
  test.each([
    ["a locked PDF", "locked.pdf", lockedPdf(), "the PDF is encrypted"],
    ["half a PDF", "half.pdf", lockedPdf().slice(0, 120), "the PDF is damaged"],
    ["an archive that is cut off", "cut.zip", utf8("PK\u0003\u0004 and no more"), ""],
  ])("that is %s is reported by its job, and searches continue", async (_, name, bytes, reason) => {
    const { error } = await upload(name, bytes);
    expect(error?.error).toContain(reason);
    expect((await search("anything")).status).toBe(200);
  });

  test("in HTML is read without scripts, styles and frames", async () => {
    const page = `<html><head><title>Reed bed</title><style>p{color:red}</style></head><body onload="alert(1)">
      <script>document.write("stolen")</script><iframe srcdoc="<p>framed</p>"></iframe>
      <p>Bitterns <b onclick="alert(2)">boom</b> &lt;script&gt;at dusk&lt;/script&gt;.</p></body></html>`;
    expect((await upload("reed.html", utf8(page))).status).toBe("done");
    const content = await getContent("Reed bed");
    expect(content).toContain("Bitterns boom <script>at dusk</script>.");
    for (const left of ["stolen", "color", "alert", "framed"]) expect(content).not.toContain(left);
  });

  test.each([
    [
      "gb18030.txt",
      Buffer.from("b5c6cbfed4dad2b9c0efd2bbd6b1c1c1d7c5a3acced2c3c7b4d3baa3b1dfbfb4b5c3b5bdcbfca1a3", "hex"),
      "灯塔在夜里一直亮着，我们从海边看得到它。",
    ],
    ["windows.txt", Uint8Array.from([...utf8("caf"), 0xe9, 0x20, 0x96, 0x20, ...utf8("bar")]), "café – bar"],
    ["utf16.txt", Uint8Array.from([0xff, 0xfe, 0x61, 0x00, 0x6f, 0x70]), "a灯"],
  ])("in another encoding, %s, is decoded", async (name, bytes, expected) => {
    const job = await upload(name, bytes);
    expect([job.status, job.error]).toEqual(["done", null]);
    expect(await getContent(name.replace(".txt", ""))).toContain(expected);
  });
});

describe("an embedding provider that responds", () => {
  let modelId = "";

  beforeAll(async () => {
    const more = { base_url: vectors.baseUrl, dimensions: DIMENSIONS, retry_count: 0 };
    const draft = { name: "vectors", model: "tiny", purpose: "embedding", ...more };
    modelId = (await api.post<{ id: string }>("/api/ai-models", draft)).id;
    await api.post(`/api/ai-models/${modelId}/apply`, {});
    await eventually(async () => {
      expect(await api.get("/api/knowledge/stats")).toMatchObject({ pending: 0, indexing: 0, stale: 0, failed: 0 });
    });
    // A valid response first, so that the dimensions of the vectors are known.
    await api.post("/api/knowledge", { title: "Heron", content: "A heron waits.", wait_index: true });
  }, 60_000);

  test.each([
    [
      "with vectors of another length",
      (texts: readonly string[]) => toEmbeddingResponse(texts.map(() => [1, 2, 3, 4, 5])),
    ],
    ["with numbers that are none", () => `{"object":"list","data":[{"index":0,"embedding":[NaN,1,0]}]}`],
    [
      "with nothing in place of numbers",
      (texts: readonly string[]) => toEmbeddingResponse(texts.map(() => [null, 1, 0])),
    ],
    ["with half of a batch", (texts: readonly string[]) => toEmbeddingResponse(texts.slice(1).map(() => [1, 0, 0]))],
    [
      "with vectors of different lengths",
      (texts: readonly string[]) => toEmbeddingResponse(texts.map((_, at) => (at % 2 ? [1, 0] : [1, 0, 0]))),
    ],
    ["with something else", () => "<html>sign in first</html>"],
  ])("with %s is reported on the document, which full-text search still finds", async (what, body) => {
    vectors.answers((texts) => ({ body: body(texts) }));
    const content = `The egret ${what} stands still.\n\n${"It waits. ".repeat(70)}`;
    const document = await api.post<Document>("/api/knowledge", { title: what, content, wait_index: true });
    expect(document.index_status).toBe("failed");
    expect(document.index_error).not.toBe("");
    const found = await search(`egret ${what}`);
    const items = expect.arrayContaining([expect.objectContaining({ title: what })]);
    expect(found.json).toMatchObject({ data: { items } });
    vectors.answers(undefined);
    await api.post("/api/ai-models/failover-reset", {});
    // The text is embedded again: nothing of the wrong response was cached.
    const again = await api.post(`/api/knowledge/${document.id}/index`, {});
    expect(again).toMatchObject({ index_status: "indexed" });
    const mended = { content: `A bittern booms ${what}.`, wait_index: true };
    expect(await api.put(`/api/knowledge/${document.id}`, mended)).toMatchObject({ index_status: "indexed" });
  });

  test("with nothing delays neither searches nor answers", async () => {
    vectors.answers(() => "hang");
    const since = performance.now();
    const found = await search("heron");
    expect(found.json?.message).toContain("searched by keywords only");
    expect(found.json?.data).toMatchObject({ items: [{ title: "Heron" }] });
    const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "s", base_url: models.baseUrl });
    await api.post(`/api/ai-models/${model.id}/apply`, {});
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    models.script.push({ kind: "text", text: "By the reeds." });
    await api.post(`/api/sessions/${id}/chat`, { content: "Where does the heron wait all day long?" });
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
    expect(items.map(({ content }) => content)).toContain("By the reeds.");
    // Long before the time limit of the model itself, which is a minute.
    expect(performance.now() - since).toBeLessThan(30_000);
    vectors.answers(undefined);
  }, 60_000);
});
