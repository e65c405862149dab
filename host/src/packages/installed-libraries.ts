import { pathToFileURL } from "node:url";
import type { InstalledLibraries } from "@parley/core";
import { createError, sentence } from "../sentences.ts";
import { findPackage, toPackagesFolder } from "./find-package.ts";

/** Creates the importer of libraries of an installation; what was imported once stays for the lifetime of the process. */
export function createInstalledLibraries(root: string): InstalledLibraries {
  return {
    async import(name) {
      const found = findPackage(name, root);
      if (!found) throw createError("not_found", sentence("not_installed", { name, root: toPackagesFolder(root) }));
      return import(pathToFileURL(found.file).href);
    },
  };
}
