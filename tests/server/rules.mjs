// Microsoft's parser over the commands of the rules: each must be a command that it knows, and name
// columns that the command returns.
//     node rules.mjs < items.jsonl        {"id": "check", "text": "command with sample values"} a line
import fs from "node:fs";
import vm from "node:vm";
import path from "node:path";
import { createRequire } from "node:module";

const home = path.dirname(createRequire(process.cwd() + "/").resolve("@kusto/language-service-next/package.json"));
for (const script of ["bridge.min.js", "Kusto.Language.Bridge.min.js"])
  vm.runInThisContext(fs.readFileSync(path.join(home, script), "utf8"), { filename: script });
const { Kusto, Bridge } = globalThis;
const { KustoCode, GlobalState, Symbols, Syntax } = Kusto.Language;

// The entities that stand in the sample values.
const table = Symbols.TableSymbol.From("(a: string)").WithName("MyTable");
const globals = GlobalState.Default.WithDatabase(new Symbols.DatabaseSymbol.ctor("MyDatabase", [table]));

function each(sequence, fn) {
  for (const at = Bridge.getEnumerator(sequence); at.moveNext(); ) fn(at.Current);
}

// Unknown commands are no diagnostic of the parser: they show in the tree.
function isUnknown(node) {
  if (!node) return false;
  if (node.Kind === Syntax.SyntaxKind.UnknownCommand) return true;
  for (let i = 0; i < node.ChildCount; i++) if (isUnknown(node.GetChild(i))) return true;
  return false;
}

function faults(text) {
  const code = KustoCode.ParseAndAnalyze(text, globals);
  const found = [];
  each(code.GetDiagnostics(), (d) => d.Severity === "Error" && found.push(`${d.Start + 1}: ${d.Code} ${d.Message}`));
  if (isUnknown(code.Syntax)) found.push("1: no command that the parser knows");
  return found;
}

const items = fs.readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
let wrong = 0;
for (const { id, text } of items) {
  const found = faults(text);
  wrong += found.length > 0;
  for (const fault of found) console.log(`${id}:${fault}\n    ${text}`);
}
console.log(`${items.length} commands of rules: ${items.length - wrong} accepted, ${wrong} not`);
process.exit(wrong || !items.length ? 1 : 0);
