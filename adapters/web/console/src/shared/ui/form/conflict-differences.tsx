import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { Loaded } from "../common.tsx";
import differencesCss from "./differences.module.css";

type Values = Readonly<Record<string, unknown>>;

/** The values of a form and those another user has stored, by field. Contains no secrets. */
export interface Comparison {
  /** Values that would be stored. */
  readonly mine: Values;
  /** Fetches the stored values in the format of the form. */
  readonly fetchTheirs: () => Promise<Values>;
  /** Puts the stored values into the form. */
  readonly apply: (values: Values) => void;
}

/** Creates the comparison of a form and a record with the same field names. */
export function createComparison<Draft extends object>(
  mine: Partial<Draft>,
  fetchTheirs: () => Promise<Partial<Draft>>,
  apply: (values: Partial<Draft>) => void,
): Comparison {
  return {
    mine: toValues(mine),
    fetchTheirs: async () => toValues(await fetchTheirs()),
    // The values come from `fetchTheirs`, so they have the types of the draft.
    apply: (values) => apply(values as Partial<Draft>),
  };
}

function toValues(draft: object): Values {
  return Object.fromEntries(Object.entries(draft));
}

/** Label and options of a form field. */
export interface FieldInfo {
  readonly label?: unknown;
  readonly data?: unknown;
}

interface DifferencesProps extends Comparison {
  readonly fieldInfo: (name: string) => FieldInfo;
}

/** Stored values and own ones, field by field; each can be copied to the form. */
export function Differences({ mine, fetchTheirs, apply, fieldInfo }: DifferencesProps) {
  const { t } = useTexts();
  const stored = useQuery({ queryKey: ["differences", useId()], queryFn: fetchTheirs, gcTime: 0, staleTime: 0 });
  return (
    <Loaded query={stored}>
      {(theirs) => {
        const names = Object.keys(mine).filter((name) => name in theirs && !isEqual(mine[name], theirs[name]));
        if (names.length === 0) {
          return (
            <Text size="sm" role="status">
              {t("nothingDiffers")}
            </Text>
          );
        }
        return (
          <Stack gap="sm" mt="xs">
            {names.map((name) => (
              <Difference
                key={name}
                name={name}
                fieldInfo={fieldInfo(name)}
                theirs={theirs[name]}
                mine={mine[name]}
                onTake={() => apply({ [name]: theirs[name] })}
              />
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}

interface DifferenceProps {
  readonly name: string;
  readonly fieldInfo: FieldInfo;
  readonly theirs: unknown;
  readonly mine: unknown;
  readonly onTake: () => void;
}

function Difference({ name, fieldInfo, theirs, mine, onTake }: DifferenceProps) {
  const { t } = useTexts();
  const label = typeof fieldInfo.label === "string" ? fieldInfo.label : name;
  return (
    <section className={differencesCss.difference} aria-label={label} data-testid="difference" data-field={name}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Button size="compact-xs" variant="default" onClick={onTake} aria-label={`${t("useTheirs")}: ${label}`}>
          {t("useTheirs")}
        </Button>
      </Group>
      <div className={differencesCss.differenceSides}>
        <Side title={t("theirs")} value={theirs} info={fieldInfo} />
        <Side title={t("yours")} value={mine} info={fieldInfo} />
      </div>
    </section>
  );
}

function Side({ title, value, info }: { readonly title: string; readonly value: unknown; readonly info: FieldInfo }) {
  const { t } = useTexts();
  const text = typeof value === "boolean" ? t(value ? "isOn" : "isOff") : formatValue(value, info);
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      {text === "" ? (
        <Text size="sm" fs="italic">
          {t("isEmpty")}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by keys
        <section className={differencesCss.differenceText} tabIndex={0} aria-label={title}>
          {text}
        </section>
      )}
    </div>
  );
}

function formatValue(value: unknown, fieldInfo: FieldInfo): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
    return value.map((one) => toOptionLabel(String(one), fieldInfo)).join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value, undefined, 2) : toOptionLabel(String(value), fieldInfo);
}

function toOptionLabel(value: string, { data }: FieldInfo): string {
  const options: readonly unknown[] = Array.isArray(data) ? data : [];
  const found = options.find((one): one is { label: unknown } => isOption(one) && one.value === value);
  return typeof found?.label === "string" ? found.label : value;
}

function isOption(one: unknown): one is { readonly value: unknown; readonly label: unknown } {
  return typeof one === "object" && one !== null && "value" in one && "label" in one;
}

/** Compares two values; empty, null and undefined are equal. */
function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one === "" ? null : (one ?? null)) === JSON.stringify(other === "" ? null : (other ?? null));
}
