import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginStatus } from "@parley/core";
import { expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";

test("every package of ours describes itself and its purpose, in both languages", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const { items } = await api.get<{ items: readonly PluginStatus[] }>("/api/plugins");
  const ours = items.filter(({ package: name }) => name.startsWith("@parley/"));
  expect(ours.length).toBeGreaterThan(25);
  const isChinese = (text: string) => /\p{sc=Han}/u.test(text);
  const lacking = ours.filter(
    ({ id, title, about }) =>
      title.en === id ||
      about.en === "" ||
      !isChinese(about.zh) ||
      (title.zh === title.en && !title.en.endsWith("channel")),
  );
  expect(lacking.map(({ id, title, about }) => [id, title, about])).toEqual([]);
});

test("a package brings a drawing or a picture as its icon, which runs no code; one without gets the icon of its page", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-icons-"));
  const secret = join(root, "secret.svg");
  writeFileSync(secret, "<svg>secret</svg>");
  const icons = {
    drawn: "star",
    pictured: "./icon.svg",
    strange: "../../secret.svg",
    linked: "link.svg",
    text: "text.svg",
  };
  for (const [id, icon] of Object.entries(icons)) {
    const folder = join(root, "node_modules", id);
    mkdirSync(folder, { recursive: true });
    const manifest = { name: id, version: "1.0.0", type: "module", exports: "./index.js", parley: { icon } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "index.js"), `export default { id: "${id}", contract: 1, register() {} };`);
    writeFileSync(join(folder, "icon.svg"), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    writeFileSync(join(folder, "text.svg"), "<html>no picture</html>");
    symlinkSync(secret, join(folder, "link.svg"));
  }
  try {
    const config = `[plugins]\n${Object.keys(icons)
      .map((id) => `${id} = ${id}\n`)
      .join("")}`;
    await using parley = await startParley({ root, config });
    const api = await parley.signIn();
    const { items } = await api.get<{ items: readonly PluginStatus[] }>("/api/plugins");
    const shown = Object.fromEntries(items.map(({ id, icon }) => [id, icon]));
    expect(shown).toMatchObject({
      drawn: "star",
      strange: null,
      linked: null,
      text: null,
      models: "model",
      storage: null,
    });
    expect(shown.pictured).toBe("/api/plugins/pictured/icon");
    const answer = await api.send("GET", "/api/plugins/pictured/icon");
    expect(answer.text).toContain("<svg");
    expect(answer.headers.get("content-type")).toBe("image/svg+xml");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
    expect(await api.send("GET", "/api/plugins/strange/icon")).toMatchObject({ status: 404 });
    expect(await api.send("GET", "/api/plugins/pictured/icon", { token: "" })).toMatchObject({ status: 401 });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
