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
