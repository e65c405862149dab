import MarkdownIt from "markdown-it";
import { afterEach, expect, test, vi } from "vitest";
import { getPageTexts } from "./page-texts.ts";
import type { StoredPublication } from "./publications.ts";
import type { Snapshot } from "./schema.ts";
import { createPublicationViews } from "./shared-view.ts";

const MESSAGES = 400;
const snapshot: Snapshot = {
  name: "About tea",
  sender_name: "",
  sender_avatar: "",
  sender_portrait: "",
  scenario: "",
  created_at: new Date(0).toISOString(),
  messages: Array.from({ length: MESSAGES }, (_, at) => ({
    id: String(at + 1),
    role: "assistant" as const,
    content: "tea ".repeat(2_500),
    timestamp: new Date(0).toISOString(),
    sender: "",
    attachments: [],
  })),
};
const stored = (updatedMs: number): StoredPublication => ({
  sessionId: "ses_1",
  publicId: "pub_1",
  options: {} as StoredPublication["options"],
  passwordHash: null,
  views: 0,
  createdMs: 0,
  updatedMs,
  expiresMs: 1,
});

afterEach(() => vi.restoreAllMocks());

test("a popular page renders its messages once, and its publication is read once", async () => {
  const render = vi.spyOn(MarkdownIt.prototype, "render");
  const read = vi.fn(async () => JSON.stringify(snapshot));
  const publications = createPublicationViews({ readSnapshot: read });
  const ask = async (at: number) => (await publications.open(stored(1))).renderPage(at, getPageTexts("en"), "");
  const pages = await Promise.all(Array.from({ length: 50 }, () => ask(7)));
  expect(new Set(pages).size).toBe(1);
  expect(render.mock.calls.length).toBeLessThanOrEqual(3);
  expect(read).toHaveBeenCalledTimes(1);
  await (await publications.open(stored(2))).renderPage(1, getPageTexts("en"), "");
  expect(read).toHaveBeenCalledTimes(2);
});

test("many pages at once are rendered one after another, and other requests are answered in between", async () => {
  let rendered = 0;
  const mockedRender = MarkdownIt.prototype.render;
  vi.spyOn(MarkdownIt.prototype, "render").mockImplementation(function (
    this: InstanceType<typeof MarkdownIt>,
    text: string,
  ) {
    rendered += 1;
    return mockedRender.call(this, text);
  });
  const publications = createPublicationViews({ readSnapshot: async () => JSON.stringify(snapshot) });
  const view = await publications.open(stored(1));
  const pages = Array.from({ length: 20 }, (_, at) => view.renderPage(at + 1, getPageTexts("en"), ""));
  let before = 0;
  let most = 0;
  const { promise: allRendered, resolve } = Promise.withResolvers<void>();
  const look = () => {
    most = Math.max(most, rendered - before);
    before = rendered;
    watch = setImmediate(look);
  };
  let watch = setImmediate(look);
  Promise.all(pages).then(() => resolve());
  await allRendered;
  clearImmediate(watch);
  expect(rendered).toBeGreaterThan(40);
  // The messages of one page; the scenario is empty.
  expect(most).toBeLessThanOrEqual(3);
});

test("a complete JSON export is built once for all readers", async () => {
  const publications = createPublicationViews({ readSnapshot: async () => JSON.stringify(snapshot) });
  const first = (await publications.open(stored(1))).toJson("");
  expect((await publications.open(stored(1))).toJson("")).toBe(first);
  expect(JSON.parse(first.toString()).data.messages).toHaveLength(MESSAGES);
});

test("a message that is longer than a page is shown unformatted, on as many pages as it needs", async () => {
  const messages = snapshot.messages.slice(0, 1).map((one) => ({ ...one, content: `${"*tea* ".repeat(11_000)}end` }));
  const publications = createPublicationViews({ readSnapshot: async () => JSON.stringify({ ...snapshot, messages }) });
  const shown = await publications.open(stored(1));
  const pages = await Promise.all([1, 2, 3].map((at) => shown.renderPage(at, getPageTexts("en"), "")));
  expect(pages.map((html) => html.includes("*tea* *tea*"))).toEqual([true, true, true]);
  expect(pages.at(-1)).toContain("*tea* end</div>");
  expect(pages.at(-1)).toContain("3 / 3");
});
