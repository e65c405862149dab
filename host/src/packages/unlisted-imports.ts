import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { init, parse } from "es-module-lexer";

interface Dependencies {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * A sentence for each package that the packed JavaScript imports and that installing it would not bring, such as a
 * devDependency: here it is found, elsewhere the plugin does not load.
 */
export async function findUnlistedImports(
  root: string,
  packedPaths: readonly string[],
  { name, dependencies, peerDependencies, optionalDependencies }: Dependencies,
): Promise<readonly string[]> {
  await init;
  const listed = { ...dependencies, ...peerDependencies, ...optionalDependencies };
  const importers = new Map<string, string>();
  for (const path of packedPaths.filter((one) => /\.m?js$/.test(one))) {
    for (const wanted of listImportedPackages(readFileSync(join(root, path), "utf8"))) {
      if (wanted !== name && !(wanted in listed) && !importers.has(wanted)) importers.set(wanted, path);
    }
  }
  return [...importers].map(
    ([wanted, path]) =>
      `${path} imports '${wanted}', which is not under "dependencies" or "peerDependencies" of package.json: move it there, or its users lack it`,
  );
}

function listImportedPackages(source: string): readonly string[] {
  let imports: ReturnType<typeof parse>[0];
  try {
    [imports] = parse(source);
  } catch {
    // Loading the plugin reports syntax errors with file and line.
    return [];
  }
  return imports.flatMap(({ specifier }) => {
    if (typeof specifier !== "string" || /^(\.|\/|#|[a-z]+:)/.test(specifier) || isBuiltin(specifier)) return [];
    return [specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")];
  });
}
