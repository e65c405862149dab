import { join } from "node:path";
import {
  Clock,
  ConfigSections,
  Egress,
  Environment,
  Files,
  HostControl,
  Jobs,
  LiveEvents,
  type Logger,
  Paths,
  RecordStore,
  Redaction,
  type Resolver,
  Secrets,
  Settings,
  ToolGuard,
} from "@parley/core";
import { webSection } from "@parley/core/http";
import { OwnInstallationId, OwnRevocations, OwnServers, OwnSettings, OwnSignIns } from "../keys.ts";
import { STDIO_ENABLED } from "../stdio-setting.ts";
import { createDial } from "./connection/dial.ts";
import { KNOWN_TOOLS, SERVER_SECRETS, SERVERS, SIGN_IN_ATTEMPTS, SIGN_INS } from "./document-kinds.ts";
import { createRevocations, type Revocations } from "./oauth/revocations.ts";
import { createSignInEndpoint, type SignInEndpoint } from "./oauth/sign-in-endpoint.ts";
import { createSignIns, type SignIns } from "./oauth/sign-ins.ts";
import { BUILTIN_ID } from "./servers/entry.ts";
import { createServerSecrets } from "./servers/server-secrets.ts";
import { createServers, type Servers } from "./servers/servers.ts";
import { type CallToolManually, createManualCalls } from "./tools/manual-calls.ts";

/** Creates manual calls lazily at the first call, since the guard needs the servers' tools. */
export function makeManualCalls(from: Resolver): CallToolManually {
  return (...call) =>
    createManualCalls({ servers: from.get(OwnServers), guard: from.get(ToolGuard), clock: from.get(Clock) })(...call);
}

export function makeRevocations(from: Resolver, log: Logger): Revocations {
  return createRevocations({
    jobs: () => from.find(Jobs),
    secrets: () => from.get(Secrets),
    egress: from.get(Egress),
    log,
  });
}

export function makeSignIns(from: Resolver, log: Logger): SignIns {
  const records = from.get(RecordStore);
  return createSignIns({
    collection: records.documents(SIGN_INS),
    attempts: records.documents(SIGN_IN_ATTEMPTS),
    secrets: () => from.get(Secrets),
    egress: from.get(Egress),
    revocations: from.get(OwnRevocations),
    clock: from.get(Clock),
    log,
  });
}

export function makeSignInEndpoint(from: Resolver): SignInEndpoint {
  const publicBaseUrl = () => webSection(from.get(ConfigSections), from.find(Settings)).public_base_url ?? "";
  return createSignInEndpoint({ servers: from.get(OwnServers), signIns: from.get(OwnSignIns), publicBaseUrl });
}

export function makeServers(from: Resolver, log: Logger): Servers {
  const settings = from.get(OwnSettings);
  const environment = from.get(Environment);
  const clock = from.get(Clock);
  const { data } = from.get(Paths);
  const { allowed_commands, command_lines, pass_env } = settings;
  const stdio = {
    rules: { allowed_commands, command_lines, dataFolder: data },
    passEnv: pass_env,
    isEnabled: () => from.find(Settings)?.get(STDIO_ENABLED) ?? false,
  };
  const folder = join(data, "mcp");
  const secrets = createServerSecrets({
    collection: from.get(RecordStore).documents(SERVER_SECRETS),
    secrets: () => from.get(Secrets),
    environment,
  });
  const signIns = from.get(OwnSignIns);
  const dial = createDial({ stdio, secrets, signIns, egress: from.get(Egress), environment, clock, log, folder });
  const dialOurselves = async () => (await import("./connection/dial-in-process.ts")).dialInProcess(from);
  return createServers({
    entries: from.get(RecordStore).documents(SERVERS),
    fingerprints: from.get(RecordStore).documents(KNOWN_TOOLS),
    dial: (entry) => (entry.id === BUILTIN_ID ? dialOurselves() : dial(entry)),
    stdio,
    secrets,
    signIns,
    environment,
    events: from.get(LiveEvents),
    clock,
    log,
    version: from.get(HostControl).version,
    isOwnServer: (id) => from.get(OwnInstallationId).isOwn(id),
    mask: (text) => from.get(Redaction).mask(text),
    files: () => from.find(Files),
    hasBuiltin: settings.enabled,
  });
}
