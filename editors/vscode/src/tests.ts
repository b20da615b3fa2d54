/** Rule tests in the test view. */

import * as path from "node:path";
import * as vscode from "vscode";
import { output } from "./extension";

const FILES = "**/*.test.targi";

interface Told {
  test: string;
  problems: { title: string; text: string; line: number | null }[];
}

/** A test view that finds the tests of all files, and runs them file by file. */
export function showTests(): vscode.Disposable {
  const tests = vscode.tests.createTestController("targi", "Rule tests");
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  const read = (file: vscode.Uri) => readFile(tests, file);
  watcher.onDidCreate(read);
  watcher.onDidChange(read);
  watcher.onDidDelete((file) => tests.items.delete(file.toString()));
  tests.resolveHandler = async () => {
    for (const file of await vscode.workspace.findFiles(FILES)) await read(file);
  };
  tests.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request) => run(tests, request), true);
  return vscode.Disposable.from(tests, watcher);
}

async function readFile(tests: vscode.TestController, file: vscode.Uri): Promise<void> {
  const text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
  const item = tests.createTestItem(file.toString(), path.basename(file.fsPath), file);
  text.split("\n").forEach((line, number) => {
    const name = /^test "([^"]*)"/.exec(line)?.[1];
    if (name === undefined) return;
    const one = tests.createTestItem(`${file}#${name}`, name, file);
    one.range = new vscode.Range(number, 0, number, line.length);
    item.children.add(one);
  });
  tests.items.add(item);
}

async function run(tests: vscode.TestController, request: vscode.TestRunRequest): Promise<void> {
  const run = tests.createTestRun(request);
  const wanted = new Map<vscode.TestItem, vscode.TestItem[]>();
  for (const item of request.include ?? [...tests.items].map(([, item]) => item)) {
    const file = item.parent ?? item;
    const those = item.parent ? [item] : [...item.children].map(([, child]) => child);
    wanted.set(file, [...(wanted.get(file) ?? []), ...those]);
  }
  for (const [file, items] of wanted) {
    items.forEach((item) => run.started(item));
    const where = file.uri?.fsPath ?? "";
    try {
      const found = JSON.parse(await output(path.dirname(where), "test", path.basename(where), "--json"));
      items.forEach((item) => tell(run, item, found.tests));
    } catch (error) {
      items.forEach((item) => run.errored(item, new vscode.TestMessage(String(error))));
    }
  }
  run.end();
}

/** A test with a table is told once for each of its rows. */
function tell(run: vscode.TestRun, item: vscode.TestItem, found: Told[]): void {
  const rows = found.filter(({ test }) => test === item.label || test.startsWith(`${item.label} [`));
  const messages = rows.flatMap(({ test, problems }) =>
    problems.map(({ title, text, line }) => {
      const message = new vscode.TestMessage([test, title, text].join("\n"));
      const at = new vscode.Position((line ?? 1) - 1, 0);
      if (item.uri) message.location = new vscode.Location(item.uri, at);
      return message;
    }),
  );
  if (!rows.length) run.skipped(item);
  else if (messages.length) run.failed(item, messages);
  else run.passed(item);
}
