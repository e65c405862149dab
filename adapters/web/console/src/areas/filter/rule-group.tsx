import { Button, Group, Stack, Switch, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId, useState } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { filter, type PlacedRule } from "./api.ts";
import ruleGroupCss from "./rule-group.module.css";
import { RuleTable, type ShownRules } from "./rule-table.tsx";
import { useTexts } from "./texts.ts";

const CHANGED = [["filter_rule"]] as const;

interface RuleGroupProps extends ShownRules {
  readonly name: string;
  /** Those of it that are looked for. */
  readonly rules: readonly PlacedRule[];
  readonly all: readonly PlacedRule[];
  readonly isFound: boolean;
}

/** Rules that belong together: one line with one switch, until it is unfolded. */
export function RuleGroup({ name, rules, all, isFound, ...shown }: RuleGroupProps) {
  const { t } = useTexts();
  const [isOpen, fold] = useDisclosure(false);
  const [isNaming, naming] = useDisclosure(false);
  const { tried, error } = useTried(CHANGED);
  const panel = useId();
  const on = all.filter(({ enabled }) => enabled).length;
  const isUnfolded = isOpen || isFound;
  return (
    <section className={ruleGroupCss.ruleGroup} data-testid="rule-group" aria-label={name}>
      <Group gap="sm" wrap="nowrap">
        <UnstyledButton
          className={ruleGroupCss.ruleGroupName}
          onClick={fold.toggle}
          aria-expanded={isUnfolded}
          aria-controls={panel}
          data-testid="fold-group"
        >
          <span className={ruleGroupCss.ruleGroupFold} data-open={isUnfolded}>
            <Icon name="chevron" size={18} />
          </span>
          <span dir="auto">{name}</span>
          <Text span size="sm" c="dimmed" data-testid="group-count">
            {t("groupCount", { count: all.length, on })}
          </Text>
        </UnstyledButton>
        <Changes>
          <Button size="compact-sm" variant="subtle" onClick={naming.open} data-testid="rename-group">
            {t("renameGroup")}
          </Button>
        </Changes>
        <Switch
          size="sm"
          checked={on > 0}
          // Some are on, some off: the first press switches all off.
          data-mixed={on > 0 && on < all.length}
          onChange={tried(() => filter.switchGroup(name, on === 0))}
          aria-label={`${t("groupOn")}: ${name}`}
          data-testid="group-switch"
        />
      </Group>
      <Failure error={error} />
      <div id={panel}>{isUnfolded && <RuleTable rules={rules} {...shown} />}</div>
      <Dialog opened={isNaming} onClose={naming.close} title={t("renameGroup")}>
        <GroupName name={name} done={naming.close} />
      </Dialog>
    </section>
  );
}

function GroupName({ name, done }: { readonly name: string; readonly done: () => void }) {
  const { t } = useTexts();
  const [written, setWritten] = useState(name);
  const { tried, isBusy, error } = useTried(CHANGED);
  const submit = tried(async () => {
    await filter.renameGroup(name, written);
    done();
  });
  return (
    <Form isChanged={written !== name} error={error} submit={submit}>
      <Stack gap="sm">
        <At name="name">
          <TextInput
            label={t("groupName")}
            description={t("groupNameHint")}
            value={written}
            onChange={({ currentTarget }) => setWritten(currentTarget.value)}
            data-autofocus
            data-testid="group-name"
          />
        </At>
        <FormFailure />
        <Group justify="flex-end">
          <Button variant="default" onClick={done}>
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
