import { definePlugin } from "@parley/core";

/** Who speaks where no character is bound, presets to make characters of, and role cards in every container. */
export default definePlugin({
  id: "personality",
  register() {},
});
