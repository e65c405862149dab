// What a change of the contract breaks for plugins that were written for it as it was, told from the types of both.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// The compiler's own interface, which TypeScript 7 has not.
const ts = createRequire(join(root, "adapters", "web", "client", "package.json"))("typescript");

/**
 * Sentences, one for each export that plugins can no longer use as they do. `before` and `now` are folders of declarations that
 * lie where their libraries are found; both are rewritten.
 */
export function incompatibilities(before, now, indexes = ["index"]) {
  for (const folder of [before, now])
    for (const file of globSync("**/*.d.ts", { cwd: folder })) strict(join(folder, file));
  const files = indexes.flatMap((index) => [before, now].map((folder) => join(folder, `${index}.d.ts`)));
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
  });
  const checker = program.getTypeChecker();
  const exportsOf = (folder, index) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(folder, `${index}.d.ts`)));
    return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, aliased(checker, symbol)]));
  };
  return indexes.flatMap((index) => {
    const after = exportsOf(now, index);
    return [...exportsOf(before, index)].flatMap(([name, old]) => {
      const problem = after.has(name) ? findProblem(checker, old, after.get(name)) : "is gone";
      return problem === undefined ? [] : [`${index === "index" ? "" : `${index}: `}${name} ${problem}`];
    });
  });
}

function aliased(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function findProblem(checker, old, now) {
  const isValue = ({ flags }) => (flags & ts.SymbolFlags.Value) !== 0;
  if (isValue(old) && !isValue(now)) return "is a type only";
  const [were, are] = [old, now].map((symbol) => parametersOf(symbol));
  if (are.required > were.required || are.total < were.total) return "takes other type parameters";
  if (!isValue(old)) return undefined;
  const [before, after] = [old, now].map((symbol) => checker.getTypeOfSymbol(symbol));
  const given = (type) => (type.typeArguments ?? type.aliasTypeArguments ?? [])[0];
  const [wasKind, isKind] = [before, after].map(({ symbol }) => symbol?.name);
  // What plugins add is as they wrote it; what they are given must be what they expect.
  if (wasKind === "ExtensionPoint" && isKind === wasKind) {
    const fits = checker.isTypeAssignableTo(given(before), given(after));
    return fits ? undefined : `does not take what was written for it: ${whyNot(checker, given(before), given(after))}`;
  }
  const [was, is] = wasKind === "ServiceKey" && isKind === wasKind ? [given(before), given(after)] : [before, after];
  if (checker.isTypeAssignableTo(is, was) || isWrittenAlike(checker, old, now)) return undefined;
  return `is not what it was: ${whyNot(checker, is, was)}`;
}

/**
 * True when a declaration and all it references are unchanged or only extended. Types with an open type parameter are
 * never assignable between two copies, so they are compared by text.
 */
function isWrittenAlike(checker, old, now, seen = new Set()) {
  if (old === now || seen.has(old)) return true;
  seen.add(old);
  const [were, are] = [old, now].map(({ declarations = [] }) => declarations);
  if (were.length !== are.length) return false;
  return were.every((was, at) => {
    const [before, after] = [was, are[at]].map((node) => namesIn(node));
    return (
      was.getText() === are[at].getText() &&
      before.every((name, place) => {
        const [meant, means] = [name, after[place]].map((one) => symbolOf(checker, one));
        if (meant?.declarations?.some((node) => isWithin(node, was))) return true;
        if (meant === undefined || means === undefined) return meant === means;
        return isWrittenAlike(checker, meant, means, seen) || hasBecomeMore(checker, meant, means);
      })
    );
  });
}

function hasBecomeMore(checker, old, now) {
  const isVariable = ({ flags }) => (flags & ts.SymbolFlags.Variable) !== 0;
  if (![old, now].every(isVariable)) return false;
  return checker.isTypeAssignableTo(...[now, old].map((symbol) => checker.getTypeOfSymbol(symbol)));
}

function namesIn(node) {
  const names = [];
  const visit = (inner) => {
    if (ts.isIdentifier(inner)) names.push(inner);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return names;
}

function symbolOf(checker, name) {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && aliased(checker, symbol);
}

function isWithin(node, outer) {
  for (let at = node; at; at = at.parent) if (at === outer) return true;
  return false;
}

function parametersOf({ declarations = [] }) {
  const parameters = declarations.find(({ typeParameters }) => typeParameters)?.typeParameters ?? [];
  return { total: parameters.length, required: parameters.filter(({ default: fallback }) => !fallback).length };
}

/** Describes where two types differ: the innermost member, parameter or result that does not match. */
function whyNot(checker, from, to, depth = 0) {
  const inner = (own, other) => whyNot(checker, own, other, depth + 1);
  const fits = (own, other) => checker.isTypeAssignableTo(own, other);
  const [own, other] = [from, to].map((type) => checker.getNonNullableType(type));
  const isObject = ({ flags }) => (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  if (depth < 8 && isObject(own) && isObject(other) && !fits(own, other)) {
    const [[given], [wanted]] = [own, other].map((type) => type.getCallSignatures());
    if (given && wanted) return partOfCall(checker, given, wanted, inner) ?? textOfBoth(checker, from, to);
    const [[one], [another]] = [own, other].map((type) => type.typeArguments ?? []);
    if (one && another && own.symbol === other.symbol && !fits(one, another)) return inner(one, another);
    for (const member of checker.getPropertiesOfType(other)) {
      const has = checker.getPropertyOfType(own, member.name);
      if (!has && !(member.flags & ts.SymbolFlags.Optional)) return `'${member.name}' is missing`;
      const types = has && [has, member].map((symbol) => checker.getTypeOfSymbol(symbol));
      if (types && !fits(...types)) return `'${member.name}': ${inner(...types)}`;
    }
  }
  return textOfBoth(checker, from, to);
}

function partOfCall(checker, given, wanted, inner) {
  const typesOf = ({ parameters }) => parameters.map((symbol) => checker.getTypeOfSymbol(symbol));
  const [takes, gets] = [typesOf(given), typesOf(wanted)];
  for (const [at, type] of takes.entries()) {
    // What it is called with must be what it takes.
    if (gets[at] && !checker.isTypeAssignableTo(gets[at], type)) {
      return `its parameter '${given.parameters[at].name}': ${inner(gets[at], type)}`;
    }
  }
  const [answer, expected] = [given, wanted].map((signature) => checker.getReturnTypeOfSignature(signature));
  return checker.isTypeAssignableTo(answer, expected) ? undefined : `its answer: ${inner(answer, expected)}`;
}

function textOfBoth(checker, from, to) {
  const [is, was] = [from, to].map((type) =>
    checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation).slice(0, 160),
  );
  return `${is} where ${was} is wanted`;
}

/** Methods as properties: the parameters of a method may be narrowed without a word. */
function strict(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ESNext, true);
  const { factory } = ts;
  const transform = (context) => (node) => {
    const visit = (inner) => {
      const visited = ts.visitEachChild(inner, visit, context);
      if (!ts.isMethodSignature(visited) || isOverloaded(inner)) return visited;
      const type = factory.createFunctionTypeNode(visited.typeParameters, visited.parameters, visited.type);
      return factory.createPropertySignature(visited.modifiers, visited.name, visited.questionToken, type);
    };
    return ts.visitNode(node, visit);
  };
  const { transformed } = ts.transform(source, [transform]);
  // Without an explicit export, a declaration file exports all that it declares, also what is private.
  writeFileSync(file, `${ts.createPrinter({ removeComments: true }).printFile(transformed[0])}export {};\n`);
}

function isOverloaded({ name, parent }) {
  return parent.members?.filter((member) => member.name?.getText() === name.getText()).length > 1;
}

/** Writes the declarations of a report over today's; files missing from it stay as they are. */
export function writeReported(report, folder) {
  for (const [, file, text] of report.matchAll(/^## (\S+)\n\n```ts\n([\s\S]*?)\n```$/gm)) {
    const path = join(folder, `${file}.d.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
