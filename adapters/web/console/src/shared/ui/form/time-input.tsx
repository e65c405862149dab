import { Popover, Skeleton, TextInput, type TextInputProps } from "@mantine/core";
import { Suspense, useState } from "react";
import { type KeyOf, useTexts } from "../../i18n/i18n.ts";
import { lazy } from "../../load-chunk.ts";
import { IconButton } from "../element/icon-button.tsx";
import { parseTime, type TimeKind } from "./time-text.ts";

const Calendar = lazy(async () => ({ default: (await import("./calendar.tsx")).Calendar }));

const FORMAT_HINTS = { day: "dayFormat", time: "timeFormat", moment: "momentFormat" } as const satisfies Record<
  TimeKind,
  KeyOf<typeof useTexts>
>;

interface TimeInputProps extends Omit<TextInputProps, "value" | "onChange" | "type" | "onFocus" | "onBlur"> {
  readonly kind: TimeKind;
  /** `2026-03-01`, `08:30` or `2026-03-01T08:30`; empty for none or an invalid text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for a day, a time, or both, typed or chosen from a calendar. A native one would use the browser's language. */
export function TimeInput({ kind, value, onChange, error, ...rest }: TimeInputProps) {
  const { t } = useTexts();
  const [text, setText] = useState("");
  const [isWriting, setWriting] = useState(false);
  const written = parseTime(text, kind);
  const displayText = (written ?? "") === value && (value === "" || isWriting) ? text : value.replace("T", " ");
  const isWrong = displayText.trim() !== "" && parseTime(displayText, kind) === undefined;
  const write = (next: string) => {
    setText(next);
    onChange(parseTime(next, kind) ?? "");
  };
  return (
    <TextInput
      {...rest}
      value={displayText}
      placeholder={t(FORMAT_HINTS[kind])}
      autoComplete="off"
      onChange={({ currentTarget }) => write(currentTarget.value)}
      onFocus={() => setWriting(true)}
      onBlur={() => setWriting(false)}
      error={error || (isWrong && !isWriting && t("invalidTime", { form: t(FORMAT_HINTS[kind]) }))}
      {...(kind !== "time" && {
        rightSection: <CalendarButton value={value} onChange={(day) => write(value.replace(/^[^T]*/, day))} />,
      })}
    />
  );
}

interface CalendarButtonProps {
  readonly value: string;
  readonly onChange: (day: string) => void;
}

function CalendarButton({ value, onChange }: CalendarButtonProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const choose = (day: string) => {
    onChange(day);
    setOpen(false);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      portalProps={{ target: "#menus" }}
    >
      <Popover.Target>
        <IconButton icon="calendar" size="sm" label={t("openCalendar")} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      {/* Escape closes the calendar, not the dialog around it. */}
      <Popover.Dropdown data-testid="calendar" data-mantine-stop-propagation="true">
        <Suspense fallback={<Skeleton w={256} h={268} />}>
          <Calendar day={value.slice(0, 10) || null} choose={choose} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
