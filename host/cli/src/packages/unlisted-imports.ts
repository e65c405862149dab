import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { init, parse } from "es-module-lexer";

interface Dependencies {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns a sentence for each package or file that the packed JavaScript imports and an installation would lack, such as a devDependency
 * or a source file: the import works here but would fail elsewhere.
 */
export async function findUnlistedImports(
  root: string,
  packedPaths: readonly string[],
  { name, dependencies, peerDependencies, optionalDependencies }: Dependencies,
): Promise<readonly string[]> {
  await init;
  const listed = { ...dependencies, ...peerDependencies, ...optionalDependencies };
  const importers = new Map<string, string>();
  const unpacked: string[] = [];
  for (const path of packedPaths.filter((one) => /\.m?js$/.test(one))) {
    for (const specifier of listSpecifiers(readFileSync(posix.join(root, path), "utf8"))) {
      const wanted = toPackageName(specifier);
      if (specifier.startsWith(".")) {
        const file = posix.join(posix.dirname(path), specifier.replace(/[?#].*$/, ""));
        if (!packedPaths.includes(file)) unpacked.push(`${path} imports '${specifier}', which is not in the package`);
      } else if (wanted && wanted !== name && !(wanted in listed) && !importers.has(wanted))
        importers.set(wanted, path);
    }
  }
  return [
    ...[...importers].map(
      ([wanted, path]) =>
        `${path} imports '${wanted}', which is not under "dependencies" or "peerDependencies" of package.json: move it there, or its users lack it`,
    ),
    ...unpacked.map((finding) => `${finding}: build it into a folder that "files" lists`),
  ];
}

/** Pattern of imports by a `require` that a module created. */
const REQUIRED = /\brequire\(\s*["']([^"'`]+)["']\s*\)/g;

function listSpecifiers(source: string): readonly string[] {
  const required = source.includes("createRequire") ? [...source.matchAll(REQUIRED)].map(([, one = ""]) => one) : [];
  let imports: ReturnType<typeof parse>[0];
  try {
    [imports] = parse(source);
  } catch {
    // Loading the plugin reports syntax errors with file and line.
    return required;
  }
  return [...required, ...imports.flatMap(({ specifier }) => (typeof specifier === "string" ? [specifier] : []))];
}

/** Returns the package of an import; undefined when there is none. */
function toPackageName(specifier: string): string | undefined {
  if (/^(\.|\/|#|[a-z]+:)/.test(specifier) || isBuiltin(specifier)) return undefined;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
