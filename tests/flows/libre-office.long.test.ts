import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SOFFICE = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "soffice"))
  .find((path) => existsSync(path));
/** A presentation of one page as flat XML of LibreOffice. */
const SLIDES = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation">
<office:body><office:presentation><draw:page><draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="4cm"><draw:text-box><text:p>Tea for everybody</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document>`;

describe.runIf(SOFFICE)("a presentation, with the installed LibreOffice", () => {
  let folder: string;
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "parley-office-"));
    writeFileSync(join(folder, "tea.fodp"), SLIDES);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const asked = [profile, "--headless", "--convert-to", "pptx", "--outdir", folder, join(folder, "tea.fodp")];
    await promisify(execFile)(SOFFICE ?? "", asked);
    parley = await startParley({ config: "[plugin.files]\nconvert_with_network = on\n" });
    api = await parley.signIn();
  }, 180_000);
  afterAll(async () => {
    await parley?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const convert = (bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.set("file", new File([bytes], "tea.pptx"));
    const headers = { authorization: `Bearer ${api.token}` };
    return fetch(`${parley.address}/api/workspace/convert/pptx-to-pdf`, { method: "POST", headers, body: form });
  };

  test("becomes a PDF of one page, the second time from the cache", { timeout: 180_000 }, async () => {
    const pptx = new Uint8Array(readFileSync(join(folder, "tea.pptx")));
    const answer = await convert(pptx);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const pdf = Buffer.from(await answer.arrayBuffer()).toString("latin1");
    expect(pdf.slice(0, 5)).toBe("%PDF-");
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(pdf.length).toBeGreaterThan(2_000);
    const again = await convert(pptx);
    expect(Buffer.from(await again.arrayBuffer()).toString("latin1")).toBe(pdf);
  });
});
