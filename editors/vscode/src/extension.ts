/** Starts the language server, and runs games and rule tests. */

import { execFile } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, ServerOptions } from "vscode-languageclient/node";
import { showTests } from "./tests";

let client: LanguageClient | undefined;

/** The program and its first arguments. */
export function program(): [string, string[]] {
  const [command, ...rest] = vscode.workspace.getConfiguration("targi").get<string[]>("command", ["targi"]);
  return [command, rest];
}

/** What the program prints, whatever its exit code is; an error if it cannot be run. */
export function output(folder: string, ...words: string[]): Promise<string> {
  const [command, rest] = program();
  return new Promise((resolve, reject) => {
    execFile(command, [...rest, ...words], { cwd: folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const couldRun = error === null || typeof error.code === "number";
      couldRun && stdout ? resolve(stdout) : reject(new Error(stderr || String(error)));
    });
  });
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const [command, rest] = program();
  const server: ServerOptions = { command, args: [...rest, "lsp"] };
  client = new LanguageClient("targi", "Targi rules", server, {
    documentSelector: [{ language: "targi" }, { language: "yaml", pattern: "**/*.yaml" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{targi,yaml,po}") },
  });
  context.subscriptions.push(
    vscode.commands.registerCommand("targi.play", () => inTerminal("play")),
    vscode.commands.registerCommand("targi.try", () => inTerminal("try")),
    vscode.commands.registerCommand("targi.why", why),
    vscode.commands.registerCommand("targi.newVariant", newVariant),
    showTests(),
  );
  try {
    await client.start();
  } catch {
    const why = `\`${command}\` did not start. Install it by: pip install 'targi_dsl[lsp]'`;
    const settings = "Open settings";
    if ((await vscode.window.showErrorMessage(why, settings)) === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "targi.command");
    }
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Runs a command about the sheet that is open, or about one that is chosen. */
async function inTerminal(verb: string, ...options: string[]): Promise<void> {
  const sheet = await chosenSheet();
  if (sheet === undefined) return;
  const [command, rest] = program();
  const terminal = vscode.window.createTerminal({ name: `targi ${verb}`, cwd: path.dirname(sheet) });
  terminal.show();
  terminal.sendText([command, ...rest, verb, `./${path.basename(sheet)}`, ...options].map(quoted).join(" "));
}

function quoted(word: string): string {
  return /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

async function chosenSheet(): Promise<string | undefined> {
  const open = vscode.window.activeTextEditor?.document;
  if (open && /^game\b/m.test(open.getText())) return open.uri.fsPath;
  const found: string[] = [];
  for (const file of await vscode.workspace.findFiles("**/*.targi", "**/node_modules/**", 5000)) {
    const text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
    if (/^game\b/m.test(text)) found.push(file.fsPath);
  }
  return found.length > 1 ? vscode.window.showQuickPick(found, { title: "Which game?" }) : found[0];
}

/** Tells why something could not be chosen in a saved game. */
async function why(): Promise<void> {
  const open = vscode.window.activeTextEditor?.document;
  const isRecord = open !== undefined && /^game: /m.test(open.getText()) && /^choices:/m.test(open.getText());
  const chosen = isRecord ? [open.uri] : await vscode.window.showOpenDialog({ title: "Which saved game?" });
  const record = chosen?.[0]?.fsPath;
  const step = record && (await vscode.window.showInputBox({ title: "Instead of which choice? (its number)" }));
  const words = step && (await vscode.window.showInputBox({ title: "What could not be chosen?" }));
  if (!record || !step || !words) return;
  const told = await output(path.dirname(record), "why", record, step, words).catch((error: Error) => error.message);
  await vscode.window.showInformationMessage(told.trim(), { modal: true });
}

async function newVariant(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const name = folder && (await vscode.window.showInputBox({ title: "The name of the variant" }));
  if (!folder || !name) return;
  const games = (await output(folder, "games")).split("\n").map((line) => line.split(/\s+/)[0]);
  const base = await vscode.window.showQuickPick(games.filter(Boolean), { title: "Based on which game?" });
  if (!base) return;
  const told = await output(folder, "new", name, "--from", base).catch((error: Error) => error.message);
  await vscode.window.showInformationMessage(told.trim());
}
