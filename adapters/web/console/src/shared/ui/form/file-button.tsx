import { type FileButtonProps, FileButton as MantineFileButton } from "@mantine/core";
import { useRef } from "react";

/** A button to select files. The same one can be selected again, since it may have changed or failed before. */
export function FileButton<Multiple extends boolean = false>({ onChange, ...rest }: FileButtonProps<Multiple>) {
  const reset = useRef<() => void>(null);
  const handleFiles: typeof onChange = (files) => {
    reset.current?.();
    onChange(files);
  };
  return <MantineFileButton<Multiple> {...rest} onChange={handleFiles} resetRef={reset} />;
}
