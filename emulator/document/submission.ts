import { findNode, subtree } from "./tree.ts";
import type { PageDocument, PageNode } from "./types.ts";

/** A visitor's answers in a form or quiz of a page, as a lead records them. */
export interface Submission {
  type: "form" | "quiz";
  /** Node id of the form or quiz. */
  formId: string;
  formName: string;
  name: string | null;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  /** All fields as the visitor sent them. */
  fields: Record<string, string>;
  /** Quiz answers: the chosen option by question. Empty for a form. */
  answers: Record<string, string>;
  /** True if every question has an answer. Always true for a form. */
  completed: boolean;
}

/** The hidden field with the id of a posted form. */
export const FORM_ID_FIELD = "form_id";

/** Reads a posted form. Returns undefined if the page has no such form. */
export function readSubmission(document: PageDocument, posted: URLSearchParams): Submission | undefined {
  const formId = posted.get(FORM_ID_FIELD);
  const form = formId === null ? undefined : findNode(document, formId)?.node;
  if (form?.type !== "form" && form?.type !== "quiz") return undefined;
  const questions = subtree(form).filter((node) => node.type === "question");
  const isQuestion = new Set(questions.map((question) => question.id));
  const fields = Object.fromEntries(
    [...posted].filter(([key]) => key !== FORM_ID_FIELD && !isQuestion.has(key)).map(([key, value]) => [key, value]),
  );
  const answered = questions.flatMap((question) => {
    const answer = posted.get(question.id);
    return answer === null ? [] : [[textOf(question), answer] as const];
  });
  return {
    type: form.type,
    formId: form.id,
    formName: formName(form),
    ...person(posted),
    fields,
    answers: Object.fromEntries(answered),
    completed: answered.length === questions.length,
  };
}

function formName(form: PageNode): string {
  const { title, name } = form.misc;
  if (typeof title === "string") return title;
  return typeof name === "string" ? name : form.id;
}

function person(posted: URLSearchParams): Pick<Submission, "name" | "first_name" | "last_name" | "email" | "phone"> {
  const sent = (field: string): string | null => posted.get(field)?.trim() || null;
  const whole = sent("name");
  const [first, ...others] = whole?.split(/\s+/) ?? [];
  const first_name = sent("first_name") ?? first ?? null;
  const last_name = sent("last_name") ?? (others.join(" ") || null);
  return {
    name: whole ?? ([first_name, last_name].filter((part) => part !== null).join(" ") || null),
    first_name,
    last_name,
    email: sent("email"),
    phone: sent("phone"),
  };
}

function textOf(node: PageNode): string {
  return typeof node.misc.text === "string" ? node.misc.text : node.id;
}
