import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { characters } from "../api/characters.ts";
import { parley } from "../api/client.ts";
import { readWholeList } from "../api/list-pages.ts";
import { personas } from "../api/personas.ts";
import { useTexts } from "./texts.ts";

interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

/** Kinds of record a field may reference by id. */
export type RecordKind = "model" | "character" | "persona";

const LOADERS: Readonly<Record<RecordKind, () => Promise<readonly NamedRecord[]>>> = {
  async model() {
    const { items } = await readWholeList((page) =>
      parley.get("/api/ai-models", { query: { ...page, purpose: "chat" } }),
    );
    return items.filter(({ enabled }) => enabled);
  },
  character: characters.listAll,
  persona: personas.listAll,
};

/** Text of the choice of none, by kind. */
const NONE_TEXTS = { model: "defaultModel", character: "noCharacter", persona: "defaultPersona" } as const;

interface RecordSelectProps extends Pick<NativeSelectProps, "label" | "description" | "error" | "required"> {
  readonly kind: RecordKind;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Selects an existing record or none; marks a deleted one. */
export function RecordSelect({ kind, value, onChange, ...common }: RecordSelectProps) {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: [kind, "choices"], queryFn: LOADERS[kind] });
  const records = data ?? [];
  const isDeleted = value !== "" && !records.some(({ id }) => id === value);
  return (
    <NativeSelect
      {...common}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: "", label: t(NONE_TEXTS[kind]) },
        ...records.map(({ id, name }) => ({ value: id, label: name })),
        ...(isDeleted ? [{ value, label: data ? t("deletedOption", { id: value }) : value }] : []),
      ]}
      data-testid={`choose-${kind}`}
    />
  );
}
