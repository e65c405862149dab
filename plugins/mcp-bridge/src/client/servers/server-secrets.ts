import { createHash } from "node:crypto";
import { type Collection, type Environment, type OwnerSecrets, type Secrets, toSharedError } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import type { Entry, ProvidedSecrets } from "./entry.ts";

/** A stored secret: encrypted, and bound to its server, variable and destination. */
export interface StoredSecret {
  /** `<server> <variable>` */
  readonly id: string;
  readonly destination: string;
  readonly sealed: string;
}

type Owner = Pick<Entry, "id" | "transport" | "url" | "command" | "args" | "headers_env" | "env_names">;

/** Secrets entered in the console: encrypted, and never returned. */
export interface ServerSecrets {
  load(): Promise<void>;
  /** Follows secrets stored by other processes and calls back with their server; returns the unsubscribe function. */
  follow(listener: (serverId: string) => void): () => void;
  /** Returns the secret stored for the server, else the environment's; throws `unavailable` when both are missing. */
  getValue(server: Owner, variable: string): string;
  /** Returns the variables with a stored secret. */
  listNames(server: Owner): readonly string[];
  /** Checks given secrets; throws `bad_request` for one the server does not receive. */
  check(server: Owner, given: ProvidedSecrets | undefined): void;
  /** Stores the given secrets; deletes those that the server does not receive any longer and those given for another destination. */
  store(server: Owner, given: ProvidedSecrets | undefined): Promise<void>;
  forget(server: Owner): Promise<void>;
}

export interface ServerSecretsDeps {
  readonly collection: Collection<StoredSecret>;
  readonly secrets: () => Secrets;
  readonly environment: Environment;
}

export function createServerSecrets({ collection, secrets, environment }: ServerSecretsDeps): ServerSecrets {
  const secretsById = new Map<string, StoredSecret>();
  const openSecret = (server: Owner, variable: string) => {
    const found = secretsById.get(toSecretId(server, variable));
    if (!found || found.destination !== toDestination(server)) return undefined;
    return getPlaceSecrets(secrets(), found).open(found.sealed);
  };
  const remove = async (id: string) => {
    secretsById.delete(id);
    await collection.remove(id);
  };
  return {
    async load() {
      for (const one of await collection.list()) secretsById.set(one.id, one);
    },
    follow: (listener) =>
      collection.onElsewhere((id, one) => {
        if (one) secretsById.set(id, one);
        else secretsById.delete(id);
        listener(id.split(" ", 1)[0] ?? "");
      }),
    getValue(server, variable) {
      const value = openSecret(server, variable) ?? environment.secret(variable);
      if (value === undefined) throw toSharedError("unavailable", "variable_not_set", { variable });
      return value;
    },
    listNames(server) {
      const destination = toDestination(server);
      return listVariables(server).filter(
        (name) => secretsById.get(toSecretId(server, name))?.destination === destination,
      );
    },
    check(server, given = {}) {
      const names = listVariables(server);
      const stray = Object.keys(given).find((name) => !names.includes(name));
      if (stray !== undefined)
        throw mcpBridgeTexts.error("bad_request", "no_such_secret", {}, { field: `secrets.${stray}` });
    },
    async store(server, given = {}) {
      const destination = toDestination(server);
      const wanted = new Set(listVariables(server).map((name) => toSecretId(server, name)));
      for (const { id, destination: former } of [...secretsById.values()]) {
        const isGone = !wanted.has(id) || former !== destination;
        if (id.startsWith(toSecretId(server, "")) && isGone) await remove(id);
      }
      for (const [variable, secret] of Object.entries(given)) {
        const id = toSecretId(server, variable);
        if (secret === null) {
          await remove(id);
          continue;
        }
        const one = { id, destination, sealed: getPlaceSecrets(secrets(), { id, destination }).seal(secret) };
        await collection.put(one);
        secretsById.set(id, one);
      }
    },
    async forget(server) {
      for (const id of [...secretsById.keys()]) if (id.startsWith(toSecretId(server, ""))) await remove(id);
    },
  };
}

function listVariables({ headers_env, env_names }: Owner): readonly string[] {
  return [...new Set([...Object.values(headers_env), ...env_names])];
}

function toSecretId({ id }: Pick<Owner, "id">, variable: string): string {
  return `${id} ${variable}`;
}

/** Returns the encryption of one place: a secret cannot be decrypted for another server, variable or destination. */
function getPlaceSecrets(
  secrets: Secrets,
  { id, destination }: Pick<StoredSecret, "id" | "destination">,
): OwnerSecrets {
  return secrets.of(`mcp:${id}`, destination);
}

/** Returns a hash of the destination of secrets; changing it requires the secret again. */
function toDestination({ transport, url, command, args }: Owner): string {
  const place = transport === "stdio" ? [command, ...args] : [URL.parse(url)?.origin ?? ""];
  return createHash("sha256")
    .update(JSON.stringify([transport, ...place]))
    .digest("base64url");
}
