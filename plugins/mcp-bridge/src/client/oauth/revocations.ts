import Joi from "@hapi/joi";
import { AppError, type Egress, type JobKind, type Jobs, jobKind, type Logger, type Secrets } from "@parley/core";
import type { Entry } from "../servers/entry.ts";
import { createOAuthFetch } from "./oauth-fetch.ts";
import type { SignIn } from "./sign-in-records.ts";

export const REVOKE_JOB = "mcp-bridge.revoke";
/** Retries for about an hour, for a server under maintenance. */
const RETRY = { attempts: 8, firstDelayMs: 30_000, maxDelayMs: 1_800_000 };

type Server = Pick<Entry, "id" | "url">;

/** Data needed to revoke access (RFC 7009) after the sign-in is deleted. */
export interface Revocation {
  readonly serverUrl: string;
  /** Revocation endpoint. */
  readonly address: string;
  readonly token: string;
  readonly client: SignIn["client"];
  readonly authMethods: readonly string[];
}

interface RevocationJobData {
  readonly server_id: string;
  /** Encrypted revocation; the field's name keeps it masked in job views. */
  readonly sealed_token: string;
}

/** Revokes access at other servers in the background. */
export interface Revocations {
  /** Resolves when the revocation is stored as a job, or at once when the jobs plugin is disabled. */
  add(server: Server, signIn: SignIn): Promise<void>;
  readonly kind: JobKind;
}

export interface RevocationsDeps {
  /** Returns the jobs; undefined when their plugin is disabled. */
  readonly jobs: () => Jobs | undefined;
  readonly secrets: () => Secrets;
  readonly egress: Egress;
  readonly log: Logger;
}

export function createRevocations({ jobs, secrets, egress, log }: RevocationsDeps): Revocations {
  const revoke = async (revocation: Revocation, signal?: AbortSignal) =>
    (await import("./oauth-flow.ts")).revokeToken(revocation, createOAuthFetch(revocation.serverUrl, egress), signal);
  const ownSecrets = (serverId: string) => secrets().of(`mcp-revocation:${serverId}`);
  const logExhausted = (server: string, error: unknown) =>
    log.warn("a server did not revoke its access: revoke it there", { server, error });
  return {
    async add(server, signIn) {
      const revocation = toRevocation(server, signIn);
      if (!revocation) return;
      const storing = jobs();
      if (!storing) return revoke(revocation).catch((error: unknown) => logExhausted(server.id, error));
      const sealed_token = ownSecrets(server.id).sealValue(revocation, listRevocationSecrets);
      await storing.add(REVOKE_JOB, { server_id: server.id, sealed_token });
    },
    kind: jobKind<RevocationJobData>({
      kind: REVOKE_JOB,
      titles: { en: "Revoke access to an MCP server", zh: "撤销对 MCP 服务器的访问授权" },
      schema: Joi.object({ server_id: Joi.string().required(), sealed_token: Joi.string().required() }),
      secrets: ["sealed_token"],
      retry: RETRY,
      timeoutMs: 60_000,
      async run({ server_id, sealed_token }, { attempt, signal }) {
        try {
          await revoke(ownSecrets(server_id).openValue(sealed_token, listRevocationSecrets), signal);
        } catch (error) {
          const isOver = attempt >= RETRY.attempts || isPermanentError(error);
          if (isOver && !signal.aborted) logExhausted(server_id, error);
          throw error;
        }
      },
    }),
  };
}

/** Returns the data for a revocation; undefined when there is no token or the server supports none. */
function toRevocation({ url }: Server, { client, discovery, tokens }: SignIn): Revocation | undefined {
  const metadata = discovery.authorizationServerMetadata as Readonly<Record<string, unknown>> | undefined;
  const address = metadata?.revocation_endpoint;
  const token = tokens?.refresh_token ?? tokens?.access_token;
  if (typeof address !== "string" || token === undefined) return undefined;
  const authMethods = (metadata?.revocation_endpoint_auth_methods_supported as readonly string[] | undefined) ?? [];
  return { serverUrl: url, address, token, client, authMethods };
}

function isPermanentError(error: unknown): boolean {
  return AppError.is(error) && ["bad_request", "permission_denied"].includes(error.code);
}

function listRevocationSecrets({ token, client }: Revocation): readonly (string | undefined)[] {
  return [token, client.client_secret];
}
