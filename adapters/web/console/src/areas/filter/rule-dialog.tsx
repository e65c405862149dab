import { Alert, Button, Group, Stack } from "@mantine/core";
import type { ListedWarnings } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded } from "../../shared/ui/common.tsx";
import { filter } from "./api.ts";
import { RuleForm } from "./rule-form.tsx";
import { useTexts } from "./texts.ts";

interface RuleDialogProps {
  /** Undefined for a new rule. */
  readonly id: string | undefined;
  readonly onDone: () => void;
}

/** The form of a rule; warnings from saving are shown before the dialog closes. */
export function RuleDialog({ id, onDone }: RuleDialogProps) {
  const { t } = useTexts();
  const [outcome, setOutcome] = useState<Partial<ListedWarnings>>({});
  const handleStored = (data: Partial<ListedWarnings>) =>
    (data.warnings ?? []).length === 0 ? onDone() : setOutcome(data);
  if (outcome.warnings && outcome.warnings.length > 0) {
    return (
      <Stack>
        <Alert color="yellow" role="alert" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {outcome.warnings.join("\n")}
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onDone}>{t("close")}</Button>
        </Group>
      </Stack>
    );
  }
  if (id === undefined) return <RuleForm onStored={handleStored} onDone={onDone} />;
  return <ExistingRule id={id} onStored={handleStored} onDone={onDone} />;
}

interface ExistingRuleProps {
  readonly id: string;
  readonly onStored: (warnings: Partial<ListedWarnings>) => void;
  readonly onDone: () => void;
}

/** Loads a rule from the service, since the list may be older. */
function ExistingRule({ id, ...rest }: ExistingRuleProps) {
  const query = useQuery({ queryKey: ["filter_rule", id], queryFn: () => filter.get(id), refetchOnMount: "always" });
  return <Loaded query={query}>{(rule) => <RuleForm rule={rule} {...rest} />}</Loaded>;
}
