import { Text } from "@mantine/core";
import { useMay } from "../../shared/api/console.ts";
import { Sign } from "../../shared/ui/sign.tsx";
import { SetUp } from "./set-up.tsx";
import startCss from "./start.module.css";
import { useTexts } from "./texts.ts";
import { TodayNumbers } from "./today-numbers.tsx";

/** What stands above the conversations where there is room for one thing at a time. */
export function PhoneHome() {
  const { t } = useTexts();
  const isAdmin = useMay("admin");
  return (
    <div className={startCss.home}>
      <header className={startCss.startHead}>
        <Sign size={40} />
        <Text fz="h3" fw={700} lh={1.25}>
          {t("startTitle")}
        </Text>
      </header>
      {isAdmin && <SetUp isShort />}
      <TodayNumbers />
    </div>
  );
}
