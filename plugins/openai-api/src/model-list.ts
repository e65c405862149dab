import type { Characters, Models } from "@parley/core";
import { openaiTexts } from "./texts.ts";

const DEFAULT = "default";
const PAGE = 500;

/** The one that answers a request: a character, one model, or the model that answers conversations. */
export interface Target {
  /** The stable name: `default`, `model:<id>`, `character:<id>`. */
  readonly id: string;
  readonly characterId?: string;
  readonly modelId?: string;
}

/** A model as OpenAI's API lists it. */
export interface ListedModel {
  readonly id: string;
  readonly object: "model";
  readonly created: number;
  readonly owned_by: string;
}

/** A record with a name, before it is listed. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly created?: number;
}

type Kind = "model" | "character";

/** The names under which clients of OpenAI's API find characters and models. */
export interface ModelList {
  list(): Promise<readonly ListedModel[]>;
  /** Resolves a name; rejects with `not_found` when it is unknown or ambiguous. */
  resolve(name: string): Promise<Target>;
  get(name: string): Promise<ListedModel>;
}

export interface ModelListDeps {
  readonly models: () => Pick<Models, "listEnabled"> | undefined;
  readonly characters: () => Pick<Characters, "page" | "find"> | undefined;
}

export function createModelList(deps: ModelListDeps): ModelList {
  const resolve = async (name: string): Promise<Target> => {
    if (name === DEFAULT) return { id: DEFAULT };
    const [, kind, wanted = ""] = /^(model|character):(.+)$/su.exec(name) ?? [];
    if (kind === undefined) throw createUnknownError(name);
    const isModel = kind === "model";
    const found = findNamed(await (isModel ? listModels(deps) : findCharacters(deps, wanted)), wanted);
    if (!found) throw createUnknownError(name);
    return { id: `${kind}:${found.id}`, ...(isModel ? { modelId: found.id } : { characterId: found.id }) };
  };
  return {
    resolve,
    async list() {
      const [models, characters] = await Promise.all([listModels(deps), listCharacters(deps)]);
      return [toListed(DEFAULT), ...toListedAll("model", models), ...toListedAll("character", characters)];
    },
    async get(name) {
      await resolve(name);
      return toListed(name);
    },
  };
}

/** Finds by id, then by exact name, then by name in any case; undefined when several have the name. */
function findNamed(all: readonly Named[], wanted: string): Named | undefined {
  const lower = wanted.toLowerCase();
  const rules: readonly ((one: Named) => boolean)[] = [
    ({ id }) => id === wanted,
    ({ name }) => name === wanted,
    ({ name }) => name.toLowerCase() === lower,
  ];
  for (const rule of rules) {
    const matching = all.filter(rule);
    if (matching.length > 0) return matching.length === 1 ? matching[0] : undefined;
  }
  return undefined;
}

async function listModels({ models }: ModelListDeps): Promise<readonly Named[]> {
  return (await models()?.listEnabled("chat")) ?? [];
}

async function listCharacters({ characters }: ModelListDeps, q?: string): Promise<readonly Named[]> {
  const all: Named[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await characters()?.page({ limit: PAGE, offset, ...(q !== undefined && { q }) });
    const items = page?.items ?? [];
    all.push(...items.map(({ id, name, created_at }) => ({ id, name, created: Date.parse(created_at) / 1000 })));
    if (items.length < PAGE) return all;
  }
}

async function findCharacters(deps: ModelListDeps, wanted: string): Promise<readonly Named[]> {
  const byId = await deps.characters()?.find(wanted);
  return byId ? [byId] : listCharacters(deps, wanted);
}

/** Lists records by name, and by id where others have the name too. */
function toListedAll(kind: Kind, all: readonly Named[]): readonly ListedModel[] {
  const counts = new Map<string, number>();
  const keyOf = ({ name }: Named) => name.toLowerCase();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return all.map((one) => toListed(`${kind}:${counts.get(keyOf(one)) === 1 ? one.name : one.id}`, one.created));
}

function toListed(id: string, created = 0): ListedModel {
  return { id, object: "model", created: Math.floor(created), owned_by: "parley" };
}

function createUnknownError(name: string) {
  return openaiTexts.error("not_found", "no_model", { name }, { field: "model" });
}
