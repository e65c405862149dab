import { describe, expect, test } from "vitest";
import type { Collection } from "../services/collections.ts";
import { SecretBox } from "../services/storage/secret-box.ts";
import { createSecrets, Secrets } from "../services/storage/secrets.ts";
import { literalSecrets, REQUEST_FIELDS } from "./literal-secrets.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { sealedCollection } from "./sealed-records.ts";

const REQUEST = {
  url: "https://example.com/{{path}}?token=in-the-address-1&city={{city}}&api_key={{key}}&token=second-one-2",
  headers: { Authorization: "Bearer in-a-header-3", "X-Api-Key": "short", Accept: "text/plain", Cookie: "{{cookie}}" },
  query: { key: "in-the-query-4", keyword: "tea" },
  body: { login: { password: "in-the-body-5", user: "ann" }, list: [{ client_secret: "in-a-list-66" }] },
  method: "POST",
};
const SECRETS = {
  "url.token": "in-the-address-1",
  "url.token#2": "second-one-2",
  "headers.Authorization": "Bearer in-a-header-3",
  "headers.X-Api-Key": "short",
  "query.key": "in-the-query-4",
  "body.login.password": "in-the-body-5",
  "body.list.0.client_secret": "in-a-list-66",
};
const requests = literalSecrets<Partial<Record<string, unknown>>>(REQUEST_FIELDS);
const programs = literalSecrets<{ command: string; args: readonly string[]; env: object }>({
  args: { form: "arguments", to: "command" },
  env: { form: "addresses", to: "args" },
});
const box = {
  seal: (text: string, owner: string) => Buffer.from(`${owner}\n${text}`).toString("base64"),
  open(sealed: string, owner: string) {
    const [of, ...text] = Buffer.from(sealed, "base64").toString().split("\n");
    if (of !== owner) throw new Error("of another record");
    return text.join("\n");
  },
};

describe("secrets in a request configuration", () => {
  test("are recognised by the name of their field; arguments are none", () => {
    expect(requests.in(REQUEST)).toEqual(SECRETS);
    expect(requests.in({ url: "https://example.com/?token=", headers: { Authorization: "Bearer {{t}}" } })).toEqual({});
  });

  test("are masked, and a masked value that is sent back keeps the stored one", () => {
    const masked = requests.masked(REQUEST);
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked.headers).toMatchObject({ Authorization: "****er-3", "X-Api-Key": "****", Accept: "text/plain" });
    expect(requests.unmasked(masked, REQUEST)).toEqual(REQUEST);
    expect(requests.unmasked({ headers: masked.headers }, REQUEST)).toEqual({ headers: REQUEST.headers });
  });

  test.each([
    ["another server", "https://example.org/?token=****ss-1"],
    ["one that only looks like it", "https://example.org\\@example.com/?token=****ss-1"],
    ["one that it is the user of", "https://example.com@example.org/?token=****ss-1"],
    ["another port", "https://example.com:444/?token=****ss-1"],
    ["another scheme", "http://example.com/?token=****ss-1"],
  ])("are not sent to %s", (_what, url) => {
    expect(() => requests.unmasked({ url }, REQUEST)).toThrow("type it anew");
    expect(() => requests.unmasked({ url, body: requests.masked(REQUEST).body }, REQUEST)).toThrow("type it anew");
  });

  test("are rejected when a mask has no stored value", () => {
    const masked = requests.masked(REQUEST);
    const headers = { ...REQUEST.headers, Authorization: "****else" };
    expect(() => requests.unmasked({ ...masked, headers }, REQUEST)).toThrow("headers.Authorization");
    expect(() => requests.unmasked(masked)).toThrow("type it anew");
  });

  test.each([
    ["JSON", '{"n": {{n}}, "api_key": "in \\"a\\" text", "list": ["x"]}', { "body.api_key": 'in \\"a\\" text' }],
    ["a list", '[{"token":"one-of-a-list"},{"token":"{{t}}"}]', { "body.token": "one-of-a-list" }],
    ["a form", "user=ann&password=in%20a+form&q={{q}}", { "body.password": "in%20a+form" }],
    ["XML", '<q><user>ann</user><password kind="p">in &lt;xml</password></q>', { "body.password": "in &lt;xml" }],
    ["prose", "the password is not named: {{q}}", {}],
  ])("are found in a text that is %s", (_form, body, found) => {
    const request = { url: "https://example.com/", body };
    expect(requests.in(request)).toEqual(found);
    const masked = requests.masked(request);
    for (const secret of Object.values(found)) expect(masked.body).not.toContain(secret);
    expect(requests.unmasked(masked, request)).toEqual(request);
  });

  test("are found in the user part of a URL", () => {
    const found = (url: string) => requests.in({ url });
    expect(found("wss://ann:in-front-1@example.com/?a=@b")).toEqual({ "url.@": "in-front-1" });
    expect(found("https://ghp_alone@example.com/@ann")).toEqual({ "url.@": "ghp_alone" });
    expect(found("https://example.com/@ann?at=x@y")).toEqual({});
    expect(requests.masked({ url: "wss://ann:in-front-1@example.com/" }).url).toBe("wss://ann:****@example.com/");
  });
});

describe("secrets in a command line", () => {
  const START = {
    command: "npx",
    args: [
      ...[
        "server@1.0.0",
        "--api-key",
        "by-the-option-1",
        "--token=in-the-option-2",
        "--verbose",
        "-v",
        "--secret",
        "-h",
      ],
      ...["-H", "Authorization: Bearer in-a-header-3", "Bearer after-the-word-4", "TOKEN=as-a-variable-5"],
      ...["postgresql://ann:in-an-address-6@db/x", "--token", "-begins-with-a-dash-7", "--key", "--last"],
    ],
    env: { DATABASE: "postgresql://ann:in-a-variable-8@db/x", NAME: "x" },
  };

  test("are found by the option before or in an argument, and in URLs", () => {
    expect(Object.values(programs.in(START))).toEqual([
      ...["by-the-option-1", "in-the-option-2", "Bearer in-a-header-3", "after-the-word-4", "as-a-variable-5"],
      ...["in-an-address-6", "-begins-with-a-dash-7", "in-a-variable-8"],
    ]);
    const masked = programs.masked(START);
    for (const secret of Object.values(programs.in(START))) expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked.args.slice(0, 4)).toEqual(["server@1.0.0", "--api-key", "****on-1", "--token=****on-2"]);
    expect(programs.unmasked(masked, START)).toEqual(START);
  });

  test("stay bound to the program and its other arguments", () => {
    const { args, env } = programs.masked(START);
    const anew = args.map((one) => (one === "****on-1" ? "typed-anew-1" : one));
    expect(programs.unmasked({ args: anew }, START).args[3]).toBe("--token=in-the-option-2");
    const changedArgs = [...args, "--endpoint", "https://example.org"];
    expect(() => programs.unmasked({ args: changedArgs }, START)).toThrow("type it anew");
    expect(() => programs.unmasked({ command: "uvx", args }, START)).toThrow("type it anew");
    expect(() => programs.unmasked({ args: ["other@1.0.0"], env }, START)).toThrow("env.DATABASE.@");
    expect(programs.unmasked({ env }, START)).toEqual({ env: START.env });
  });
});

describe("a stored record", () => {
  type Item = Partial<Record<string, unknown>> & { readonly id: string };
  const opened = (stored: Map<string, Item>) => {
    const problems: string[] = [];
    const collection = {
      get: async (id) => stored.get(id),
      list: async () => [...stored.values()],
      put: async (item) => void stored.set(item.id, item),
      remove: async (id) => stored.delete(id),
      async update(id, change) {
        const item = change(stored.get(id) as Item);
        stored.set(id, item);
        return item;
      },
      onElsewhere: () => () => {},
    } satisfies Collection<Item>;
    const log = { warn: (message: string) => void problems.push(message) };
    const redaction = { mask: <T>(value: T) => value, remember: () => {} };
    const keyed = { get: (key: unknown) => (key === SecretBox ? box : redaction) as never };
    const from = { get: (key: unknown) => (key === Secrets ? createSecrets(keyed) : keyed.get(key)) as never };
    const parts = { secrets: requests, owner: "of", from, log: log as never };
    return { problems, items: sealedCollection<Item>(collection, parts) };
  };

  test("is masked, and its secrets encrypted for this record; older records are read as they are", async () => {
    const stored = new Map<string, Item>([["old", { ...REQUEST, id: "old" }]]);
    const { items, problems } = opened(stored);
    expect(await items.get("old")).toEqual({ ...REQUEST, id: "old" });
    await items.put({ ...REQUEST, id: "one" });
    await items.sealAll();
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify([...stored])).not.toContain(secret);
    for (const id of ["one", "old"]) expect(await items.get(id)).toEqual({ ...REQUEST, id });
    stored.set("two", { ...(stored.get("one") as Item), id: "two" });
    expect(await items.get("two")).toEqual({ ...requests.masked(REQUEST), id: "two" });
    expect(problems).toHaveLength(1);
    await items.put({ id: "plain", url: "https://example.com/" });
    expect(stored.get("plain")).toEqual({ id: "plain", url: "https://example.com/" });
  });
});

test("URLs in a text are masked by their user and their parameters, wherever they occur", () => {
  const text =
    "asked https://me:pass-word@box.example/a?page=1&api_key=0123456789abcdef for more, then http://b.example/";
  expect(maskSecrets(text, { mask: (value) => value })).toBe(
    "asked https://me:****@box.example/a?page=1&api_key=****cdef for more, then http://b.example/",
  );
});

test.each([
  ["pw: password=hunter2, next", "pw: password=***, next"],
  ["Password: hunter2", "Password: ***"],
  ['a refresh_token="two words" b', "a refresh_token=*** b"],
  ['{ "api_key": "abc"', '{ "api_key": ***'],
  ["run --api-key abc --verbose", "run --api-key *** --verbose"],
  ["max_tokens=5, tokens: 7, the secret of tea: warm", "max_tokens=5, tokens: 7, the secret of tea: warm"],
  ["https://h.example/?token=abcdefghijklmnop", "https://h.example/?token=****mnop"],
])("a secret after its name is masked in the text %s", (text, masked) => {
  expect(maskSecrets(text, { mask: (value) => value })).toBe(masked);
});

test("a secret that equals the name of a value is masked too", () => {
  expect(maskSecrets({ "sk-0123456789abcdef": { "password=hunter2": 1 } }, { mask: (value) => value })).toEqual({
    "***": { "password=***": 1 },
  });
});

test("a text built to make masking slow takes no longer than others", () => {
  const started = performance.now();
  for (const piece of ["token", "-", "a-", "--a-", "token=", "password:'", 'api_key="']) {
    maskSecrets(piece.repeat(200_000), { mask: (value) => value });
  }
  expect(performance.now() - started).toBeLessThan(3_000);
});
