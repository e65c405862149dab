/** Code of others that is only looked at cannot end the process, which would have said nothing by then: it throws instead. */
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
