import Joi from "@hapi/joi";
import {
  type Clock,
  deadline,
  type Egress,
  type Environment,
  type Settings,
  setting,
  toSharedError,
  withPattern,
} from "@parley/core";
import { multipartBody } from "@parley/core/channels";
import type { PresetRecords } from "../presets/preset-records.ts";
import type { Upload, UploadBody } from "../presets/schema.ts";
import { cardTexts } from "../texts.ts";
import type { CardExport } from "./card-export.ts";

const UPLOAD_TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 65_536;

export interface CardPlatform {
  readonly name: string;
  readonly url: string;
  readonly token_env: string;
  readonly format: "zip";
}

export const CARD_PLATFORMS = setting<readonly CardPlatform[]>({
  key: "card_platforms",
  schema: Joi.array()
    .items(
      Joi.object({
        name: Joi.string().trim().min(1).max(64).required(),
        url: Joi.string()
          .uri({ scheme: ["https", "http"] })
          .max(500)
          .required(),
        token_env: withPattern(Joi.string(), /^[A-Za-z_][A-Za-z0-9_]{0,127}$/, {
          en: "must be the name of an environment variable",
          zh: "须为环境变量名",
        }).required(),
        format: Joi.valid("zip").default("zip"),
      }),
    )
    .unique("name")
    .max(20)
    .default([]),
  group: "connections",
  title: { en: "Character card platforms", zh: "角色卡平台" },
  help: {
    en: "Where presets can be uploaded: name, address, and the variable with the token.",
    zh: "可上传预设的平台：名称、地址，以及存放令牌的环境变量名。",
  },
});

export interface PlatformsDeps {
  readonly settings: Pick<Settings, "get">;
  readonly egress: Egress;
  readonly environment: Pick<Environment, "secret">;
  readonly presets: PresetRecords;
  readonly cards: Pick<CardExport, "exportZip">;
  readonly clock: Clock;
}

/** Sends presets to services on which people share character cards. */
export interface Platforms {
  /** Uploads only the card; replaces an earlier upload. */
  upload(presetId: string, asked: UploadBody, signal: AbortSignal): Promise<Upload>;
}

const responseSchema = Joi.object({
  remote_id: Joi.alternatives(Joi.string().max(200), Joi.number()),
  id: Joi.alternatives(Joi.string().max(200), Joi.number()),
  url: Joi.string()
    .uri({ scheme: ["https", "http"] })
    .max(500)
    .allow(""),
})
  .or("remote_id", "id")
  .unknown();

export function createPlatforms(deps: PlatformsDeps): Platforms {
  const { settings, egress, environment, presets, cards, clock } = deps;
  const findPlatform = (name: string | undefined): CardPlatform => {
    const all = settings.get(CARD_PLATFORMS);
    const [only, second] = all;
    const found = name === undefined ? (second ? undefined : only) : all.find((one) => one.name === name);
    if (all.length === 0) throw cardTexts.error("unavailable", "no_platform");
    if (!found) throw cardTexts.error("bad_request", "platform_unknown", {}, { field: "platform" });
    return found;
  };
  return {
    async upload(presetId, { platform, visibility, confirm }, signal) {
      const { uploads } = await presets.getCustom(presetId);
      if (confirm !== true) throw cardTexts.error("confirmation_required", "unconfirmed");
      const { name, url, token_env } = findPlatform(platform);
      const token = environment.secret(token_env) ?? "";
      if (token === "") throw toSharedError("unavailable", "variable_not_set", { variable: token_env });
      const before = uploads.find((one) => one.platform === name);
      const { body, type } = multipartBody(
        { visibility, remote_id: before?.remote_id },
        {
          field: "file",
          name: "card.zip",
          type: "application/zip",
          bytes: await cards.exportZip({ preset_id: presetId }),
        },
      );
      using limit = deadline(UPLOAD_TIMEOUT_MS, signal);
      const call = egress.fetch({ reach: "loopback", timeoutMs: UPLOAD_TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES });
      const result = await call(url, {
        method: "POST",
        body,
        signal: limit.signal,
        headers: { authorization: `Bearer ${token}`, "content-type": type, accept: "application/json" },
      })
        .then(parseResponse)
        .catch((error: unknown) => {
          if (limit.signal.aborted && !signal.aborted) throw cardTexts.error("timed_out", "platform_late", { name });
          throw error;
        });
      const upload: Upload = {
        platform: name,
        remote_id: result.remoteId,
        url: result.url,
        uploaded_at: new Date(clock.now()).toISOString(),
      };
      await presets.noteUpload(presetId, upload);
      return upload;
    },
  };
}

async function parseResponse(response: Response): Promise<{ readonly remoteId: string; readonly url: string }> {
  if (!response.ok) {
    await response.body?.cancel();
    throw cardTexts.error("upstream_failed", "platform_answered", { status: response.status });
  }
  const json = await response.json().catch((cause: unknown) => {
    throw cardTexts.error("upstream_failed", "platform_no_json", {}, { cause });
  });
  const { value, error } = responseSchema.validate(json);
  if (error) throw cardTexts.error("upstream_failed", "platform_odd", { problem: error.message });
  return { remoteId: String(value.remote_id ?? value.id), url: value.url ?? "" };
}
