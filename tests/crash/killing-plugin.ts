import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Joi from "@hapi/joi";
import { definePlugin, Paths, ToolTables, tool } from "@parley/core";

/** Provides a tool that appends a line to a file, which stands for an external effect; the process exits before or after it as the test requests. */
export default definePlugin({
  id: "killing-tool",
  register({ contribute }) {
    contribute(ToolTables, (from) => [
      tool<{ text: string }>({
        name: "leave_line",
        purpose: "Leaves a line.",
        scope: "gateway.read",
        risk: "action",
        audience: ["ai"],
        args: Joi.object<{ text: string }>({ text: Joi.string().required() }),
        async run({ text }) {
          const { root } = from.get(Paths);
          const aim = join(root, "aim");
          const [wanted, when] = (existsSync(aim) ? readFileSync(aim, "utf8").trim() : "").split(" ");
          if (wanted === text && when === "before") process.kill(process.pid, "SIGKILL");
          appendFileSync(join(root, "world"), `${text}\n`);
          if (wanted === text && when === "after") process.kill(process.pid, "SIGKILL");
          return text;
        },
      }),
    ]);
  },
});
