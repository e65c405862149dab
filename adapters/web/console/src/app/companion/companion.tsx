import { UnstyledButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { toJsonObject } from "../../shared/json-object.ts";
import { useConnectionPhase } from "../../shared/live/live-provider.tsx";
import companionCss from "./companion.module.css";
import { Face, type Mood } from "./face.tsx";
import { CompanionPanel } from "./panel.tsx";
import { useTexts } from "./texts.ts";

const NIGHT_START_HOUR = 23;
const NIGHT_END_HOUR = 6;

/** A small companion at the foot of the menu, where it covers nothing. Each user can hide it in their browser. */
export function Companion({ isNarrow }: { readonly isNarrow: boolean }) {
  const { t } = useTexts();
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const [isShown, setShown] = useLocalStorage({ key: "parley.companion", defaultValue: true });
  const [isOpen, setOpen] = useState(false);
  const [mood, setMood] = useState<Mood>("calm");
  const phase = useConnectionPhase();
  if (toJsonObject(settings.data?.features).avatar !== true) return null;
  if (!isShown) {
    if (isNarrow) return null;
    return (
      <UnstyledButton
        className={companionCss.companionShow}
        onClick={() => setShown(true)}
        data-testid="companion-show"
      >
        {t("show")}
      </UnstyledButton>
    );
  }
  const shownMood = phase === "open" ? toRestingMood(mood) : "worried";
  const close = () => setOpen(false);
  const hide = () => {
    close();
    setShown(false);
  };
  return (
    <div className={companionCss.companion}>
      <UnstyledButton
        className={companionCss.companionButton}
        aria-label={t("talk")}
        title={t("talk")}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        data-testid="companion"
      >
        <Face mood={shownMood} />
      </UnstyledButton>
      {isOpen && <CompanionPanel mood={shownMood} onMood={setMood} close={close} hide={hide} />}
    </div>
  );
}

/** Returns the mood to show: a calm companion is sleepy at night. */
function toRestingMood(mood: Mood): Mood {
  const hour = new Date().getHours();
  return mood === "calm" && (hour >= NIGHT_START_HOUR || hour < NIGHT_END_HOUR) ? "sleepy" : mood;
}
