import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Emits the list of pages that areas may reference, for a service without the sources of the pages. */
function leavePages(this: { emitFile(file: { type: "asset"; fileName: string; source: string }): string }) {
  const names = readdirSync(join(import.meta.dirname, "src", "areas")).sort();
  this.emitFile({ type: "asset", fileName: "pages.json", source: JSON.stringify(names) });
}

/** Returns the name of a class in the page, `message_bubble` for `bubble` of `message.module.css`: no two files have one name. */
function toClassName(name: string, file: string): string {
  return `${basename(file).replace(/\.module\.css.*$/, "")}_${name}`;
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), { name: "pages", generateBundle: leavePages }],
  resolve: { conditions: ["@parley/source", "browser", "module", "import", "default"] },
  css: { modules: { generateScopedName: toClassName } },
  build: { outDir: "../dist/console", emptyOutDir: true, chunkSizeWarningLimit: 1200 },
  server: { proxy: { "/api": { target: "http://127.0.0.1:5000", ws: true } } },
});
