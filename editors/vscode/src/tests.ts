/** Rule tests in the test view. */

import * as path from "node:path";
import * as vscode from "vscode";
import { output } from "./extension";

const FILES = "**/*.test.targi";

interface Covered {
  file: string | null;
  line: number | null;
  name: string;
  sort: string;
  times: number;
}

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
  const { Run, Coverage } = vscode.TestRunProfileKind;
  tests.createRunProfile("Run", Run, (request) => run(tests, request), true);
  const covering = tests.createRunProfile("Run with coverage", Coverage, (request) => run(tests, request, details), true);
  const details = new Map<string, vscode.FileCoverageDetail[]>();
  covering.loadDetailedCoverage = async (_, file) => details.get(file.uri.toString()) ?? [];
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

type Details = Map<string, vscode.FileCoverageDetail[]>;

async function run(tests: vscode.TestController, request: vscode.TestRunRequest, details?: Details): Promise<void> {
  const covered: Covered[] = [];
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
      const found = JSON.parse(await output(path.dirname(where), "test", path.basename(where), "--json", ...(details ? ["--coverage"] : [])));
      for (const one of found.coverage?.items ?? []) {
        covered.push({ ...one, file: one.file && path.resolve(path.dirname(where), one.file) });
      }
      items.forEach((item) => tell(run, item, found.tests));
    } catch (error) {
      items.forEach((item) => run.errored(item, new vscode.TestMessage(String(error))));
    }
  }
  if (details) await cover(run, covered, details);
  run.end();
}

/** Shows in the margin how often the rules, their lines and their branches have been used by all files of tests. */
async function cover(run: vscode.TestRun, covered: Covered[], details: Details): Promise<void> {
  details.clear();
  const lines = new Map<string, Map<string, Covered>>();
  for (const one of covered) {
    if (one.file === null || one.line === null) continue;
    const there = lines.get(one.file) ?? new Map<string, Covered>();
    const key = `${one.line} ${one.sort} ${one.name}`;
    there.set(key, { ...one, times: one.times + (there.get(key)?.times ?? 0) });
    lines.set(one.file, there);
  }
  for (const [file, items] of lines) {
    const uri = vscode.Uri.file(file);
    const exists = await vscode.workspace.fs.stat(uri).then(() => true, () => false);
    if (!exists) continue; // it is shipped with the program
    const found = coverageOf([...items.values()]);
    details.set(uri.toString(), found);
    run.addCoverage(vscode.FileCoverage.fromDetails(uri, found));
  }
}

function coverageOf(items: Covered[]): vscode.FileCoverageDetail[] {
  const at = (one: Covered) => new vscode.Position((one.line ?? 1) - 1, 0);
  const branches = (line: number | null) =>
    items
      .filter((one) => one.sort === "branch" && one.line === line)
      .map((one) => new vscode.BranchCoverage(one.times, at(one), one.name));
  return items
    .filter((one) => one.sort !== "branch")
    .map((one) =>
      one.sort === "statement"
        ? new vscode.StatementCoverage(one.times, at(one), branches(one.line))
        : new vscode.DeclarationCoverage(one.name, one.times, at(one)),
    );
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
