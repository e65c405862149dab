import { expect, it } from "vitest";
import { toRequestUrl } from "./request-url.ts";

const chat = { appendPath: true, version: "", path: "/chat/completions" };

it.each([
  ["appends the path", "https://a.example/v1", chat, "https://a.example/v1/chat/completions"],
  ["ignores a closing slash", "https://a.example/v1/", chat, "https://a.example/v1/chat/completions"],
  [
    "takes an address that ends with the path",
    "https://a.example/x/chat/completions",
    chat,
    "https://a.example/x/chat/completions",
  ],
  ["keeps a query", "https://a.example/v1?version=3", chat, "https://a.example/v1/chat/completions?version=3"],
  ["leaves a whole address alone", "https://a.example/go", { ...chat, appendPath: false }, "https://a.example/go"],
  [
    "adds the version",
    "https://a.example",
    { ...chat, version: "/v1", path: "/messages" },
    "https://a.example/v1/messages",
  ],
  [
    "adds the version once",
    "https://a.example/v1",
    { ...chat, version: "/v1", path: "/messages" },
    "https://a.example/v1/messages",
  ],
  [
    "adds the path's query",
    "https://g.example",
    { ...chat, version: "/v1beta", path: "/models/m:stream?alt=sse" },
    "https://g.example/v1beta/models/m:stream?alt=sse",
  ],
])("%s", (_, baseUrl, parts, expected) => {
  expect(toRequestUrl({ baseUrl, ...parts })).toBe(expected);
});
