import { Alert, Button, Group, Stack } from "@mantine/core";
import type { ListedWarnings } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded, warningsIn } from "../../shared/ui/common.tsx";
import { Held } from "../../shared/ui/held.tsx";
import { filter } from "./api.ts";
import { RuleForm } from "./rule-form.tsx";
import { useTexts } from "./texts.ts";

interface RuleWindowProps {
  /** Undefined: a new one. */
  readonly id: string | undefined;
  readonly done: () => void;
}

/** A rule in its form; what the service says about it when it was stored is read before the window closes. */
export function RuleWindow({ id, done }: RuleWindowProps) {
  const { t } = useTexts();
  const [warned, setWarned] = useState<Partial<ListedWarnings>>({});
  const stored = (data: Partial<ListedWarnings>) => (warningsIn(data).length === 0 ? done() : setWarned(data));
  if (warningsIn(warned).length > 0) {
    return (
      <Stack>
        <Alert color="yellow" role="alert" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {warningsIn(warned).join("\n")}
        </Alert>
        <Group justify="flex-end">
          <Button onClick={done}>{t("close")}</Button>
        </Group>
      </Stack>
    );
  }
  if (id === undefined) return <RuleForm stored={stored} done={done} />;
  return <ChangedRule id={id} stored={stored} done={done} />;
}

interface ChangedRuleProps {
  readonly id: string;
  readonly stored: (warnings: Partial<ListedWarnings>) => void;
  readonly done: () => void;
}

/** A rule as it stands in the file now: the list may be older. */
function ChangedRule({ id, ...rest }: ChangedRuleProps) {
  const found = useQuery({ queryKey: ["filter_rule", id], queryFn: () => filter.get(id), refetchOnMount: "always" });
  return (
    <Loaded query={found}>
      {(rule) => (
        <Held latest={rule} version={rule.revision}>
          {(held, release) => <RuleForm rule={held} release={release} {...rest} />}
        </Held>
      )}
    </Loaded>
  );
}
