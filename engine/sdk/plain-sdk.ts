/**
 * LANDFORM_PLAIN_SDK=1 turns off everything in this folder: the SDK's modules run as they are written and speak gRPC, and no process or question
 * starts before its turn. This shows if a fault is ours.
 */
export function isPlainSdk(): boolean {
  return process.env["LANDFORM_PLAIN_SDK"] === "1";
}
