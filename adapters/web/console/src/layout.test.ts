import { existsSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const here = import.meta.dirname;
const sources = globSync("**/*.{ts,tsx}", { cwd: here }).filter((file) => !file.endsWith(".test.ts"));
const textOf = (file: string) => readFileSync(join(here, file), "utf8");
const partOf = (file: string) =>
  file
    .split("/")
    .slice(0, file.startsWith("areas/") ? 2 : 1)
    .join("/");

/** Allowed imports by folder; an area may import only itself and the shared folders. */
const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  shared: ["shared"],
  resource: ["resource", "shared"],
};

/** Matches a query's key, whose first part is its topic, and its query function. */
const QUERY = /queryKey: \[([^\],]*)([^\]]*)\],\s*queryFn: ([\s\S]*?)[,\s]*\n?\s*(?:\}\)|\w+: )/g;
/** Expressions equivalent to functions of another area that would be a forbidden import. */
const EQUIVALENT_READS: Readonly<Record<string, string>> = {
  "models.getEffective": '()=>parley.get("/api/ai-config")',
  "filter.list": '()=>parley.get("/api/message-filter")',
};

describe("the console's source folders", () => {
  it("areas import only themselves and shared code, and shared code imports no area", () => {
    const wrong = sources.flatMap((file) => {
      const part = partOf(file);
      if (part === "app" || !file.includes("/")) return [];
      const allowed = ALLOWED_IMPORTS[part] ?? [part, "resource", "shared"];
      const imports = [...textOf(file).matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(([, to = ""]) => to);
      return imports
        .map((to) => normalize(join(dirname(file), to)))
        .filter((to) => !allowed.includes(partOf(to)))
        .map((to) => `${file} imports ${to}`);
    });
    expect(wrong).toEqual([]);
  });

  it("values under one storage key are parsed in one place, so that every page finds the expected shape", () => {
    const read = sources.flatMap((file) =>
      [...textOf(file).matchAll(QUERY)].map(([, head = "", tail = "", how = ""]) => {
        const plain = how.replaceAll(/\s|<\w+>/g, "").replace(/^\(\)=>api\./, "()=>parley.");
        return { file, head, tail: tail.replaceAll(/\s/g, ""), how: EQUIVALENT_READS[plain] ?? plain };
      }),
    );
    expect(read.length).toBeGreaterThan(100);
    /** Names of topics; `view.kind` stands for kinds without a page of their own. */
    const isName = /^("|view\.kind$)/;
    /** A key whose first part is a variable may equal any other. */
    const mayBeSameKey = (a: string, b: string) => a === b || !(isName.test(a) && isName.test(b));
    const wrong = read.flatMap((one, at) =>
      read
        .slice(at + 1)
        .filter(
          ({ head, tail, how }) => tail !== "" && tail === one.tail && mayBeSameKey(head, one.head) && how !== one.how,
        )
        .map((other) => `[${one.head}${one.tail}]: ${one.file} ${one.how} | ${other.file} ${other.how}`),
    );
    expect(wrong).toEqual([]);
  });

  it("forms are submitted by the shared form, which shows errors at the fields and asks before changes are lost", () => {
    const own = sources.filter((file) => /<form\b/.test(textOf(file)));
    expect(own.toSorted()).toEqual([
      // Forms that send, search, open or insert a few words, and the sign-in form: leaving them loses nothing.
      "app/companion/panel.tsx",
      "app/sign-in/sign-in.tsx",
      "areas/channels/test-message.tsx",
      "areas/conversations/composer/prompt-dialog.tsx",
      "areas/conversations/thread/chat-header.tsx",
      "areas/conversations/thread/day-dialog.tsx",
      "areas/gateway/find-messages.tsx",
      "areas/mcp/servers/try-tool.tsx",
      "areas/models/playground.tsx",
      "areas/skills/skill-files.tsx",
      "areas/transfer/import-config.tsx",
      "shared/ui/form/form.tsx",
    ]);
  });

  it("call the service through one client, so that each call notices the end of a login", () => {
    const others = sources.filter((file) => /(?<![\w.])fetch\(|XMLHttpRequest/.test(textOf(file)));
    // Upload progress needs XMLHttpRequest, whose failures are reported in the same way.
    expect(others.toSorted()).toEqual(["shared/api/client.ts", "shared/api/upload.ts"]);
    expect(textOf("shared/api/upload.ts")).toContain("reportFailure(");
  });

  const using = (pattern: RegExp) => sources.filter((file) => pattern.test(textOf(file))).toSorted();

  it("records are edited through one form hook, so that each form survives the changes of others", () => {
    expect(using(/getConflictRevision\(|createComparison[<(]/)).toEqual([
      "areas/conversations/message/message-editor.tsx",
      "areas/models/form/model-form.tsx",
      "areas/world-books/entries/entry-form.tsx",
      "shared/ui/form/conflict-differences.tsx",
      "shared/ui/form/edit-conflict.tsx",
      "shared/ui/form/use-record-form.ts",
    ]);
  });

  it("forms get their draft from the form hook", () => {
    const byHand = sources.filter((file) => /<Form\b/.test(textOf(file)) && !/\buseRecordForm\b/.test(textOf(file)));
    expect(byHand.toSorted()).toEqual([
      "areas/models/form/model-form.tsx",
      "areas/world-books/entries/entry-form.tsx",
      // Its callers use the hook.
      "resource/form/fields-form.tsx",
    ]);
  });

  it("files are uploaded and saved by one helper each", () => {
    // The second one reports the progress of an upload.
    expect(using(/new FormData\(\)/)).toEqual(["shared/api/client.ts", "shared/api/upload.ts"]);
    // The first one shows a picture.
    expect(using(/createObjectURL\(/)).toEqual([
      "areas/conversations/markdown/remote-image.tsx",
      "shared/ui/download-file.ts",
    ]);
  });

  it("records are listed by one table", () => {
    // The first one lists keyboard shortcuts, the second one compares platforms.
    expect(using(/<Table\b/)).toEqual([
      "app/frame/keyboard-window.tsx",
      "areas/channels/compare/compare-types.tsx",
      "shared/ui/table/record-table.tsx",
    ]);
  });

  it("areas with parts for administrators only declare them", () => {
    const areas = new Set(sources.filter((file) => file.startsWith("areas/")).map(partOf));
    const needsAdmin = [...areas].filter((area) =>
      sources.some((file) => partOf(file) === area && /useHasScope\("admin"\)|scope="admin"/.test(textOf(file))),
    );
    expect(needsAdmin.length).toBeGreaterThan(0);
    expect(needsAdmin.filter((area) => !/[cC]hangeScope: "admin"/.test(textOf(`${area}/area.ts`)))).toEqual([]);
  });

  it("every Mantine component in use has its styles", () => {
    const styles = dirname(createRequire(import.meta.url).resolve("@mantine/core/styles.css"));
    const loaded = ["shared/styles/first.ts", "shared/styles/areas.ts"].map(textOf).join();
    const used = sources.flatMap((file) =>
      [...textOf(file).matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)].flatMap(([, names = ""]) =>
        names.split(",").map((name) => name.trim()),
      ),
    );
    const missing = used.filter(
      (name) => existsSync(join(styles, "styles", `${name}.css`)) && !loaded.includes(`/${name}.layer.css`),
    );
    expect([...new Set(missing)]).toEqual([]);
  });
});
