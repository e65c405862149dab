import { Autocomplete, TagsInput, Text } from "@mantine/core";
import type { Localized } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { ALL, ApiError, api, type Listed, parley } from "../api/client.ts";
import { hasWords } from "../has-words.ts";
import { describedIn } from "./chinese.ts";
import { useTexts } from "./texts.ts";

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly builtin: boolean;
  readonly help?: Localized | null;
  readonly enabled: boolean;
}

const MOST_SHOWN = 50;

/** The tools of the service and those of connected servers, by the name that models know them by. */
function useTools() {
  const own = useQuery({
    queryKey: ["tool", "names"],
    queryFn: () => api.get<Listed<ListedTool>>("/api/tools?limit=500"),
  });
  const others = useQuery({ queryKey: ["mcp_server", "tool-names"], queryFn: toolsOfServers });
  const all = [...(own.data?.items ?? []), ...(others.data ?? [])];
  return { byName: new Map(all.map((tool) => [tool.name, tool])), isKnown: own.isSuccess };
}

async function toolsOfServers(): Promise<readonly ListedTool[]> {
  const { items } = await parley.get("/api/mcp-servers", { query: { connection_state: "connected", ...ALL } });
  return (await Promise.all(items.map(({ id, name }) => toolsOf(id, name)))).flat();
}

async function toolsOf(server_id: string, server: string): Promise<readonly ListedTool[]> {
  try {
    const { items } = await parley.get("/api/mcp-servers/{server_id}/tools", { path: { server_id }, query: ALL });
    return items.flatMap(({ offered_as, description }) =>
      offered_as === null
        ? []
        : [{ name: offered_as, description: `${server} · ${description}`, builtin: false, enabled: true }],
    );
  } catch (error) {
    // It was disconnected or deleted meanwhile.
    if (error instanceof ApiError && (error.code === "conflict" || error.code === "not_found")) return [];
    throw error;
  }
}

/** How a list of tools is searched and drawn: by name and by what each is for. */
function useChoices() {
  const { t, language } = useTexts();
  const { byName, isKnown } = useTools();
  const about = (name: string) => {
    const tool = byName.get(name);
    return tool ? describedIn(language, tool) : "";
  };
  return {
    isKnown,
    has: (name: string) => byName.has(name) || name.startsWith("mcp__"),
    props: {
      data: [...byName.keys()].sort(),
      limit: MOST_SHOWN,
      comboboxProps: { withinPortal: true },
      filter: ({ options, search }: { options: readonly object[]; search: string }) => {
        const isSought = hasWords(search);
        return (options as { value: string }[]).filter(({ value }) => isSought(`${value} ${about(value)}`)) as never;
      },
      renderOption: ({ option: { value } }: { option: { value: string } }) => (
        <div>
          <Text size="sm" ff="monospace">
            {value}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {byName.get(value)?.enabled === false ? `${t("toolOff")} · ` : ""}
            {about(value)}
          </Text>
        </div>
      ),
    },
  };
}

interface PickerProps<Value> {
  readonly label: string;
  readonly description?: string;
  readonly value: Value;
  readonly put: (value: Value) => void;
  readonly error?: React.ReactNode;
}

/** One tool by its name, found by what it is for. */
export function ToolPicker({ label, value, put, error }: PickerProps<string>) {
  const { t } = useTexts();
  const { props, has, isKnown } = useChoices();
  return (
    <Autocomplete
      label={label}
      error={error}
      placeholder={t("pickTool")}
      value={value}
      onChange={put}
      description={isKnown && value !== "" && !has(value) ? t("unknownTool") : undefined}
      inputWrapperOrder={["label", "input", "description", "error"]}
      {...props}
    />
  );
}

/** Several tools by their names. */
export function ToolsPicker({ label, description, value, put, error }: PickerProps<readonly string[]>) {
  const { t } = useTexts();
  const { props } = useChoices();
  return (
    <TagsInput
      label={label}
      error={error}
      description={description}
      placeholder={value.length === 0 ? t("pickTool") : ""}
      value={[...value]}
      onChange={put}
      {...props}
    />
  );
}
