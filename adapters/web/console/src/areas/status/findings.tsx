import { Alert, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import textCss from "../../shared/styles/text.module.css";
import { formatTime, Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { FindingRow, useFindings } from "../../shared/ui/feedback/finding.tsx";
import { system } from "./api.ts";
import { useTexts } from "./texts.ts";

/** The current findings, each with a link to the page that fixes it. */
export function Findings() {
  const { t } = useTexts();
  const found = useFindings();
  return (
    <section aria-labelledby="findings">
      <Title order={2} size="h4" id="findings" mb="xs">
        {t("findings")}
      </Title>
      <Loaded query={found}>
        {({ items }) =>
          items.length === 0 ? (
            <Alert color="parley" icon={<Icon name="check" />} py="xs" role="status" data-testid="all-well">
              {t("noFindings")}
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
      <UpdateCheck />
    </section>
  );
}

/** The state of the update check, which runs only when the settings enable it. */
function UpdateCheck() {
  const { t, language } = useTexts();
  const { data: schedule } = useQuery({ queryKey: ["findings", "updates"], queryFn: system.getUpdateSchedule });
  if (!schedule) return null;
  const { last_run } = schedule;
  const checkedText = last_run ? t("updatesAt", { time: formatTime(last_run, language) }) : t("updatesSoon");
  return (
    <Text size="xs" c="dimmed" mt="xs" data-testid="updates">
      {schedule.enabled ? checkedText : t("updatesOff")}{" "}
      <Link to="/settings" className={textCss.inlineLink}>
        {t("toSettings")}
      </Link>
    </Text>
  );
}
