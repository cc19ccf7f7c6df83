import { describe, expect, test } from "vitest";
import { allNodes, FORM_ID_FIELD, type PageDocument, readSubmission } from "../../emulator/document/index.ts";
import { fromTemplate } from "./arbitraries.ts";

const idOf = (document: PageDocument, name: string): string =>
  allNodes(document).find((node) => node.misc.name === name)?.id ?? "";

describe("submissions", () => {
  const page = fromTemplate("tpl-hero");
  const quiz = fromTemplate("tpl-quiz-plan");
  const send = (document: PageDocument, form: string, fields: Record<string, string>) =>
    readSubmission(document, new URLSearchParams({ [FORM_ID_FIELD]: idOf(document, form), ...fields }));

  test("a form says who, under which form, and keeps its fields as they were sent", () => {
    const fields = { name: "Ada  King Lovelace", email: " ada@mail.example ", extra: "1\n2" };
    expect(send(page, "form", fields)).toEqual({
      type: "form",
      formId: idOf(page, "form"),
      formName: "Early access",
      name: "Ada  King Lovelace",
      first_name: "Ada",
      last_name: "King Lovelace",
      email: "ada@mail.example",
      phone: null,
      fields,
      answers: {},
      completed: true,
    });
  });

  test("first and last name make a name", () => {
    expect(send(page, "form", { first_name: "Ada", last_name: "King" })).toMatchObject({ name: "Ada King" });
    expect(send(page, "form", {})).toMatchObject({ name: null, first_name: null, last_name: null, email: null });
  });

  test("a quiz keeps the answers by question, and says whether all were given", () => {
    const some = { [idOf(quiz, "quiz.time")]: "Half an hour", email: "a@mail.example" };
    expect(send(quiz, "quiz", some)).toMatchObject({
      type: "quiz",
      formName: "Which plan fits you?",
      fields: { email: "a@mail.example" },
      answers: { "How much time do you have on a weekday evening?": "Half an hour" },
      completed: false,
    });
    const all = ["time", "people", "goal", "start"].map((name) => [idOf(quiz, `quiz.${name}`), "x"]);
    expect(send(quiz, "quiz", Object.fromEntries(all) as Record<string, string>)).toMatchObject({ completed: true });
  });

  test("what names no form of the page is none", () => {
    expect(readSubmission(page, new URLSearchParams())).toBeUndefined();
    expect(send(page, "hero.title", {})).toBeUndefined();
    expect(readSubmission(page, new URLSearchParams({ [FORM_ID_FIELD]: "nowhere" }))).toBeUndefined();
  });
});
