import { Alert, Button, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useLocal } from "../../shared/i18n/local.ts";
import { Loaded, timeOf } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { type Finding, system } from "./api.ts";
import { useTexts } from "./texts.ts";

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
                <FindingRow key={`${one.key} ${one.said.en}`} finding={one} />
              ))}
            </div>
          )
        }
      </Loaded>
      <Updates />
    </section>
  );
}

/** Whether newer versions are looked for; nobody is asked unless the settings say so. */
function Updates() {
  const { t, language } = useTexts();
  const { data: plan } = useQuery({ queryKey: ["findings", "updates"], queryFn: system.updates });
  if (!plan) return null;
  const { last_run } = plan;
  const looked = last_run ? t("updatesAt", { time: timeOf(last_run, language) }) : t("updatesSoon");
  return (
    <Text size="xs" c="dimmed" mt="xs" data-testid="updates">
      {plan.enabled ? looked : t("updatesOff")}{" "}
      <Link to="/settings" className="inline-link">
        {t("toSettings")}
      </Link>
    </Text>
  );
}

const COLORS = { problem: "red", warning: "yellow" } as const;

function FindingRow({ finding }: { readonly finding: Finding }) {
  const { t } = useTexts();
  const say = useLocal();
  const { said, advice, level, page } = finding;
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
          {sentence(say(said))}
        </Text>
        <Text size="xs" c="dimmed">
          {sentence(say(advice))}
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

/** Said by itself: with a capital, and an end where it has none. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  if (/[.!?。！？]$/.test(begun)) return begun;
  return begun + (/\p{Script=Han}/u.test(begun) ? "。" : ".");
}
