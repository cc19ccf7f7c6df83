/** Reads the members of interfaces and classes with their comments from the source. This needs no type checker. */
import { readFileSync } from "node:fs";
import ts from "typescript";

export interface Member {
  readonly name: string;
  /** The type as it is written. */
  readonly type: string;
  readonly optional: boolean;
  readonly doc: string;
}

/** `path` starts at the root of the repository. */
export function membersOf(path: string, name: string): Member[] {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2024, true);
  const found = source.statements.find(
    (statement) =>
      (ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name?.text === name,
  );
  if (found === undefined || !(ts.isInterfaceDeclaration(found) || ts.isClassDeclaration(found)))
    throw new Error(`${path} declares no ${name}`);
  return [...found.members].flatMap((member) => memberOf(member, source));
}

function memberOf(member: ts.TypeElement | ts.ClassElement, source: ts.SourceFile): Member[] {
  if (member.name === undefined || ts.isPrivateIdentifier(member.name)) return [];
  const [name, doc] = [member.name.getText(source), docOf(member)];
  if (ts.isMethodSignature(member)) {
    const parameters = member.parameters.map((parameter) => parameter.getText(source)).join(", ");
    const type = `(${parameters}) => ${member.type?.getText(source) ?? "void"}`;
    return [{ name, type, optional: member.questionToken !== undefined, doc }];
  }
  if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member)) return [];
  const type = member.type?.getText(source).replace(/\s+/g, " ") ?? "";
  return [{ name, type, optional: member.questionToken !== undefined, doc }];
}

function docOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment) ?? "";
}
