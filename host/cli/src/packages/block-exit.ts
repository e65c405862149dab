/** Makes `process.exit` throw while foreign code is examined; otherwise it could end the process silently. */
export function blockExit(): Disposable {
  const { exit } = process;
  process.exit = (code) => {
    throw new Error(`it calls process.exit(${code ?? ""}), which would end the service`);
  };
  return {
    [Symbol.dispose]() {
      process.exit = exit;
    },
  };
}
