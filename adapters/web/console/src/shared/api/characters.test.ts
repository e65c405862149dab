import { afterEach, expect, test, vi } from "vitest";

/** A request whose path is relative to the console, as in a browser. */
class ConsoleRequest extends Request {
  constructor(path: string, init?: RequestInit) {
    super(new URL(path, "http://console"), init);
  }
}

afterEach(() => vi.unstubAllGlobals());

test("all characters are listed, also when they need several requests", async () => {
  const all = Array.from({ length: 501 }, (_, at) => ({ id: `c${at}`, name: `Character ${at}` }));
  vi.stubGlobal("Request", ConsoleRequest);
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const query = new URL(url, "http://console").searchParams;
    const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
    const data = { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
    return new Response(JSON.stringify({ success: true, data, message: "" }));
  });
  // The client takes the global `Request` when its module is loaded.
  const { characters } = await import("./characters.ts");
  expect(await characters.listAll()).toEqual(all);
});
