import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { ConversationField } from "../../shared/ui/form/conversation-field.tsx";
import { SelectField } from "../../shared/ui/form/fields.tsx";
import { FormControl } from "../../shared/ui/form/form.tsx";
import { useChannelChoices } from "../../shared/ui/text/use-channel-name.ts";
import type { RuleAction, RuleTarget } from "./api.ts";
import { useTexts } from "./texts.ts";

export interface RuleScopeValue {
  readonly channel: string;
  readonly session_id: string;
  readonly action: RuleAction;
  readonly replacement?: string;
  readonly filter_target: RuleTarget;
}

interface RuleScopeProps<Value extends RuleScopeValue> {
  readonly value: Value;
  readonly onChange: (patch: Partial<RuleScopeValue>) => void;
  /** True for an existing rule, whose scope cannot change. */
  readonly isFixed?: boolean;
}

/** The fields for the scope and action of a rule. */
export function RuleScope<Value extends RuleScopeValue>({ value, onChange, isFixed = false }: RuleScopeProps<Value>) {
  const { t } = useTexts();
  const channels = useChannelChoices();
  const isOther = value.channel !== "global" && !channels.some((one) => one.value === value.channel);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <FormControl name="channel">
        <NativeSelect
          label={t("place")}
          value={value.channel}
          disabled={isFixed}
          onChange={({ currentTarget }) => onChange({ channel: currentTarget.value, session_id: "" })}
          data={[{ value: "global", label: t("everywhere") }, ...channels, ...(isOther ? [value.channel] : [])]}
        />
      </FormControl>
      <ConversationField
        name="session_id"
        label={t("sessionOnly")}
        value={value.session_id ?? ""}
        onChange={(session_id) => onChange({ session_id })}
        channelId={value.channel === "global" ? undefined : value.channel}
        disabled={isFixed || value.channel === "global"}
      />
      <SelectField
        name="action"
        label={t("ruleAction")}
        value={value.action}
        onChange={(action) => onChange({ action })}
        data={[
          { value: "strip", label: t("strip") },
          { value: "replace", label: t("replace") },
          { value: "recall", label: t("recall") },
        ]}
      />
      <SelectField
        name="filter_target"
        label={t("target")}
        value={value.filter_target}
        onChange={(filter_target) => onChange({ filter_target })}
        data={[
          { value: "user", label: t("fromUsers") },
          { value: "ai", label: t("fromAi") },
          { value: "both", label: t("fromBoth") },
        ]}
      />
      {value.action === "replace" && (
        <FormControl name="replacement">
          <TextInput
            label={t("replacement")}
            value={value.replacement ?? ""}
            onChange={({ currentTarget }) => onChange({ replacement: currentTarget.value })}
            required
            maxLength={200}
            data-testid="rule-replacement"
          />
        </FormControl>
      )}
    </SimpleGrid>
  );
}
