import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A local npm registry that offers packed packages and no others. */
export interface Registry extends AsyncDisposable {
  readonly address: string;
  /** Names of its packages. */
  readonly names: readonly string[];
}

export async function startRegistry(folder: string): Promise<Registry> {
  const packed = globSync("*.tgz", { cwd: folder }).map((file) => readPacked(folder, file));
  const offered = new Map(packed.map((one) => [one.manifest.name, one]));
  const files = new Map(packed.map((one) => [`/-/${one.file}`, one.content]));
  const server = createServer(({ url = "" }, response) => {
    const content = files.get(url);
    const one = offered.get(decodeURIComponent(url.slice(1)));
    response.setHeader("cache-control", "no-store");
    if (content) response.end(content);
    else if (one) response.end(JSON.stringify(toPackument(one, `${address}/-/${one.file}`)));
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    names: [...offered.keys()],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** npm settings for tests: offline where packages are cached, and without side requests. */
export const NPM_SETTINGS: Readonly<Record<string, string>> = {
  npm_config_cache: join(import.meta.dirname, "..", "..", ".artefacts", "npm-cache"),
  npm_config_prefer_offline: "true",
  npm_config_yes: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

interface PackedPackage {
  readonly file: string;
  readonly content: Buffer;
  readonly manifest: { readonly name: string; readonly version: string };
}

function readPacked(folder: string, file: string): PackedPackage {
  const path = join(folder, file);
  const manifest = execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" });
  return { file, content: readFileSync(path), manifest: JSON.parse(manifest) };
}

function toPackument({ content, manifest }: PackedPackage, tarball: string): object {
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  const { name, version } = manifest;
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball, integrity } } },
  };
}
