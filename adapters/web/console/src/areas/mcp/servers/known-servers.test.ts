import { describe, expect, test } from "vitest";
import { KNOWN_SERVERS, PLACEHOLDER } from "./known-servers.ts";
import { toServerFields } from "./server-draft.ts";

/** Formats the service accepts: one package with an exact version. */
const PACKAGE = {
  npx: /^(@[a-z0-9-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+$/,
  uvx: /^[a-z0-9-]+==(\d+(\.\d+)+|<version>)$/,
};

describe("the catalogue of known servers", () => {
  test("has a unique name for each", () => {
    const names = KNOWN_SERVERS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(KNOWN_SERVERS)("has the fields of the form and a link to the documentation for $name", (known) => {
    const { transport, url, command, args, headers_env } = toServerFields(known.draft);
    expect(URL.parse(known.docs)?.protocol).toBe("https:");
    expect(known.description.every((text) => text.length > 5)).toBe(true);
    if (transport === "streamable-http") expect(URL.parse(url)?.protocol).toBe("https:");
    else expect(args[0]).toMatch(PACKAGE[command as keyof typeof PACKAGE]);
    // A key is kept beside its name, which would be the only thing that reaches the entry.
    expect(Object.keys(headers_env)).toHaveLength(known.auth === "key" ? 1 : 0);
    expect(known.draft.args.replaceAll(new RegExp(PLACEHOLDER, "g"), "")).not.toMatch(/[<>]/);
  });
});
