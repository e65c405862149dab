import { createHash } from "node:crypto";
import Joi from "@hapi/joi";
import { type Clock, type Database, displayName, newId, type SharedWindow } from "@parley/core";
import { networkOf } from "@parley/core/limits";
import { OAuthError } from "./oauth-error.ts";
import { isAllowedRedirect } from "./redirect-uri.ts";
import type { ClientRow, OAuthTables } from "./tables.ts";

const MAX_PENDING = 500;
const MAX_PER_NETWORK = 10;
export const WINDOW_MS = 600_000;
/** Lifetime of clients without a grant: a day. Others expire 90 days after their last grant. */
const PENDING_TTL_MS = 86_400_000;
const UNUSED_TTL_MS = 90 * 86_400_000;

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** Programs that registered themselves (RFC 7591). */
export interface Clients {
  /** Registers a client and returns the answer. Rejects with `OAuthError` for invalid metadata, and when a network registers too many. */
  register(metadata: unknown, address: string): Promise<object>;
  find(id: string): Promise<Client | undefined>;
  /** Deletes clients that are not used. */
  sweep(): Promise<void>;
}

export interface ClientsDeps {
  readonly database: () => Database;
  readonly clock: Clock;
  /** Returns the window of registrations within `WINDOW_MS`. */
  readonly registrationWindow: () => SharedWindow;
}

interface Metadata {
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly string[];
}

const text = Joi.string().max(2_000);
const metadataSchema = Joi.object<Metadata>({
  client_name: displayName(100).default("MCP"),
  redirect_uris: Joi.array().items(text.required()).min(1).max(10).unique().required(),
  grant_types: Joi.array().items(text).has("authorization_code"),
  response_types: Joi.array().items(text).has("code"),
})
  .unknown()
  .prefs({ errors: { wrap: { label: false } } });

export function createClients({ database, clock, registrationWindow }: ClientsDeps): Clients {
  const tables = () => database().tables<OAuthTables>();

  const countNetwork = async (address: string) => {
    const waitMs = await registrationWindow().use(networkOf(address), MAX_PER_NETWORK);
    if (waitMs > 0) throw createTooManyClientsError(waitMs);
  };
  const sweep = async () => {
    const waiting = tables().deleteFrom("oauth_clients").where("granted_at", "is", null);
    const granted = tables()
      .deleteFrom("oauth_clients")
      .where("granted_at", "<", clock.now() - UNUSED_TTL_MS);
    const grantedIds = tables().selectFrom("oauth_grants").select("client_id");
    await database().write([
      { query: waiting.where("created_at", "<", clock.now() - PENDING_TTL_MS) },
      { query: granted.where("id", "not in", grantedIds) },
      {
        query: tables()
          .deleteFrom("oauth_codes")
          .where("expires_at", "<", clock.now() - WINDOW_MS),
      },
      { query: tables().deleteFrom("oauth_grants").where("expires_at", "<", clock.now()) },
    ]);
  };
  /**
   * Removes one client without a grant when there are too many: the oldest of the network with the most, so that a
   * flood does not displace single registrations.
   */
  const makeRoom = async () => {
    const waiting = tables().selectFrom("oauth_clients").where("granted_at", "is", null);
    const { count } = await waiting.select(({ fn }) => fn.countAll().as("count")).executeTakeFirstOrThrow();
    if (Number(count) < MAX_PENDING) return;
    const crowded = await waiting
      .select(["network", ({ fn }) => fn.countAll().as("count"), ({ fn }) => fn.min("created_at").as("since")])
      .groupBy("network")
      .orderBy("count", "desc")
      .orderBy("since")
      .executeTakeFirstOrThrow();
    const { network } = crowded;
    const its = network === null ? waiting.where("network", "is", null) : waiting.where("network", "=", network);
    const { id } = await its.select("id").orderBy("created_at").executeTakeFirstOrThrow();
    await database().write([{ query: tables().deleteFrom("oauth_clients").where("id", "=", id) }]);
  };

  return {
    sweep,
    async register(given, address) {
      const { value, error } = metadataSchema.validate(given);
      if (error) throw createInvalidMetadataError(error);
      const odd = value.redirect_uris.find((uri) => !isAllowedRedirect(uri));
      if (odd !== undefined) {
        throw new OAuthError(
          "invalid_redirect_uri",
          "redirect_uris: https, or http to this machine, without a fragment",
        );
      }
      await countNetwork(address);
      await sweep();
      await makeRoom();
      const row: ClientRow = {
        id: newId("client", clock.now()),
        name: value.client_name,
        redirect_uris: JSON.stringify(value.redirect_uris),
        created_at: clock.now(),
        granted_at: null,
        network: createHash("sha256").update(networkOf(address, 48)).digest("base64url").slice(0, 16),
      };
      await database().write([{ query: tables().insertInto("oauth_clients").values(row), expect: 1 }]);
      return {
        client_id: row.id,
        client_id_issued_at: Math.floor(clock.now() / 1000),
        client_name: row.name,
        redirect_uris: value.redirect_uris,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      };
    },
    async find(id) {
      const query = tables().selectFrom("oauth_clients").selectAll().where("id", "=", id);
      const [row] = await database().lookup<ClientRow>(query);
      return row && { id: row.id, name: row.name, redirectUris: JSON.parse(row.redirect_uris) };
    },
  };
}

function createInvalidMetadataError({ message, details: [detail] }: Joi.ValidationError): OAuthError {
  const isRedirect = detail?.path[0] === "redirect_uris";
  return new OAuthError(isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata", message);
}

function createTooManyClientsError(waitMs: number): OAuthError {
  const more = { status: 429, retryAfterS: Math.ceil(waitMs / 1000) };
  return new OAuthError("temporarily_unavailable", "too many clients register: try again later", more);
}
