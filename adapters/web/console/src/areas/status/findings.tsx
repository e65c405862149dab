import { Alert, Button, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { type Finding, system } from "./api.ts";
import { type TextKey, useTexts } from "./texts.ts";

const OFTEN = 15_000;

/** What is not as it should be, in words, and the way to where it is mended. */
export function Findings() {
  const { t } = useTexts();
  const found = useQuery({
    queryKey: ["findings"],
    queryFn: system.findings,
    refetchInterval: OFTEN,
    // Whoever comes back may have mended something a moment ago.
    refetchOnMount: "always",
  });
  return (
    <section aria-labelledby="findings">
      <Title order={2} size="h4" id="findings" mb="xs">
        {t("findings")}
      </Title>
      <Loaded query={found}>
        {({ items }) =>
          items.length === 0 ? (
            <Alert color="parley" icon={<Icon name="check" />} py="xs" role="status" data-testid="all-well">
              {t("allWell")}
            </Alert>
          ) : (
            <div role="status">
              {items.map((one) => (
                <FindingRow key={`${one.key} ${one.said}`} finding={one} />
              ))}
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

const COLORS = { problem: "red", warning: "yellow" } as const;

function FindingRow({ finding }: { readonly finding: Finding }) {
  const { t } = useTexts();
  const say = useFindingText();
  const { said, advice } = say(finding);
  const { level, page } = finding;
  return (
    <div className="finding" data-testid="finding" data-finding={finding.key} data-level={level}>
      <span
        className="dot"
        role="img"
        aria-label={t(level === "problem" ? "findingProblem" : "warning")}
        style={{ background: `var(--mantine-color-${COLORS[level]}-6)` }}
      />
      <div>
        <Text size="sm" fw={500} style={{ overflowWrap: "anywhere" }}>
          {said}
        </Text>
        <Text size="xs" c="dimmed">
          {advice}
        </Text>
      </div>
      {page && (
        <Group>
          <Button component={Link} to={page} size="compact-sm" variant="default">
            {t("goThere")}
          </Button>
        </Group>
      )}
    </div>
  );
}

const SAID: Readonly<Record<string, readonly [said: TextKey, advice: TextKey]>> = {
  "gateway.stopped": ["find_gateway_stopped", "find_gateway_stopped_do"],
  "gateway.waiting": ["find_gateway_waiting", "find_gateway_waiting_do"],
  "gateway.given_up": ["find_gateway_given_up", "find_gateway_given_up_do"],
  "channels.down": ["find_channels_down", "find_channels_down_do"],
  "models.none": ["find_models_none", "find_models_none_do"],
  "models.failing": ["find_models_failing", "find_models_failing_do"],
  "models.exhausted": ["find_models_exhausted", "find_models_exhausted_do"],
  "jobs.stuck": ["find_jobs_stuck", "find_log_do"],
  "jobs.dead": ["find_jobs_dead", "find_jobs_dead_do"],
  "host.disk": ["find_host_disk", "find_host_disk_do"],
  "host.rights": ["find_host_rights", "find_host_rights_do"],
  "host.backups": ["find_host_backups", "find_host_backups_do"],
  "host.no_backups": ["find_host_no_backups", "find_host_backups_do"],
  plugin: ["find_plugin", "find_plugin_do"],
  "component.storage": ["find_component", "find_host_disk_do"],
  "component.settings": ["find_component", "find_settings_do"],
  "component.other": ["find_component", "find_log_do"],
};

/** In the reader's language where the console knows what was found; else as the service says it. */
function useFindingText() {
  const { t } = useTexts();
  return ({ key, said, advice, parameters = {} }: Finding) => {
    const known = SAID[key];
    return known ? { said: t(known[0], parameters), advice: t(known[1]) } : { said, advice };
  };
}
