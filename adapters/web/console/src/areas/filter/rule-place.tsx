import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { ConversationField } from "../../shared/ui/conversation-field.tsx";
import { At } from "../../shared/ui/form.tsx";
import { useChannelChoices } from "../../shared/ui/use-channel-name.ts";
import type { RuleAction, RuleTarget } from "./api.ts";
import { useTexts } from "./texts.ts";

export interface Place {
  readonly channel: string;
  readonly session_id: string;
  readonly action: RuleAction;
  readonly replacement?: string;
  readonly filter_target: RuleTarget;
}

interface RulePlaceProps<Value extends Place> {
  readonly value: Value;
  readonly put: (patch: Partial<Place>) => void;
  /** A rule that exists cannot be moved. */
  readonly isFixed?: boolean;
}

/** For whom a rule holds, and what it does. */
export function RulePlace<Value extends Place>({ value, put, isFixed = false }: RulePlaceProps<Value>) {
  const { t } = useTexts();
  const known = useChannelChoices();
  const isOther = value.channel !== "global" && !known.some((one) => one.value === value.channel);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <At name="channel">
        <NativeSelect
          label={t("place")}
          value={value.channel}
          disabled={isFixed}
          onChange={({ currentTarget }) => put({ channel: currentTarget.value, session_id: "" })}
          data={[{ value: "global", label: t("everywhere") }, ...known, ...(isOther ? [value.channel] : [])]}
        />
      </At>
      <ConversationField
        name="session_id"
        label={t("sessionOnly")}
        value={value.session_id ?? ""}
        put={(session_id) => put({ session_id })}
        channelId={value.channel === "global" ? undefined : value.channel}
        disabled={isFixed || value.channel === "global"}
      />
      <At name="action">
        <NativeSelect
          label={t("ruleAction")}
          value={value.action}
          onChange={({ currentTarget }) => put({ action: currentTarget.value as RuleAction })}
          data={[
            { value: "strip", label: t("strip") },
            { value: "replace", label: t("replace") },
            { value: "recall", label: t("recall") },
          ]}
        />
      </At>
      <At name="filter_target">
        <NativeSelect
          label={t("target")}
          value={value.filter_target}
          onChange={({ currentTarget }) => put({ filter_target: currentTarget.value as RuleTarget })}
          data={[
            { value: "user", label: t("fromUsers") },
            { value: "ai", label: t("fromAi") },
            { value: "both", label: t("fromBoth") },
          ]}
        />
      </At>
      {value.action === "replace" && (
        <At name="replacement">
          <TextInput
            label={t("replacement")}
            value={value.replacement ?? ""}
            onChange={({ currentTarget }) => put({ replacement: currentTarget.value })}
            required
            maxLength={200}
            data-testid="rule-replacement"
          />
        </At>
      )}
    </SimpleGrid>
  );
}
