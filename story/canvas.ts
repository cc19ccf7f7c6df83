import type { Styles } from "./styles.ts";

/** What is drawn on. */
export interface Canvas {
  styles: Styles;
  /** Columns. */
  width: number;
  /** Whole values, and every change of a long plan. */
  full?: boolean;
}
