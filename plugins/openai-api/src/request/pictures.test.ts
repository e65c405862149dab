import { expect, test } from "vitest";
import { createPictures } from "./pictures.ts";

const never = new AbortController().signal;
const pictures = createPictures(() => ({
  fetch: () => async () => {
    throw new Error("nothing is fetched");
  },
}));

test.each<[what: string, url: string]>([
  ["ten million parameters", `data:${";a".repeat(10_000_000)}`],
  ["no base64", "data:image/png,abc"],
  ["other characters", "data:image/png;base64,a b"],
])("a data address with %s is a wrong request", async (_what, url) => {
  await expect(pictures.load([url], never)).rejects.toMatchObject({
    code: "bad_request",
    detail: { key: "openai_api.bad_address" },
  });
});

const GIF = Buffer.from("GIF89a");

test("a picture is loaded once from its public https address, within the limits", async () => {
  const asked: string[] = [];
  const loading = createPictures(() => ({
    fetch(policy) {
      expect(policy).toMatchObject({ reach: "public", maxBytes: 5 * 1024 * 1024 });
      return async (url) => {
        asked.push(String(url));
        return new Response(GIF);
      };
    },
  }));
  const url = "https://pictures.example/a.gif";
  expect((await loading.load([url, url], never)).get(url)).toEqual({
    mimeType: "image/gif",
    bytes: new Uint8Array(GIF),
  });
  expect(asked).toEqual([url]);
});

test.each<[what: string, url: string, response: () => Response, key: string]>([
  ["without encryption", "http://pictures.example/a.gif", () => new Response(GIF), "bad_address"],
  ["that is missing", "https://pictures.example/a", () => new Response("", { status: 404 }), "picture_failed"],
  ["that is a page", "https://pictures.example/a", () => new Response("<html>"), "no_picture"],
])("an address of a picture %s is a wrong request", async (_what, url, response, key) => {
  const loading = createPictures(() => ({ fetch: () => async () => response() }));
  await expect(loading.load([url], never)).rejects.toMatchObject({
    code: "bad_request",
    detail: { key: `openai_api.${key}` },
  });
});
