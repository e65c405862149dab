import { Text } from "@mantine/core";
import { useHasScope } from "../../shared/api/console.ts";
import { Logo } from "../../shared/ui/element/logo.tsx";
import { SetupChecklist } from "./setup-checklist.tsx";
import startCss from "./start.module.css";
import { useTexts } from "./texts.ts";
import { TodayStats } from "./today-stats.tsx";

/** The header above the conversation list on small screens. */
export function MobileHeader() {
  const { t } = useTexts();
  const isAdmin = useHasScope("admin");
  return (
    <div className={startCss.home}>
      <header className={startCss.startHead}>
        <Logo size={40} />
        <Text fz="h3" fw={700} lh={1.25}>
          {t("startTitle")}
        </Text>
      </header>
      {isAdmin && <SetupChecklist isShort />}
      <TodayStats />
    </div>
  );
}
