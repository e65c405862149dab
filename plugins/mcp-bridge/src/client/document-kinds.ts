import type { DocumentKind } from "@parley/core";
import type { SealedRecord } from "./oauth/sealed-records.ts";
import { ENTRY_SECRETS, type Entry } from "./servers/entry.ts";
import type { StoredSecret } from "./servers/server-secrets.ts";
import type { StoredFingerprints } from "./tools/known-tools.ts";

export const SERVERS: DocumentKind<Entry> = { name: "mcp-servers", secrets: ENTRY_SECRETS, sealedAs: "mcp-entry" };
export const SERVER_SECRETS: DocumentKind<StoredSecret> = { name: "mcp-secrets" };
export const KNOWN_TOOLS: DocumentKind<StoredFingerprints> = { name: "mcp-seen-tools" };
export const SIGN_INS: DocumentKind<SealedRecord> = { name: "mcp-sign-ins" };
export const SIGN_IN_ATTEMPTS: DocumentKind<SealedRecord> = { name: "mcp-sign-in-attempts" };
