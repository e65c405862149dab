import { Button, Group, Stack, Switch, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { filter, type ScopedRule } from "./api.ts";
import ruleGroupCss from "./rule-group.module.css";
import { type RuleListProps, RuleTable } from "./rule-table.tsx";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["filter_rule"]] as const;

interface RuleGroupProps extends RuleListProps {
  readonly name: string;
  /** Rules of the group that match the search. */
  readonly rules: readonly ScopedRule[];
  readonly all: readonly ScopedRule[];
  readonly isSearching: boolean;
}

/** A group of rules: one line with a switch, which expands to the rules. */
export function RuleGroup({ name, rules, all, isSearching, ...listProps }: RuleGroupProps) {
  const { t } = useTexts();
  const [isOpen, fold] = useDisclosure(false);
  const [isNaming, naming] = useDisclosure(false);
  const { toHandler, error } = useAction(QUERY_KEYS);
  const panel = useId();
  const enabledCount = all.filter(({ enabled }) => enabled).length;
  const isExpanded = isOpen || isSearching;
  return (
    <section className={ruleGroupCss.ruleGroup} data-testid="rule-group" aria-label={name}>
      <Group gap="sm" wrap="nowrap">
        <UnstyledButton
          className={ruleGroupCss.ruleGroupName}
          onClick={fold.toggle}
          aria-expanded={isExpanded}
          aria-controls={panel}
          data-testid="fold-group"
        >
          <span className={ruleGroupCss.ruleGroupFold} data-open={isExpanded}>
            <Icon name="chevron" size={18} />
          </span>
          <span dir="auto">{name}</span>
          <Text span size="sm" c="dimmed" data-testid="group-count">
            {t("groupCount", { count: all.length, on: enabledCount })}
          </Text>
        </UnstyledButton>
        <RequireChangeScope>
          <Button size="compact-sm" variant="subtle" onClick={naming.open} data-testid="rename-group">
            {t("renameGroup")}
          </Button>
        </RequireChangeScope>
        <Switch
          size="sm"
          checked={enabledCount > 0}
          // Some are on, some off: the first press switches all off.
          data-mixed={enabledCount > 0 && enabledCount < all.length}
          onChange={toHandler(() => filter.setGroupEnabled(name, enabledCount === 0))}
          aria-label={`${t("groupOn")}: ${name}`}
          data-testid="group-switch"
        />
      </Group>
      <Failure error={error} />
      <div id={panel}>{isExpanded && <RuleTable rules={rules} {...listProps} />}</div>
      <Dialog opened={isNaming} onClose={naming.close} title={t("renameGroup")}>
        <GroupName name={name} onDone={naming.close} />
      </Dialog>
    </section>
  );
}

function GroupName({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const { t } = useTexts();
  const { props, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ name }),
    create: async (draft) => {
      await filter.renameGroup(name, draft.name);
    },
    onSaved: onDone,
  });
  return (
    <Form {...props}>
      <Stack gap="sm">
        <TextField
          label={t("groupName")}
          description={t("groupNameHint")}
          {...field("name")}
          data-autofocus
          testId="group-name"
        />
        <FormErrors />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t("cancel")}
          </Button>
          <Button type="submit" loading={isBusy} data-testid="save-group">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
