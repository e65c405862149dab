import { Code, Text } from "@mantine/core";
import textCss from "../styles/text.module.css";
import { RecordRow, RecordTable } from "../ui/table/record-table.tsx";
import { stringifyJson } from "./json-text.ts";
import type { FieldSchema } from "./schema.ts";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { readSchema, toVisibleText } from "./untrusted-schema.ts";

/** The arguments of a tool in readable form; the JSON Schema itself is folded. */
export function SchemaView({ schema }: { readonly schema: unknown }) {
  const { t } = useTexts();
  const { properties = {}, required = [] } = readSchema(schema);
  const rows = Object.entries(properties).flatMap(([name, field]) => toRows(name, field, required.includes(name)));
  return (
    <>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("noArguments")}
        </Text>
      ) : (
        <div data-testid="schema">
          <RecordTable columns={[t("argument"), t("valueType"), t("description")]}>
            {rows.map(({ path, field, isRequired }) => (
              <RecordRow
                key={path}
                testId="argument-row"
                cells={[
                  <>
                    <Code>{toVisibleText(path, 200)}</Code>{" "}
                    {isRequired && (
                      <Text span size="xs" c="dimmed">
                        {t("required")}
                      </Text>
                    )}
                  </>,
                  formatType(field, t),
                  describeField(field, t),
                ]}
              />
            ))}
          </RecordTable>
        </div>
      )}
      <details className={textCss.folded}>
        <summary>{t("rawSchema")}</summary>
        <pre>{toVisibleText(stringifyJson(schema), 70_000)}</pre>
      </details>
    </>
  );
}

const TYPE_TEXTS: Readonly<Record<string, TextKey>> = {
  string: "type_string",
  number: "type_number",
  integer: "type_integer",
  boolean: "type_boolean",
  array: "type_array",
  object: "type_object",
};

interface Row {
  readonly path: string;
  readonly field: FieldSchema;
  readonly isRequired: boolean;
}

function toRows(path: string, field: FieldSchema, isRequired: boolean): readonly Row[] {
  const inner = Object.entries(field.properties ?? {}).flatMap(([name, one]) => toRows(`${path}.${name}`, one, false));
  return [{ path, field, isRequired }, ...inner];
}

function formatType({ type = "json", items, enum: options }: FieldSchema, t: (key: TextKey) => string): string {
  if (options) return options.map((one) => toVisibleText(String(one), 100)).join(" | ");
  const name = t(TYPE_TEXTS[String(type)] ?? "type_json");
  return type === "array" && items ? `${name}: ${formatType(items, t)}` : name;
}

function describeField(field: FieldSchema, t: (key: TextKey) => string): string {
  const { description, minimum, maximum, minLength, maxLength } = field;
  const length = formatRange(minLength, maxLength);
  const range = length === "" ? formatRange(minimum, maximum) : `${length} ${t("characters")}`;
  const fallback =
    field.default === undefined ? "" : `${t("default")}: ${toVisibleText(JSON.stringify(field.default), 200)}`;
  return [description, range, fallback].filter(Boolean).join(" · ");
}

function formatRange(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${least}–${most}`;
  if (least !== undefined) return `≥ ${least}`;
  return most === undefined ? "" : `≤ ${most}`;
}
