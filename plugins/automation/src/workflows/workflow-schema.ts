import Joi, { type CustomHelpers } from "@hapi/joi";
import { type Resource, reportProblem, resource, textOf, withLabel, withPattern } from "@parley/core";
import { enabledField, listOptions, nameField, runRecordFields, title, toIdentity } from "../record-fields.ts";
import { TARGET_TYPES, type TargetType } from "../speaker.ts";
import { automationTexts } from "../texts.ts";
import { type Condition, OPERATORS } from "./conditions.ts";
import { isPath, VARIABLE_NAME } from "./templates.ts";

export const ACTIONS = ["ai", "tool", "message", "choice", "delay"] as const;
export type Action = (typeof ACTIONS)[number];
const MAX_STEPS = 50;
const MAX_JSON = 64 * 1024;
/** Limits of buttons below a message. */
const MAX_CHOICES = 8;
const MAX_CHOICE_CHARS = 40;
const DAY_S = 86_400;

export interface Step {
  readonly id: string;
  readonly action: Action;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output_var?: string;
  readonly condition?: Condition;
  readonly retry: number;
  readonly timeout_s: number;
  readonly on_error: "stop" | "continue";
}

export interface WorkflowConfig {
  readonly cron?: string;
  readonly interval_minutes?: number;
  readonly timezone?: string;
  readonly target_type?: TargetType;
  readonly target_id?: string;
  readonly max_iterations?: number;
  readonly tools?: readonly string[];
}

export interface WorkflowFields {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly trigger: "manual" | "cron" | "interval";
  readonly config: WorkflowConfig;
  readonly steps: readonly Step[];
}

const toolNames = Joi.array()
  .items(withPattern(Joi.string(), /^[\w-]{1,128}$/, { en: "must be the name of a tool", zh: "须为工具名称" }))
  .max(128)
  .unique();
const variableSchema = withPattern(Joi.string(), VARIABLE_NAME, {
  en: "must be a name of letters, digits and _",
  zh: "须为字母、数字和 _ 组成的名称",
});
const pathSchema = Joi.string()
  .max(200)
  .custom((text: string, helpers: CustomHelpers) =>
    isPath(text)
      ? text
      : reportProblem(automationTexts.error("bad_request", "no_variable", { example: "weather.days[0]" }), helpers),
  );

/** Schema of an IANA time zone, checked by `Intl`, which throws a readable message. */
export const timezone = Joi.string()
  .max(64)
  .custom((value: string) => {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return value;
  });

/** Schema of a schedule. */
export const timing = {
  cron: Joi.string().max(200),
  interval_minutes: Joi.number().integer().min(1).max(525_600),
  timezone,
};

const target = {
  target_type: Joi.string().valid(...TARGET_TYPES),
  target_id: textOf(200).trim(),
};

const INPUT_SCHEMAS = {
  ai: Joi.object({
    prompt: textOf(20_000).min(1).disallow("").required(),
    system: textOf(20_000),
    tools: toolNames,
    model_id: Joi.string().max(100),
  }),
  tool: Joi.object({ name: Joi.string().max(128).required(), arguments: Joi.object().unknown().default({}) }),
  message: Joi.object({ content: textOf(32_000).min(1).disallow("").required(), ...target }),
  choice: Joi.object({
    content: textOf(32_000).min(1).disallow("").required(),
    choices: Joi.array()
      .items(textOf(MAX_CHOICE_CHARS).trim().min(1).disallow(""))
      .min(2)
      .max(MAX_CHOICES)
      .unique()
      .required(),
    seconds: Joi.number()
      .integer()
      .min(60)
      .max(7 * DAY_S)
      .default(DAY_S),
    ...target,
  }),
  delay: Joi.object({ seconds: Joi.number().integer().min(1).max(86_400).required() }),
} as const;

const when = (is: string, then: Joi.Schema) => ({ is, then });

const stepSchema = Joi.object({
  id: withPattern(Joi.string(), /^[\w-]{1,64}$/, {
    en: "must be a name of letters, digits, _ and -",
    zh: "须为字母、数字、_ 和 - 组成的名称",
  }).required(),
  action: Joi.string()
    .valid(...ACTIONS)
    .required(),
  // The schema of the input depends on the action.
  input: Joi.alternatives()
    .conditional("action", { switch: ACTIONS.map((action) => when(action, INPUT_SCHEMAS[action])) })
    .required(),
  output_var: variableSchema,
  condition: Joi.object({
    var: pathSchema.required(),
    op: Joi.string()
      .valid(...OPERATORS)
      .required(),
    value: Joi.alternatives().try(textOf(2_000), Joi.number(), Joi.boolean(), Joi.valid(null)),
  }),
  retry: Joi.number().integer().min(0).max(5).default(0),
  timeout_s: Joi.number().integer().min(1).max(600).default(60),
  on_error: Joi.string().valid("stop", "continue").default("stop"),
});

export const stepsSchema = Joi.array()
  .items(stepSchema)
  .max(MAX_STEPS)
  .unique("id")
  .custom((value: object, helpers: CustomHelpers) =>
    JSON.stringify(value).length > 4 * MAX_JSON
      ? reportProblem(automationTexts.error("bad_request", "steps_large"), helpers)
      : value,
  );

export const workflows: Resource<WorkflowFields> = resource<WorkflowFields>({
  ...toIdentity("workflow", "/api/workflows", "wf"),
  title: { one: { en: "workflow", zh: "工作流" }, many: { en: "workflows", zh: "工作流" } },
  about: {
    en: "Steps that run in order, manually or on a schedule: ask the AI, use a tool, send a message, ask a person, wait.",
    zh: "按顺序执行的步骤，可手动或按计划运行：询问 AI、使用工具、发送消息、请人选择、等待。",
  },
  fields: {
    name: nameField,
    description: withLabel(textOf(20_000).min(1).disallow("").required(), {
      ...title("What it is for", "说明"),
      help: {
        en: "If there are no steps, the AI follows this description.",
        zh: "没有步骤时，AI 按此说明执行。",
      },
      widget: "textarea",
    }),
    enabled: enabledField,
    trigger: withLabel(Joi.string().valid("manual", "cron", "interval").default("manual"), {
      ...title("Starts", "启动方式"),
      options: {
        manual: { en: "manually", zh: "手动" },
        cron: { en: "on a schedule", zh: "按计划" },
        interval: { en: "at an interval", zh: "按间隔" },
      },
    }),
    config: withLabel(
      Joi.object({
        ...timing,
        ...target,
        max_iterations: Joi.number().integer().min(1).max(50),
        tools: toolNames,
      }).default({}),
      title("Settings", "设置"),
    ),
    steps: withLabel(stepsSchema.default([]), title("Steps", "步骤")),
  },
  derived: {
    session_id: withLabel(Joi.string().allow(null).required(), title("Conversation", "会话")),
    ...runRecordFields,
  },
  search: ["name", "description"],
  ...listOptions,
});
