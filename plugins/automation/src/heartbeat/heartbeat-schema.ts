import Joi, { type CustomHelpers } from "@hapi/joi";
import { reportProblem, textOf, withPattern } from "@parley/core";
import { canonicalSessionId } from "@parley/core/channels";
import { answerFields, shape } from "@parley/core/http";
import { authorshipFields } from "../authorship.ts";
import { runFields } from "../runs/run-views.ts";
import { automationTexts } from "../texts.ts";

export const HEARTBEAT = "heartbeat";
export const CONTENT_FILE = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}\.md$/;

/** The settings of the heartbeat. */
export interface HeartbeatFields {
  readonly enabled: boolean;
  readonly interval_minutes: number;
  readonly content_file: string;
  readonly target_session_id: string | null;
  readonly targets: readonly string[];
}

export const HEARTBEAT_DEFAULTS: HeartbeatFields = {
  enabled: false,
  interval_minutes: 60,
  content_file: "heartbeat.md",
  target_session_id: null,
  targets: [],
};

export const fileName = withPattern(Joi.string(), CONTENT_FILE, {
  en: "must be a name like heartbeat.md",
  zh: "须为 heartbeat.md 这样的文件名",
});

const target = textOf(200)
  .trim()
  .min(1)
  .custom((text: string, helpers: CustomHelpers) => {
    const id = canonicalSessionId(text);
    const isKnown = id === "web" || /^sess_[0-9a-z]{1,40}$/.test(id) || /^[A-Za-z0-9_-]{2,64}:.+$/.test(id);
    return isKnown ? id : reportProblem(automationTexts.error("bad_request", "no_target_form"), helpers);
  });

export const heartbeatPatch = Joi.object<Partial<HeartbeatFields>>({
  enabled: Joi.boolean(),
  interval_minutes: Joi.number().integer().min(1).max(10_080),
  content_file: fileName,
  target_session_id: textOf(200).trim().min(1).allow(null),
  targets: Joi.array().items(target).max(50).unique(),
});

const { id, flag, count, text, texts, orNull, time } = answerFields;

export const heartbeatShape = shape(
  {
    id,
    enabled: flag,
    interval_minutes: count,
    content_file: text,
    target_session_id: orNull(id),
    targets: texts,
    session_id: orNull(id),
    ...authorshipFields,
    ...runFields,
    created_at: time,
    updated_at: time,
    revision: count,
  },
  "Heartbeat",
);

export const contentShape = shape({ file: text, content: text, exists: flag, etag: text }, "HeartbeatContent");
export const savedContentShape = shape({ file: text, size: count, etag: text });
