import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

const INSTALLED = join(import.meta.dirname, "../../adapters/chat-sdk/node_modules");

/** Puts packages of the Chat SDK into an operator's folder, as `parley add` installs them there. */
export function linkAdapterPackages(root: string, ...names: readonly string[]): void {
  for (const name of names) {
    const place = join(root, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(realpathSync(join(INSTALLED, name)), place);
  }
}
