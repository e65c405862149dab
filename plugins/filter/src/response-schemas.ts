import {
  answerFields,
  deletedData,
  extend,
  failureDetailShape,
  listData,
  shape,
  warningFields,
} from "@parley/core/http";
import type { TrialMatch, TrialResult } from "./engine/engine.ts";
import type { RuleHits } from "./engine/hit-counts.ts";
import type { FilterHit } from "./engine/hit-history.ts";
import { RULE_ACTIONS, RULE_TARGETS, RULE_TYPES, type Rule } from "./rules/rule.ts";
import type { RuleListing } from "./rules/rule-records.ts";
import { type RuleWindow, WEEKDAYS } from "./rules/window.ts";

const { id, text, time, flag, count, number, texts, word, orNull, listOf, mapOf } = answerFields;
const action = word(...RULE_ACTIONS);

const ruleWindow = shape<RuleWindow>(
  {
    from: text.optional(),
    until: text.optional(),
    days: listOf(word(...WEEKDAYS)).optional(),
    start: text.optional(),
    end: text.optional(),
  },
  "RuleWindow",
);
const rule = shape<Rule>(
  {
    id,
    pattern: text,
    type: word(...RULE_TYPES),
    action,
    replacement: text.optional(),
    whole_word: flag.optional(),
    group: text.optional(),
    window: ruleWindow.optional(),
    filter_target: word(...RULE_TARGETS),
    session_scope: word("all", "specific"),
    session_id: text,
    enabled: flag,
    created_at: text,
  },
  "Rule",
);
export const placedRule = extend(
  rule,
  { channel: text, revision: count, warnings: texts.optional(), warning_details: warningFields.warning_details },
  "PlacedRule",
);
export const movedRule = extend(placedRule, { position: count });
export const groupSwitched = shape({ group: text, enabled: flag, rules: count });
export const groupRenamed = shape({ group: text, rules: count });
export const ruleListing = shape<RuleListing>(
  {
    enabled: flag,
    rules: shape({ global: listOf(rule), channels: mapOf(listOf(rule)) }),
    stats: mapOf(shape<RuleHits>({ hits: count, last_hit_at: time }, "RuleHits")),
    quarantined: texts,
    outside_window: texts,
    invalid: listOf(shape({ channel: text, id: text, problem: text, detail: failureDetailShape.optional() })),
    problem: orNull(text),
    problem_texts: orNull(answerFields.localized).optional(),
  },
  "RuleListing",
);
export const removedRule = extend(deletedData, { channel: text, session_id: text });
export const switchedData = shape({ enabled: flag });
const trialMatch = shape<TrialMatch>(
  {
    id: text,
    pattern: text,
    type: word(...RULE_TYPES),
    action,
    reach: word("session", "channel", "global", "trial"),
    outside_window: flag,
    ranges: listOf(shape({ start: count, end: count })),
  },
  "RuleMatch",
);
export const ruleTrial = shape<TrialResult>(
  {
    content: text,
    filtered: flag,
    blocked: flag,
    matches: listOf(trialMatch),
    skipped: texts,
    duration_ms: number,
  },
  "RuleTrial",
);
export const importedWords = shape({ imported: count, skipped: count });
export const hitList = listData(
  shape<FilterHit>(
    {
      id,
      created_at: time,
      session_id: id,
      channel: text,
      direction: word("user", "ai"),
      blocked: flag,
      sender: text,
      rules: texts,
      trace_id: text,
      text: orNull(text),
    },
    "FilterHit",
  ),
);
export const clearedHits = shape({ removed: count });
