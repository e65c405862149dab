import { join } from "node:path";
import { type ModelServer, type ReplayServer, startModelServer, startReplayServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Answer, Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

/** State shared by the tests of a file. */
interface State {
  // The offline model calls a tool for the message `/tool name {…}`.
  parley: Parley;
  api: Client;
  shop: ReplayServer;
  models: ModelServer;
  count: number;
}

export const scene = {
  count: 0,
} as State;

export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly has_storage: boolean;
  readonly scripts: readonly string[];
  readonly storage_created: boolean;
}
export interface Answered {
  readonly replies: readonly {
    readonly content: string;
    readonly tool_calls: readonly { readonly name: string; readonly status: string; readonly result: string }[];
  }[];
}

export const root = () => join(scene.parley.root, "data", "skills");
export const fresh = () => `skill-${++scene.count}`;
export const make = (more: object = {}) => scene.api.post<Skill>("/api/skills", { name: fresh(), ...more });
export const storage = (name: string) => `/api/skills/storage/${encodeURIComponent(name)}`;
export const session = async (more: object = {}) => (await scene.api.post<{ id: string }>("/api/sessions", more)).id;
export const call = async (tool: string, args: object, id?: string) => {
  const message = { content: `/tool ${tool} ${JSON.stringify(args)}` };
  const { replies } = await scene.api.post<Answered>(`/api/sessions/${id ?? (await session())}/chat`, message);
  return replies[0]?.tool_calls[0];
};

/** Builds a form as browsers send it. */
export function form(
  fields: Readonly<Record<string, string>>,
  files: readonly (readonly [string, string | Uint8Array])[],
  field = "files",
) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const chunks = files.flatMap(([name, bytes]) => [
    Buffer.from(
      `--part\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(bytes),
    Buffer.from("\r\n"),
  ]);
  const body = Buffer.concat([Buffer.from(parts.join("")), ...chunks, Buffer.from("--part--\r\n")]);
  return { body, headers: { "content-type": "multipart/form-data; boundary=part" } };
}
export const codeOf = ({ status, json }: Answer) => `${status} ${json?.code ?? ""}`;

export const SKILL_MD = `---
name: tea
description: How tea is made here.
license: MIT
allowed-tools: search_web, http_get
metadata:
  version: "1.0"
---

Ask which tea, then read brewing.md.
`;
const OFF = { features: { skill_scripts: false, exec_command: false } };

/** Sets up the tests of a file. */
export function useSkills(): void {
  beforeAll(async () => {
    scene.shop = await startReplayServer();
    scene.models = await startModelServer();
    scene.parley = await startParley();
    scene.api = await scene.parley.signIn();
  });
  afterAll(async () => {
    await scene.parley[Symbol.asyncDispose]();
    await scene.shop[Symbol.asyncDispose]();
    await scene.models[Symbol.asyncDispose]();
  });
  afterEach(() => scene.api.put("/api/settings", OFF));
}
