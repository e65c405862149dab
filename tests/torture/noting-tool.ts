import { appendFileSync, readFileSync } from "node:fs";
import Joi from "@hapi/joi";
import { definePlugin, Tools, tool } from "@parley/core";

interface Note {
  readonly about: string;
}

/** A tool that must not run twice; it writes a line for every run to a file that outlives the process. */
export default definePlugin<{ readonly file: string }>({
  id: "note",
  config: Joi.object({ file: Joi.string().required() }),
  register({ config: { file }, contribute }) {
    contribute(Tools, () =>
      tool<Note>({
        name: "note",
        purpose: "Notes what a message is about.",
        args: Joi.object<Note, true>({ about: Joi.string().required() }),
        scope: "gateway.read",
        risk: "action",
        audience: ["ai"],
        async run({ about }) {
          appendFileSync(file, `${about}\n`);
          return "it is noted";
        },
      }),
    );
  },
});

/** Reads the notes so far, one per run of the tool. */
export function readNotes(file: string): readonly string[] {
  return readFileSync(file, "utf8").split("\n").slice(0, -1);
}
