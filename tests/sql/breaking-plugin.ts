import { existsSync } from "node:fs";
import { join } from "node:path";
import { definePlugin, Paths } from "@parley/core";

/** Cannot be started any more once the test has put a file there. */
export default definePlugin({
  id: "breaking",
  register() {},
  async start({ get }) {
    if (existsSync(join(get(Paths).root, "broken"))) throw new Error("it is broken");
  },
});
