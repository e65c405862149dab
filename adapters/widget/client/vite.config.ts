import { defineConfig } from "vite";

/** Builds the script as one file without imports, which any page can load by a plain script element. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: "../dist/client",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "src/main.ts", formats: ["iife"], name: "ParleyWidget", fileName: () => "widget.js" },
  },
});
