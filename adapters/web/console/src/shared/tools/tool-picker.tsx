import { Autocomplete, type OptionsFilter, TagsInput, Text } from "@mantine/core";
import type { Localized } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { ApiError, MAX_LIMIT_QUERY, parley } from "../api/client.ts";
import { readWholeList } from "../api/list-pages.ts";
import { matchWords } from "../match-words.ts";
import { describe } from "./describe.ts";
import { useTexts } from "./texts.ts";

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly builtin: boolean;
  readonly help?: Localized | null;
  readonly enabled: boolean;
}

const MAX_OPTIONS = 50;

/** Returns the tools of the service and of connected servers, by the names that models use. */
function useTools() {
  const own = useQuery({
    queryKey: ["tool", "names"],
    queryFn: () => readWholeList((page) => parley.get("/api/tools", { query: page })),
  });
  const others = useQuery({ queryKey: ["mcp_server", "tool-names"], queryFn: fetchServerTools });
  const all = [...(own.data?.items ?? []), ...(others.data ?? [])];
  return { byName: new Map(all.map((tool) => [tool.name, tool])), isKnown: own.isSuccess };
}

async function fetchServerTools(): Promise<readonly ListedTool[]> {
  const { items } = await parley.get("/api/mcp-servers", {
    query: { connection_state: "connected", ...MAX_LIMIT_QUERY },
  });
  return (await Promise.all(items.map(({ id, name }) => fetchToolsOfServer(id, name)))).flat();
}

async function fetchToolsOfServer(server_id: string, server: string): Promise<readonly ListedTool[]> {
  try {
    const { items } = await parley.get("/api/mcp-servers/{server_id}/tools", {
      path: { server_id },
      query: MAX_LIMIT_QUERY,
    });
    return items.flatMap(({ offered_as, description }) =>
      offered_as === null
        ? []
        : [{ name: offered_as, description: `${server} · ${description}`, builtin: false, enabled: true }],
    );
  } catch (error) {
    // The server was disconnected or deleted in the meantime.
    if (error instanceof ApiError && (error.code === "conflict" || error.code === "not_found")) return [];
    throw error;
  }
}

/** Returns the options of a tool select, searchable by name and description. */
function useToolOptions() {
  const { t, language } = useTexts();
  const { byName, isKnown } = useTools();
  const describeTool = (name: string) => {
    const tool = byName.get(name);
    return tool ? describe(language, tool) : "";
  };
  return {
    isKnown,
    has: (name: string) => byName.has(name) || name.startsWith("mcp__"),
    props: {
      data: [...byName.keys()].sort(),
      limit: MAX_OPTIONS,
      comboboxProps: { withinPortal: true },
      filter: (({ options, search }) => {
        const matches = matchWords(search);
        return options.filter((one) => "value" in one && matches(`${one.value} ${describeTool(one.value)}`));
      }) satisfies OptionsFilter,
      renderOption: ({ option: { value } }: { option: { value: string } }) => (
        <div>
          <Text size="sm" ff="monospace">
            {value}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {byName.get(value)?.enabled === false ? `${t("toolOff")} · ` : ""}
            {describeTool(value)}
          </Text>
        </div>
      ),
    },
  };
}

interface ToolPickerProps<Value> {
  readonly label: string;
  readonly description?: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly error?: React.ReactNode;
}

/** Selects one tool by name or description. */
export function ToolPicker({ label, value, onChange, error }: ToolPickerProps<string>) {
  const { t } = useTexts();
  const { props, has, isKnown } = useToolOptions();
  return (
    <Autocomplete
      label={label}
      error={error}
      placeholder={t("pickTool")}
      value={value}
      onChange={onChange}
      description={isKnown && value !== "" && !has(value) ? t("unknownTool") : undefined}
      inputWrapperOrder={["label", "input", "description", "error"]}
      {...props}
    />
  );
}

/** Selects several tools by name or description. */
export function ToolsPicker({ label, description, value, onChange, error }: ToolPickerProps<readonly string[]>) {
  const { t } = useTexts();
  const { props } = useToolOptions();
  return (
    <TagsInput
      label={label}
      error={error}
      description={description}
      placeholder={value.length === 0 ? t("pickTool") : ""}
      value={[...value]}
      onChange={onChange}
      {...props}
    />
  );
}
