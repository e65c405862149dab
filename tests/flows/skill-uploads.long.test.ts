import { readdirSync } from "node:fs";
import { join } from "node:path";
import { writeArchive } from "@parley/core/archive";
import { describe, expect, test } from "vitest";
import type { Answer } from "../harness/http/client.ts";
import { codeOf, form, fresh, root, SKILL_MD, scene, useSkills } from "./skills-setup.ts";

useSkills();

const upload = (
  fields: Readonly<Record<string, string>>,
  files: readonly (readonly [string, string | Uint8Array])[],
  field?: string,
) => scene.api.send("POST", "/api/skills/upload-folder", form(fields, files, field));

describe("an uploaded folder", () => {
  test("becomes a skill, by its header and its configuration", async () => {
    const folder_name = fresh();
    const answer = await upload(
      { folder_name, skill_config: JSON.stringify({ aliases: ["brew"], name: "ignored", unknown: 1 }) },
      [
        ["tea/SKILL.md", SKILL_MD],
        ["tea/scripts/run.py", "print(1)"],
        ["tea/.DS_Store", "x"],
        ["tea/.git/config", "x"],
      ],
    );
    expect(answer.json?.data).toMatchObject({
      files_count: 2,
      skipped: 2,
      skill: { name: folder_name, description: "How tea is made here.", aliases: ["brew"], scripts: ["run.py"] },
    });
    expect(codeOf(await upload({ folder_name }, [["SKILL.md", "# New"]]))).toBe("409 conflict");
    const again = await upload({ folder_name, overwrite: "true" }, [["SKILL.md", "# New"]]);
    expect(again.json?.data).toMatchObject({
      files_count: 1,
      skill: { scripts: [], description: "How tea is made here." },
    });
    expect(readdirSync(join(root(), folder_name))).toEqual(["SKILL.md"]);
  });

  test("is found in an archive at any depth, and whatever the case of SKILL.md", async () => {
    const text = "---\ndescription: Brews tea\n---\nBoil water.";
    const archives: readonly (readonly [name: string, files: readonly (readonly [string, string])[]])[] = [
      [
        "deep-tea",
        [
          ["repo-main/skills/tea/SKILL.md", text],
          ["repo-main/skills/tea/scripts/a.py", "1"],
          ["repo-main/README.md", "x"],
        ],
      ],
      ["small-tea", [["skill.md", text]]],
      [
        "tea",
        [
          ["skills/tea/Skill.md", text],
          ["skills/coffee/SKILL.md", "other"],
        ],
      ],
      [
        "outer-tea",
        [
          ["SKILL.md", text],
          ["examples/sub/SKILL.md", "other"],
        ],
      ],
    ];
    for (const [folder_name, files] of archives) {
      const archive = await writeArchive(files.map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) })));
      const answer = await upload({ folder_name }, [["tea.zip", archive]], "archive");
      expect(answer.json?.data, folder_name).toMatchObject({ skill: { description: "Brews tea" } });
      const { content } = await scene.api.get<{ content: string }>(`/api/skills/storage/${folder_name}/skill-md`);
      expect(content).toContain("Boil water.");
    }
    const two = await writeArchive([
      { name: "a/SKILL.md", bytes: Buffer.from(text) },
      { name: "b/SKILL.md", bytes: Buffer.from(text) },
    ]);
    const both = await upload({ folder_name: "either" }, [["two.zip", two]], "archive");
    expect(both.json?.data).toMatchObject({
      skill: { name: "a" },
      skills: [
        { name: "a", description: "Brews tea" },
        { name: "b", description: "Brews tea" },
      ],
      files_count: 2,
      skipped: 0,
    });
    expect(codeOf(await upload({ folder_name: "either" }, [["two.zip", two]], "archive"))).toBe("409 conflict");
    const ambiguous = { folder_name: "either", skill_md: SKILL_MD };
    expect(codeOf(await upload(ambiguous, [["two.zip", two]], "archive"))).toBe("400 bad_request");
  });

  test("in an archive with an existing skill is not stored, nor are the others", async () => {
    const archive = await writeArchive(
      ["fresh-one", "tea"].map((name) => ({ name: `${name}/SKILL.md`, bytes: Buffer.from(SKILL_MD) })),
    );
    await upload({ folder_name: "tea", overwrite: "true" }, [["SKILL.md", SKILL_MD]]);
    expect(codeOf(await upload({ folder_name: "all" }, [["two.zip", archive]], "archive"))).toBe("409 conflict");
    expect(readdirSync(root())).not.toContain("fresh-one");
  });

  test.each([
    ["a character card", ["character.json", "portrait.png"]],
    ["a Word document", ["[Content_Types].xml", "word/document.xml"]],
    ["a Node.js package", ["package/package.json", "package/index.js"]],
    ["a folder of pictures", ["a.png", "b/c.jpg"]],
    ["a folder with notes.docx, a.bin", ["notes.docx", "a.bin"]],
  ])("is rejected as an archive that contains %s", async (what, names) => {
    const archive = await writeArchive(names.map((name) => ({ name, bytes: Buffer.from("x") })));
    const answer = await upload({ folder_name: fresh() }, [["x.zip", archive]], "archive");
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.json?.error).toBe(`archive: there is no SKILL.md in it: it looks like ${what}`);
  });

  test("may be an archive", async () => {
    const folder_name = fresh();
    const archive = await writeArchive([
      { name: "tea/SKILL.md", bytes: Buffer.from(SKILL_MD) },
      { name: "__MACOSX/tea/._SKILL.md", bytes: Buffer.from("x") },
    ]);
    const answer = await upload({ folder_name }, [["tea.zip", archive]], "archive");
    expect(answer.json?.data).toMatchObject({ files_count: 1, skipped: 1, skill: { has_storage: true } });
  });

  test.each<[string, () => Promise<Answer>, string]>([
    ["a name that climbs", () => upload({ folder_name: "../x" }, [["SKILL.md", "x"]]), "400 bad_request"],
    ["a file that climbs", () => upload({ folder_name: "climbs" }, [["../../x", "x"]]), "400 bad_request"],
    [
      "names that differ in case alone",
      () =>
        upload({ folder_name: "twins" }, [
          ["A.md", "x"],
          ["a.md", "y"],
        ]),
      "400 bad_request",
    ],
    [
      "a file below a file",
      () =>
        upload({ folder_name: "below" }, [
          ["a", "x"],
          ["a/b", "y"],
        ]),
      "400 bad_request",
    ],
    ["nothing in it", () => upload({ folder_name: "nothing" }, []), "400 bad_request"],
    [
      "a configuration that is no object",
      () => upload({ folder_name: "list", skill_config: "[]" }, [["SKILL.md", "x"]]),
      "400 bad_request",
    ],
    [
      "a head that is no YAML",
      () => upload({ folder_name: "head" }, [["SKILL.md", "---\na: [\n---\n"]]),
      "400 bad_request",
    ],
    [
      "a head of aliases",
      () => upload({ folder_name: "bomb" }, [["SKILL.md", "---\na: &a [x]\nb: [*a, *a]\n---\n"]]),
      "400 bad_request",
    ],
    [
      "too many files",
      () =>
        upload(
          { folder_name: "many" },
          Array.from({ length: 501 }, (_, at) => [`f${at}.md`, "x"] as const),
        ),
      "413 too_large",
    ],
    [
      "an archive that climbs",
      async () =>
        upload(
          { folder_name: "zip" },
          [
            [
              "a.zip",
              Buffer.from(
                Buffer.from(await writeArchive([{ name: "aa/evil.md", bytes: Buffer.from("x") }]))
                  .toString("latin1")
                  .replaceAll("aa/evil", "../evil"),
                "latin1",
              ),
            ],
          ],
          "archive",
        ),
      "400 bad_request",
    ],
    [
      "an archive that is a bomb",
      async () => upload({ folder_name: "zip" }, [["a.zip", Buffer.from("PK\u0003\u0004 nonsense")]], "archive"),
      "400 bad_request",
    ],
  ])("is rejected with %s, and nothing of it is stored", async (_, send, expected) => {
    const before = readdirSync(root()).toSorted();
    expect(codeOf(await send())).toBe(expected);
    expect(readdirSync(root()).toSorted()).toEqual(before);
  });
});
