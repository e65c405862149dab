import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const repository = dirname(dirname(import.meta.dirname));
const plain = (id: string, body = "register() {}") => `export default { id: "${id}", contract: 1, ${body} };`;
const manifest = (more: object) => JSON.stringify({ version: "1.0.0", type: "module", ...more });
const TOOLS = '{ kind: "extension-point", id: "tools" }';
const WRITE = "write export default definePlugin({ … }) in the file that its package.json names";

/** Faulty packages: the fault, the files, and the message for author and operator. */
const FAULTY_PACKAGES: Readonly<
  Record<string, readonly [what: string, files: Readonly<Record<string, string>>, told: string]>
> = {
  "no-default": [
    "exports its plugin under a name",
    { "index.js": "export const plugin = {};" },
    `package 'no-default' has no plugin as its default export: ${WRITE}`,
  ],
  "a-function": [
    "exports a function",
    { "index.js": "export default () => ({});" },
    `package 'a-function' has no plugin as its default export: ${WRITE}`,
  ],
  "a-class": [
    "exports a class",
    { "index.js": "export default class Plugin {}" },
    `package 'a-class' has no plugin as its default export: ${WRITE}`,
  ],
  unstamped: [
    "was not made with definePlugin",
    { "index.js": "export default { id: 'unstamped', register() {} };" },
    `was not made with definePlugin: ${WRITE}`,
  ],
  newer: [
    "was built for a newer contract",
    { "index.js": plain("newer").replace("contract: 1", "contract: 7") },
    "was built for contract 7, this host has contract 1: update Parley, or install an earlier version of the package",
  ],
  older: [
    "was built for a contract that nobody runs any more",
    { "index.js": plain("older").replace("contract: 1", "contract: 0") },
    "was built for contract 0, this host has contract 1: install a newer version of the package",
  ],
  "other-id": [
    "has another id than config.ini says",
    { "index.js": plain("elsewhere") },
    "package 'other-id' is the plugin 'elsewhere', but config.ini names it 'other-id'",
  ],
  "odd-id": ["has an id with capitals", { "index.js": plain("Odd_Id") }, "'Odd_Id' is no kebab-case id"],
  typescript: [
    "publishes TypeScript",
    { "package.json": manifest({ exports: "./index.ts" }), "index.ts": "export default {} as object;" },
    "its package.json names index.ts, which is TypeScript: publish the JavaScript that tsc makes of it",
  ],
  unbuilt: [
    "was packed before it was built",
    { "package.json": manifest({ exports: "./dist/index.js" }) },
    'names dist/index.js, which is not there: build it before it is packed, and list its folder under "files"',
  ],
  "broken-manifest": [
    "has a package.json that is no JSON",
    { "package.json": '{"name":' },
    "cannot be read: its package.json:",
  ],
  "empty-manifest": [
    "has a package.json that is no object",
    { "package.json": "null" },
    "cannot be read: its package.json: it holds no object",
  ],
  "fails-to-register": [
    "fails when it is registered",
    { "index.js": `\n${plain("fails-to-register", "register() { nothing.there(); }")}` },
    "register failed: nothing is not defined (index.js:2)",
  ],
  "fails-to-make": [
    "fails when it makes what it adds",
    {
      "index.js": plain("fails-to-make", `register({ contribute }) {\ncontribute(${TOOLS}, () => nothing.there()); }`),
    },
    "what it adds to tools cannot be made: nothing is not defined (index.js:2)",
  ],
  "fails-to-start": [
    "fails when it starts",
    { "index.js": plain("fails-to-start", "register() {},\nasync start() { throw new Error('no network'); }") },
    "start failed: no network (index.js:2)",
  ],
  syntax: [
    "cannot be parsed",
    { "index.js": `import "./deep.js";\n${plain("syntax")}`, "deep.js": "\nconst a = ;" },
    "cannot be imported: Unexpected token ';' (deep.js:2)",
  ],
  "throws-early": [
    "throws while it is imported",
    { "index.js": "\n\nthrow new Error('not on this machine');" },
    "cannot be imported: not on this machine (index.js:3)",
  ],
  "throws-nothing": ["throws undefined", { "index.js": "throw undefined;" }, "cannot be imported: undefined"],
  "lacks-library": [
    "needs a library that it does not name",
    { "index.js": `import "no-such-library";\n${plain("lacks-library")}` },
    `needs the package 'no-such-library', which is not installed beside it: name it under "dependencies"`,
  ],
  misspelt: [
    "imports what the contract has not",
    { "index.js": `import { ChannelAdaptors } from "@parley/core";\n${plain("misspelt")}` },
    "does not provide an export named 'ChannelAdaptors' (index.js:1); did you mean 'ChannelAdapters'?",
  ],
  "names-a-folder": [
    "names a folder",
    { "package.json": manifest({ exports: "./lib" }), "lib/index.js": plain("names-a-folder") },
    "its package.json names lib, which is a folder: name the file in it",
  ],
  "without-ending": [
    "imports a file without its ending",
    { "index.js": `import "./lib/deep";\n${plain("without-ending")}`, "lib/deep.js": "" },
    "its index.js imports lib/deep, which is not there: an import names the whole file, with its ending (.js)",
  ],
  "imports-a-folder": [
    "imports a folder",
    { "index.js": `import "./lib";\n${plain("imports-a-folder")}`, "lib/index.js": "" },
    "its index.js imports lib, which is a folder: an import names the file in it",
  ],
  "lacks-a-file": [
    "was packed without a file",
    { "index.js": `import "./lib/deep.js";\n${plain("lacks-a-file")}` },
    'its index.js imports lib/deep.js, which is not there: its folder belongs under "files" in package.json',
  ],
  "require-in-module": [
    "calls require in a module",
    { "index.js": `\nconst fs = require("node:fs");\n${plain("require-in-module")}` },
    "require is not defined in ES module scope, you can use import instead (index.js:2)",
  ],
  "inside-core": [
    "imports what core does not offer",
    { "index.js": `import "@parley/core/src/plugin.ts";\n${plain("inside-core")}` },
    "Package subpath './src/plugin.ts' is not defined by \"exports\"",
  ],
  "no-id": [
    "has no id",
    { "index.js": "export default { contract: 1, register() {} };" },
    "the plugin of package 'no-id' has no id: definePlugin({ id: 'acme', … })",
  ],
  "no-register": [
    "has no register",
    { "index.js": "export default { id: 'no-register', contract: 1 };" },
    "the plugin of package 'no-register' has no register: definePlugin({ …, register({ contribute }) { … } })",
  ],
  "common-empty": [
    "is CommonJS without a plugin",
    { "package.json": '{"main":"index.js"}', "index.js": "exports.plugin = 1;" },
    `was not made with definePlugin: ${WRITE}`,
  ],
};

/** A package that behaves correctly until it is called or stopped. */
const LATE = `
const adapter = {
  type: "late", transports: ["websocket"], capabilities: {}, idempotency: "none", settings: Joi.object({ how: Joi.string() }),
  open({ config: { how } }) {
    if (how === "throws") throw new Error("no such platform");
    if (how === "nothing") return undefined;
    if (how === "never") return new Promise(() => {});
    return Promise.reject(new Error("the platform is away"));
  },
};
export default {
  id: "late", contract: 1,
  register({ contribute }) {
    contribute(RouteTables, () => [
      route({ method: "GET", path: "/late/block", summary: "x", auth: "open", data: answered.anything,
        run() { setTimeout(keepBusy, 1); return "soon"; } }),
    ]);
    contribute(ChannelAdapters, () => adapter);
    for (const [how, take] of Object.entries(doors)) contribute(SocketDoors, () => ({ path: "/late/" + how, take }));
  },
  async start({ defer }) {
    defer(() => new Promise(() => {}));
    defer(() => { throw new Error("it is stuck"); });
  },
};
const welcome = "HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n";
const fails = () => { throw new Error("no sockets today"); };
const doors = {
  "throws": fails,
  "rejects": async () => fails(),
  "throws-afterwards": (request, stream) => { stream.write(welcome); fails(); },
  "rejects-afterwards": async (request, stream) => { stream.write(welcome); fails(); },
  "throws-when-spoken-to": (request, stream) => { stream.write(welcome); stream.on("data", fails); },
  "throws-when-left": (request, stream) => { stream.end(welcome, () => stream.destroy()); stream.on("close", fails); },
};
function keepBusy() { const end = Date.now() + 3_200; while (Date.now() < end); }`;

const root = mkdtempSync(join(tmpdir(), "parley-wrong-"));
let service: ParleyProcess;

function install(name: string, files: Readonly<Record<string, string>>): void {
  const folder = join(root, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  const all = { "package.json": manifest({ name, exports: "./index.js" }), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

beforeAll(async () => {
  for (const [name, [, files]] of Object.entries(FAULTY_PACKAGES)) install(name, files);
  const names = "answered, ChannelAdapters, Joi, RouteTables, route, SocketDoors";
  install("late", { "index.js": `import { ${names} } from "@parley/core";\n${LATE}` });
  mkdirSync(join(root, "node_modules", "@parley"));
  symlinkSync(join(repository, "core"), join(root, "node_modules", "@parley", "core"));
  const lines = [...Object.keys(FAULTY_PACKAGES), "late"].map((name) => `${name} = ${name}`);
  writeFileSync(join(root, "config.ini"), `[plugins]\n${lines.join("\n")}\nabsent = nobody-has-it\n`);
  service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
}, 60_000);
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Opens a web socket client that sends a word when it receives data. */
function openSocketAt(path: string) {
  const socket = connect(Number(new URL(service.address).port), "127.0.0.1");
  const headers = `Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\n${headers}Sec-WebSocket-Key: ${"A".repeat(22)}==\r\n\r\n`);
  let output = "";
  socket.once("data", () => socket.write("hello"));
  socket.on("data", (chunk) => {
    output += chunk;
  });
  // The service resets a closed connection that still receives data.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return {
    heard: () => output,
    closed: () => closed,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

const call = (path: string) => createClient(service.address, "").send("GET", path);

describe("the service starts, and reports with advice, a package that", () => {
  test.each(Object.entries(FAULTY_PACKAGES).map(([id, [what, , message]]) => [what, id, message] as const))(
    "%s",
    async (_what, id, message) => {
      await eventually(() => {
        const line = service
          .output()
          .split("\n")
          .find((one) => one.includes(`plugin '${id}' is left out`));
        expect(line).toContain(message);
      });
    },
  );

  test("is not installed", () => {
    expect(service.output()).toContain("plugin 'absent' is left out: package 'nobody-has-it' is not installed");
  });
});

describe("a running plugin", () => {
  const signedIn = async () => {
    const open = createClient(service.address, "");
    const { token } = await open.post<{ token: string }>("/api/login", {
      username: "admin",
      password: "correct horse",
    });
    return open.as(token);
  };

  test.each([
    ["throws when a channel is opened", "throws", "no such platform"],
    ["rejects when a channel is opened", "rejects", "the platform is away"],
    ["gives no link for a channel", "nothing", "the adapter returned no connection"],
  ])("and %s is reported on that channel", async (_what, how, message) => {
    const api = await signedIn();
    await api.post("/api/channels", { id: how, name: how, type: "late", config: { how } });
    const { items } = await api.get<{ items: readonly { id: string; status: { last_error: string } }[] }>(
      "/api/channels",
    );
    expect(items.find(({ id }) => id === how)?.status.last_error).toContain(message);
  });

  const REFUSED = /^HTTP\/1\.1 500 Internal Server Error\r\n/;
  // Only the beginning of its response may arrive, and nothing after it.
  const CUT_OFF = /^(?:HTTP\/1\.1 101 (?:[^\r]+\r\n)+\r\n)?$/;
  test.each([
    ["throws", REFUSED],
    ["rejects", REFUSED],
    ["throws-afterwards", CUT_OFF],
    ["rejects-afterwards", CUT_OFF],
    ["throws-when-spoken-to", CUT_OFF],
    ["throws-when-left", CUT_OFF],
  ])("and has a socket endpoint that %s does not affect others", async (how, answer) => {
    const before = service.output().length;
    using client = openSocketAt(`/late/${how}`);
    await eventually(() => expect(service.output().slice(before)).toContain("no sockets today"));
    if (how !== "throws-when-spoken-to") await client.closed();
    expect(client.heard()).toMatch(answer);
    expect((await call("/api/health")).status).toBe(401);
  });

  test("that blocks the event loop for seconds is reported with its file", async () => {
    await eventually(() => expect(service.output()).toContain("ready"));
    expect((await call("/late/block")).status).toBe(200);
    await eventually(() =>
      expect(service.output()).toMatch(
        /the event loop was blocked: nothing was answered in that time[^[]+plugin: "late"/,
      ),
    );
    expect(service.output()).toContain("keepBusy");
  });

  test("that cannot release its resources is reported, and does not delay the end of the others", async () => {
    const begun = performance.now();
    expect(await service.stop()).toBe(0);
    expect(service.output()).toMatch(/a plugin could not release a resource\s+plugin: "late"/);
    expect(service.output()).toContain("it is stuck");
    expect(service.output()).toContain("it did not end within 3 s");
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
