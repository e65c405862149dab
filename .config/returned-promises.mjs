// Promises that an async function returns unawaited although something is closed, or no longer caught, when it is left.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// The compiler's own interface, which TypeScript 7 has not.
const ts = createRequire(join(root, "adapters", "web", "client", "package.json"))("typescript");

/** `file:line using|try statement`, one for each `return promise` that `using` or `try` around it does not wait for. */
export function returnedUnawaited(files) {
  const program = ts.createProgram([...files], {
    target: ts.ScriptTarget.ESNext,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    jsx: ts.JsxEmit.ReactJSX,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    customConditions: ["@parley/source"],
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
  });
  const checker = program.getTypeChecker();
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...unawaited(source, undefined, checker)].map(({ node, by }) => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      return `${file}:${line + 1} ${by} ${node.getText()}`;
    });
  });
}

/** `by`: what ends before the promise does, where the node stands. */
function* unawaited(node, by, checker) {
  if (ts.isTryStatement(node)) {
    yield* unawaited(node.tryBlock, by ?? "try", checker);
    if (node.catchClause) yield* unawaited(node.catchClause, by ?? (node.finallyBlock && "try"), checker);
    if (node.finallyBlock) yield* unawaited(node.finallyBlock, by, checker);
    return;
  }
  if (ts.isReturnStatement(node) && by !== undefined && isPromise(node.expression, checker)) yield { node, by };
  let inside = ts.isFunctionLike(node) ? undefined : by;
  for (const child of node.getChildren()) {
    yield* unawaited(child, inside, checker);
    if (holds(child)) inside = "using";
  }
}

function isPromise(expression, checker) {
  if (!expression || ts.isAwaitExpression(expression)) return false;
  const type = checker.getTypeAtLocation(expression);
  return (type.isUnion() ? type.types : [type]).some((part) => part.getProperty("then") !== undefined);
}

/** A declaration with `using` or `await using`: it is closed at the end of the block that it stands in. */
function holds(node) {
  if (!ts.isVariableStatement(node)) return false;
  const kind = node.declarationList.flags & ts.NodeFlags.BlockScoped;
  return kind === ts.NodeFlags.Using || kind === ts.NodeFlags.AwaitUsing;
}
