/**
 * Creates the function that ends this process. When the process ends with code 0 in any other way, because a plugin exits or nothing is
 * left to do, the code becomes 1: a supervisor restarts the service only after a failure.
 */
export function createExpectedExit(): (code: number) => never {
  let isExpected = false;
  process.on("exit", (code) => {
    if (code === 0 && !isExpected) process.exitCode = 1;
  });
  return (code) => {
    isExpected = true;
    return process.exit(code);
  };
}
