import Joi from "@hapi/joi";
import {
  type AppError,
  type JsonFile,
  type LiveEvents,
  localizeMessage,
  resourceChanged,
  type TransferContext,
  type TransferSection,
  textOf,
} from "@parley/core";
import { planItems } from "@parley/core/transfer";
import { filterTexts } from "../texts.ts";
import {
  EMPTY_DOCUMENT,
  type InvalidRule,
  importRules,
  type PlacedRule,
  parseRules,
  type RuleDocument,
} from "./document.ts";
import { GLOBAL, MAX_GROUP, MAX_REPLACEMENT, RULE_ACTIONS, RULE_TARGETS, RULE_TYPES, type Rule } from "./rule.ts";
import { ruleWindow } from "./window.ts";

const SWITCH_ID = "enabled";

interface FilterSectionData {
  readonly enabled: boolean;
  readonly rules: readonly (Rule & { readonly channel: string })[];
}

const textField = (max: number) => Joi.string().allow("").max(max);
const sectionDataSchema = Joi.object<FilterSectionData>({
  enabled: Joi.boolean().required(),
  rules: Joi.array()
    .items(
      Joi.object({
        id: Joi.string().max(80).required(),
        channel: Joi.string().max(64).required(),
        pattern: Joi.string().max(1_000).required(),
        type: Joi.valid(...RULE_TYPES).required(),
        action: Joi.valid(...RULE_ACTIONS).required(),
        replacement: textField(MAX_REPLACEMENT),
        whole_word: Joi.valid(true),
        group: textOf(MAX_GROUP),
        window: ruleWindow,
        filter_target: Joi.valid(...RULE_TARGETS).required(),
        session_scope: Joi.valid("all", "specific").required(),
        session_id: textField(200).required(),
        enabled: Joi.boolean().required(),
        created_at: textField(40).required(),
      }),
    )
    .required(),
});

/** Creates the transfer section of the rules with their lists, and of the master switch. */
export function createFilterSection(file: () => JsonFile<RuleDocument>, events: LiveEvents): TransferSection {
  const there = () => {
    const document = file().read();
    return {
      document,
      byId: new Map(parseRules(document).rules.map((placed) => [placed.rule.id, toNamedRule(placed)])),
    };
  };
  const section: TransferSection<FilterSectionData> = {
    id: "message_filter",
    title: { en: "Filter rules", zh: "过滤规则" },
    schema: sectionDataSchema,
    async export() {
      const document = file().read();
      return {
        enabled: document.enabled,
        rules: parseRules(document).rules.map(({ rule, channel }) => ({ ...rule, channel })),
      };
    },
    async plan(part, { mode }: TransferContext) {
      const { document, byId } = there();
      const rules = validateRules(part).map((placed) => {
        const item = toNamedRule(placed);
        const old = byId.get(item.id);
        const isMoved = old !== undefined && (old.channel !== item.channel || old.session_id !== item.session_id);
        return [item, isMoved ? filterTexts.error("conflict", "other_place") : item] as const;
      });
      // In mode `skip` a changed master switch is preserved.
      const isUnset = document.enabled === EMPTY_DOCUMENT.enabled;
      const isSwitched = (mode === "overwrite" || isUnset) && part.enabled !== document.enabled;
      const asked = { id: SWITCH_ID, name: SWITCH_ID, action: isSwitched ? "update" : "skip" } as const;
      const items = [{ ...asked, changed_fields: isSwitched ? [SWITCH_ID] : [] }, ...planItems(byId, rules, { mode })];
      return { items, variables: [] };
    },
    async apply(part, { items }) {
      const wanted = new Map(items.map(({ id, action }) => [id, action]));
      const rules = validateRules(part);
      const added = rules.filter(({ rule }) => wanted.get(rule.id) === "create");
      const changed = rules.filter(({ rule }) => wanted.get(rule.id) === "update");
      const enabled = wanted.get(SWITCH_ID) === "update" ? { enabled: part.enabled } : {};
      let before: RuleDocument | undefined;
      const store = async (change: (document: RuleDocument) => RuleDocument) => {
        await file().update(change);
        events.publish(resourceChanged("filter_rule", "*", "imported"));
      };
      return {
        async run() {
          await store((document) => {
            before = document;
            return { ...importRules(document, added, changed), ...enabled };
          });
          return [];
        },
        async undo() {
          const old = before;
          if (old) await store(() => old);
        },
      };
    },
  };
  return section as unknown as TransferSection;
}

/** Validates imported rules like those of the file. */
function validateRules({ rules }: FilterSectionData): readonly PlacedRule[] {
  const channels = new Map<string, Rule[]>();
  for (const { channel, ...rule } of rules) channels.set(channel, [...(channels.get(channel) ?? []), rule]);
  const global = channels.get(GLOBAL) ?? [];
  channels.delete(GLOBAL);
  const read = parseRules({ ...EMPTY_DOCUMENT, global, channels: Object.fromEntries(channels) });
  const [wrong] = read.invalid;
  if (wrong) throw createInvalidRuleError(wrong);
  return read.rules;
}

function createInvalidRuleError({ id, problem, detail }: InvalidRule): AppError {
  return filterTexts.error("bad_request", "wrong_rule", { id, problem: localizeMessage(problem, detail) });
}

/** Returns a rule with all optional fields filled, so that a removed field counts as a change. */
function toNamedRule({ rule, channel }: PlacedRule) {
  return {
    replacement: "",
    whole_word: false,
    group: "",
    window: null,
    ...rule,
    channel,
    name: rule.pattern.slice(0, 100),
  };
}
