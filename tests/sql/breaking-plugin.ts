import { existsSync } from "node:fs";
import { join } from "node:path";
import { definePlugin, Paths } from "@parley/core";

/** A plugin that fails to start once the test has created a file. */
export default definePlugin({
  id: "breaking",
  register() {},
  async start({ get }) {
    if (existsSync(join(get(Paths).root, "broken"))) throw new Error("it is broken");
  },
});
