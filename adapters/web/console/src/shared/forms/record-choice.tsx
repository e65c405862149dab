import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ALL, parley } from "../api/client.ts";
import { useTexts } from "./texts.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What a field may name by its id. */
export type RecordKind = "model" | "character";

const KINDS: Readonly<Record<RecordKind, () => Promise<readonly Named[]>>> = {
  async model() {
    const { items } = await parley.get("/api/ai-models", { query: { ...ALL, purpose: "chat" } });
    return items.filter(({ enabled }) => enabled);
  },
  character: async () => (await parley.get("/api/characters", { query: ALL })).items,
};

interface RecordChoiceProps extends Pick<NativeSelectProps, "label" | "description" | "error" | "required"> {
  readonly kind: RecordKind;
  readonly value: string;
  readonly put: (id: string) => void;
}

/** One of the records that there are, or none; what names one that is gone says so. */
export function RecordChoice({ kind, value, put, ...common }: RecordChoiceProps) {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: [kind, "choices"], queryFn: KINDS[kind] });
  const known = data ?? [];
  const isGone = value !== "" && !known.some(({ id }) => id === value);
  return (
    <NativeSelect
      {...common}
      value={value}
      onChange={({ currentTarget }) => put(currentTarget.value)}
      data={[
        { value: "", label: t(kind === "model" ? "modelInUse" : "noCharacter") },
        ...known.map(({ id, name }) => ({ value: id, label: name })),
        ...(isGone ? [{ value, label: data ? t("goneChoice", { id: value }) : value }] : []),
      ]}
      data-testid={`choose-${kind}`}
    />
  );
}
